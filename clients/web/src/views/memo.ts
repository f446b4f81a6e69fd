import { Component, type ComponentChild, type FunctionComponent } from "preact";

/** Returns a component that renders only when a property has changed. */
export function memo<Props extends object>(
  render: (props: Props) => ComponentChild,
): FunctionComponent<Props> {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const old = this.props as Record<string, unknown>;
      return Object.entries(next).some(([name, value]) => old[name] !== value);
    }

    override render(): ComponentChild {
      return render(this.props as Props);
    }
  }
  return Memo as unknown as FunctionComponent<Props>;
}

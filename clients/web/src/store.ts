import { useLayoutEffect, useState } from "preact/hooks";

/** A value that views follow. Every change replaces the value. */
export class Store<State extends object> {
  #state: State;
  readonly #listeners = new Set<() => void>();

  constructor(state: State) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  /** Replaces some fields and notifies the listeners. */
  set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls a function after every change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Returns the state of a store and renders the view again after every change. */
export function useStore<State extends object>(store: Store<State>): State {
  const [, render] = useState({});
  useLayoutEffect(() => store.subscribe(() => render({})), [store]);
  return store.state;
}

/** The immutable collections of Swagger UI, as far as the filter uses them. */
interface Group {
  get(name: "operations"): Operations;
  set(name: "operations", operations: Operations): Group;
}

interface Operations {
  readonly size: number;
  filter(keep: (operation: Operation) => boolean): Operations;
}

interface Operation {
  get(name: "path" | "method"): string;
  getIn(path: [string, string]): string | undefined;
}

interface Groups {
  map(change: (group: Group) => Group): Groups;
  filter(keep: (group: Group) => boolean): Groups;
}

/** Returns the operations whose path, name or summary contains a text. */
export function matching(groups: Groups, text: string): Groups {
  const wanted = text.trim().toLowerCase();
  const matches = (operation: Operation): boolean => [
    operation.get("method"), operation.get("path"), operation.getIn(["operation", "operationId"]),
    operation.getIn(["operation", "summary"]),
  ].join(" ").toLowerCase().includes(wanted);
  return groups.map((group) => group.set("operations", group.get("operations").filter(matches)))
    .filter((group) => group.get("operations").size > 0);
}

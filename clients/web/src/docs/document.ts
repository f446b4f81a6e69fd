/** The parts of an OpenAPI document that the page changes. */
export interface OpenAPI {
  openapi: string;
  info: { description?: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, { parameters?: { $ref?: string }[] }>>;
  components: { parameters?: Record<string, { name: string; in: string; description?: string }> };
}

const reference = "#/components/parameters/";

/** How the page orders the groups of operations: a first game starts with CreatePlayer. */
const groups = ["PlayerService", "GameService", "StrategyService"];

/** Prepares the document of the server for the page. */
export function prepare(document: OpenAPI): OpenAPI {
  const order = ({ name }: { name: string }): number =>
    (groups.indexOf(name) + groups.length + 1) % (groups.length + 1);
  document.tags.sort((a, b) => order(a) - order(b));
  moveHeaders(document);
  return asVersion30(document);
}

/** Moves the headers that all calls share from the operations to the start of the page. */
function moveHeaders(document: OpenAPI): void {
  const shared = document.components.parameters ?? {};
  const isHeader = (parameter: { $ref?: string }): boolean =>
    shared[parameter.$ref?.slice(reference.length) ?? ""]?.in === "header";
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      if (operation.parameters) {
        operation.parameters = operation.parameters.filter((parameter) => !isHeader(parameter));
      }
    }
  }
  const rows = Object.values(shared).filter((parameter) => parameter.in === "header")
    .map(({ name, description }) => `- \`${name}\`: ${description ?? ""}`);
  document.info.description = `${document.info.description ?? ""}\n\n` +
    `<details><summary>Optional headers</summary>\n\n${rows.join("\n")}\n\n</details>`;
}

/**
 * Rewrites a document of version 3.1 in the terms of version 3.0, which Swagger UI resolves four
 * times faster. Of the descriptions beside references, which version 3.0 ignores, it keeps those of
 * the fields of requests.
 */
function asVersion30(document: OpenAPI): OpenAPI {
  document.openapi = "3.0.3";
  return JSON.parse(JSON.stringify(document), (name, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    if (name === "requestBody") return withDescriptions(value);
    const { const: constant, type } = value as { const?: unknown; type?: unknown };
    if (constant !== undefined) return { ...value, const: undefined, enum: [constant] };
    if (Array.isArray(type)) {
      return { ...value, type: type.find((option) => option !== "null") as string, nullable: type.includes("null") };
    }
    return value;
  }) as OpenAPI;
}

function withDescriptions(body: object): object {
  return JSON.parse(JSON.stringify(body), (_, value: unknown) => {
    const { $ref, ...rest } = Object(value) as { $ref?: unknown };
    return typeof $ref === "string" && Object.keys(rest).length > 0 ? { ...rest, allOf: [{ $ref }] } : value;
  }) as object;
}

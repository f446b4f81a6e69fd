// Generates src/schema.ts, the types of the API, from the OpenAPI document of the server.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTypescript, { astToString } from "openapi-typescript";

const root = new URL("../../../", import.meta.url);
const source = new URL("gen/openapi/openapi.json", root);
const target = new URL("../src/schema.ts", import.meta.url);

const document = JSON.parse(await readFile(source, "utf8"));
const schemas = document.components.schemas;
for (const schema of Object.values(schemas)) {
  describeResponse(schema);
}
delete document.paths; // The client has a method for each call.
const types = await openapiTypescript(document, { emptyObjectsUnknown: true });
const file = process.argv[2] ?? fileURLToPath(target);
await mkdir(dirname(file), { recursive: true });
await writeFile(
  file,
  `// Generated from gen/openapi/openapi.json by \`npm run types\`. Do not edit.\n\n${astToString(types)}`,
);

/**
 * Makes a schema describe a response: the server sends scalars and lists with their default values
 * too, omits messages without content, and sends one field of a oneof.
 */
function describeResponse(schema) {
  const choices = new Set((schema.oneOf ?? []).flatMap((choice) => choice.required ?? []));
  delete schema.oneOf;
  const present = Object.entries(schema.properties ?? {})
    .filter(([name, property]) => !choices.has(name) && !isMessage(property))
    .map(([name]) => name);
  if (present.length > 0) schema.required = present;
}

function isMessage(property) {
  const name = property.$ref?.replace("#/components/schemas/", "");
  return name !== undefined && schemas[name].type === "object";
}

// Generates src/schema.ts, the types of the API, from the OpenAPI document of the server.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTypescript, { astToString } from "openapi-typescript";

const root = new URL("../../../", import.meta.url);
const source = new URL("gen/openapi/openapi.json", root);
const target = new URL("../src/schema.ts", import.meta.url);

const document = JSON.parse(await readFile(source, "utf8"));
delete document.paths; // The client has a method for each call.
const types = await openapiTypescript(document, { emptyObjectsUnknown: true });
const file = process.argv[2] ?? fileURLToPath(target);
await mkdir(dirname(file), { recursive: true });
await writeFile(
  file,
  `// Generated from gen/openapi/openapi.json by \`npm run types\`. Do not edit.\n\n${astToString(types)}`,
);

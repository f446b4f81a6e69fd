// Generates src/schema.ts, the types of the API, from the OpenAPI document of the server.
import { readFile, writeFile } from "node:fs/promises";
import openapiTypescript, { astToString } from "openapi-typescript";

const root = new URL("../../../", import.meta.url);
const source = new URL("gen/openapi/openapi.json", root);
const target = new URL("../src/schema.ts", import.meta.url);

const document = JSON.parse(await readFile(source, "utf8"));
const types = await openapiTypescript(document, { emptyObjectsUnknown: true });
await writeFile(
  process.argv[2] ?? target,
  `// Generated from gen/openapi/openapi.json by \`npm run types\`. Do not edit.\n\n${astToString(types)}`,
);

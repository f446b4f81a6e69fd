// Builds the pages into dist/, or into the folder named by the argument. The output depends only on
// the sources and the locked versions of the tools.
import { cp, mkdir, rm } from "node:fs/promises";
import { build } from "esbuild";

const out = process.argv[2] ?? "dist";
await rm(out, { recursive: true, force: true });
await mkdir(out);
await build({
  entryPoints: { app: "src/main.tsx", docs: "src/docs/docs.ts" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022", "chrome107", "firefox104", "safari16"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
});
await cp("src/index.html", `${out}/index.html`);
await cp("src/docs/docs.html", `${out}/docs.html`);
for (const file of ["swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt"]) {
  await cp(`node_modules/swagger-ui-dist/${file}`, `${out}/${file}`);
}
await cp("node_modules/swagger-ui-dist/NOTICE", `${out}/swagger-ui.NOTICE.txt`);

// Builds the page into dist/, or into the folder named by the argument. The output depends only on
// the sources and the locked versions of the tools.
import { cp, mkdir, rm } from "node:fs/promises";
import { build } from "esbuild";

const out = process.argv[2] ?? "dist";
await rm(out, { recursive: true, force: true });
await mkdir(out);
await build({
  entryPoints: { app: "src/main.tsx" },
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

// Bundles the extension and its libraries into dist/extension.js, with the schemas that it refers to beside it.
import { copyFileSync, mkdirSync } from "node:fs";
import { build } from "esbuild";

mkdirSync("dist", { recursive: true });
copyFileSync("../../grammar/examples.schema.json", "dist/examples.schema.json");
await build({
  entryPoints: ["src/extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  legalComments: "linked",
});

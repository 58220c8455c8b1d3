// Builds the text editor of the studio: gamedsl/studio/static/codemirror.js, and the licenses of what it holds beside it.
// `npm ci && npm run build`. The same lock file gives the same bytes.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const OUT = "../../gamedsl/studio/static";
const lock = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
const result = await build({
  entryPoints: ["entry.mjs"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  write: false,
});

const held = new Set();
for (const file of Object.keys(result.metafile.inputs)) {
  const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
  if (found) held.add(found[1]);
}
const packages = [...held].sort();
const versions = packages.map((name) => `${name} ${lock[`node_modules/${name}`].version}`);
const banner = `/* Built by editors/codemirror; licenses: codemirror.licenses.txt. Holds: ${versions.join(", ")} */\n`;
writeFileSync(`${OUT}/codemirror.js`, banner + result.outputFiles[0].text);

const licenses = packages.map((name) => {
  const file = readdirSync(`node_modules/${name}`).find((one) => /^licen[cs]e/i.test(one));
  if (!file) throw new Error(`${name} comes without a license text`);
  return `${name} ${lock[`node_modules/${name}`].version}\n\n${readFileSync(`node_modules/${name}/${file}`, "utf8").trim()}\n`;
});
writeFileSync(`${OUT}/codemirror.licenses.txt`, licenses.join(`\n${"-".repeat(78)}\n\n`));

/* The last step of tools/studio/build: scripts, libraries for FMUs and licences go into the folder of the studio.

       node tools/studio/assemble.mjs MODULE PACKAGES FOLDER

   A library goes in if the module takes it, which wants it of the same sources; of each platform the first. */

import { createRequire } from "node:module";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

import { Engine, Refusal } from "./page/engine.js";

const [module, packages, folder] = process.argv.slice(2);
const page = ["studio.js", "worker.js", "live.js"].map(script => `tools/studio/page/${script}`);
const { metafile } = await createRequire(resolve(packages, "package.json"))("esbuild").build({
  entryPoints: page, outdir: folder, bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none", metafile: true,
  nodePaths: [resolve(packages, "node_modules")], logLevel: "warning",
});

const engine = await Engine.load(readFileSync(module));

/** @param {string} from @returns {string[]} */
function inside(from) {
  try { return readdirSync(from).sort().map(name => join(from, name)); } catch { return []; }
}

const built = ["release", "debug"].flatMap(tier => inside(`target/${tier}`)).filter(file => /^(lib)?coulisse\.(so|dll|dylib)$/.test(basename(file)));
const index = [];
mkdirSync(join(folder, "libraries"), { recursive: true });
for (const file of [...inside("target/share/coulisse/libraries"), ...built]) {
  const bytes = readFileSync(file);
  try {
    const { label } = engine.call({ call: "library" }, bytes).answer, platform = label.split(" ")[0];
    if (index.some(known => known.platform === platform)) continue;
    const name = `${platform}.gz`;
    writeFileSync(join(folder, "libraries", name), gzipSync(bytes, { level: 9 }));
    index.push({ file: name, platform, label });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`left out: ${file}: ${error.message}`);
  }
}
writeFileSync(join(folder, "libraries", "index.json"), JSON.stringify(index));

/* Packages of npm that esbuild has put in, with their licences. */
const names = new Set(Object.keys(metafile.inputs).map(file => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]).filter(name => name !== undefined));
const texts = [...names].sort().map(name => {
  const from = join(packages, "node_modules", name), { version, license } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  const file = inside(from).find(file => /licen/i.test(basename(file)));
  return `${"=".repeat(80)}\n${name} ${version}, ${license}\n\n${file ? readFileSync(file, "utf8").trim() : ""}\n`;
});
writeFileSync(join(folder, "licences.txt"), `${readFileSync(join(folder, "licences.txt"), "utf8")}\nThe editor of the studio consists of the packages below.\n\n${texts.join("\n")}`);

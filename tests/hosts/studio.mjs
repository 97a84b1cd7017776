/* Calls of the studio's module, as its page makes them, in Node.js.

       node studio.mjs MODULE rows FOLDER MODEL...            runs bundled models for 0.1 s: MODEL.csv
       node studio.mjs MODULE fmu LIBRARY FILE MODEL DATE     packs a bundled model */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { Engine } from "../../tools/studio/page/engine.js";

const [module, task, ...rest] = process.argv.slice(2);
const engine = await Engine.load(readFileSync(module));

/** Opens a bundled model, with another end of its run. */
function open(name, stop) {
  const { text } = engine.call({ call: "model", name }).answer;
  const { about, findings } = engine.call({ call: "open", file: `${name}.toml`, text, set: [], stop }).answer;
  if (!about) throw new Error(`${name}: ${JSON.stringify(findings)}`);
  return about;
}

if (task === "rows") {
  const [folder, ...models] = rest;
  for (const name of models) {
    open(name, 0.1);
    const { done, failure } = engine.call({ call: "advance", steps: 1e9, set: [] }).answer;
    if (!done || failure) throw new Error(`${name}: ${failure}`);
    engine.call({ call: "close" });
    writeFileSync(join(folder, `${name}.csv`), engine.call({ call: "rows" }).bytes);
  }
} else {
  const [library, file, name, date] = rest;
  open(name);
  engine.call({ call: "library" }, readFileSync(library));
  writeFileSync(file, engine.call({ call: "pack", date }).bytes);
}

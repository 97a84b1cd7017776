/* Calls of the studio's module, as its page makes them, in Node.js.

       node studio.mjs MODULE rows FOLDER MODEL...            runs bundled models for 0.1 s: MODEL.csv
       node studio.mjs MODULE fmu LIBRARY FILE MODEL DATE     packs a bundled model
       node studio.mjs MODULE gif FILE MODEL STOP             draws the motion of one
       node studio.mjs MODULE sheet FOLDER MODEL SET CALL     analyses one with other values: page.html, and table.csv where there is one
       node studio.mjs MODULE converge FOLDER MODEL STOP      studies how one converges: likewise
       node studio.mjs MODULE record FOLDER FILE              what a record holds: likewise */

import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import { Engine, Refusal } from "../../tools/studio/page/engine.js";

const [module, task, ...rest] = process.argv.slice(2);
const engine = await Engine.load(readFileSync(module));

/** Opens a bundled model or a file, with another end of its run and other values. */
function open(name, stop, set = []) {
  const text = name.endsWith(".toml") ? readFileSync(name, "utf8") : engine.call({ call: "model", name }).answer.text;
  const { about, findings } = engine.call({ call: "open", file: `${name}.toml`, text, set, stop }).answer;
  if (!about) throw new Error(`${name}: ${JSON.stringify(findings)}`);
  return about;
}

/** Runs to the end what is open. */
function run(name) {
  const { done, failure } = engine.call({ call: "advance", steps: 1e9, set: [] }).answer;
  if (!done || failure) throw new Error(`${name}: ${failure}`);
  engine.call({ call: "close" });
}

/** Writes a page, and the table that belongs to it. */
function keep(folder, { bytes }) {
  writeFileSync(join(folder, "page.html"), bytes);
  try { writeFileSync(join(folder, "table.csv"), engine.call({ call: "table" }).bytes); } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

const tasks = {
  rows(folder, ...models) {
    for (const name of models) {
      open(name, 0.1);
      run(name);
      writeFileSync(join(folder, `${name}.csv`), engine.call({ call: "rows" }).bytes);
    }
  },
  fmu(library, file, name, date) {
    open(name);
    engine.call({ call: "library" }, readFileSync(library));
    writeFileSync(file, engine.call({ call: "pack", date }).bytes);
  },
  gif(file, name, stop) {
    open(name, Number(stop));
    run(name);
    writeFileSync(file, engine.call({ call: "gif" }).bytes);
  },
  sheet(folder, name, set, call) {
    open(name, undefined, JSON.parse(set));
    keep(folder, engine.call(JSON.parse(call)));
  },
  converge(folder, name, stop) {
    open(name, Number(stop));
    let shares = [0];
    for (let done = false; !done;) {
      const { share, ...progress } = engine.call({ call: "converge", steps: 50 }).answer;
      ({ done } = progress);
      shares.push(share);
    }
    if (shares.some((share, k) => share < shares[k - 1]) || shares.at(-1) !== 1) throw new Error(`progress ${shares}`);
    keep(folder, engine.call({ call: "converged", accuracy: 0.01 }));
  },
  record(folder, file) {
    engine.call({ call: "keep", name: basename(file) }, readFileSync(file));
    keep(folder, engine.call({ call: "record", name: basename(file) }));
  },
};
tasks[task](...rest);

/* A component of an FMU in Node.js.

       node component.mjs PACKAGES FOLDER transpile COMPONENT      jco, which is in PACKAGES, makes JavaScript of it, in FOLDER
       node component.mjs PACKAGES FOLDER run [RESOURCES]          runs that; RESOURCES is what the component sees as /resources

   Calls come in as lines of JSON, [id, interface, function, ...arguments], where id names an instance. The answer is {ok} or {refused} or
   {trap}, with log messages and calls back in between. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [packages, folder, task, subject] = process.argv.slice(2);
const require = createRequire(resolve(packages, "package.json"));
const of = name => import(pathToFileURL(require.resolve(name)));

if (task === "transpile") {
  const { transpileBytes } = await of("@bytecodealliance/jco-transpile");
  const { files } = await transpileBytes(readFileSync(subject), { name: "fmu", instantiation: "async", optimize: false });
  for (const [name, bytes] of files instanceof Map ? files : Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  process.exit();
}

const { WASIShim } = await of("@bytecodealliance/preview2-shim/instantiation");
let messages = [], updates = [], wanted = null;
const callbacks = {
  logMessage: (...message) => { messages.push(message); },
  clockUpdate() {}, lockPreemption() {}, unlockPreemption() {},
};
const intermediateUpdateCallbacks = {
  intermediateUpdate(time, ...flags) {
    updates.push([time, ...flags]);
    return wanted !== null && time >= wanted ? [true, time] : [false, 0];
  },
};
const { instantiate } = await import(pathToFileURL(join(folder, "fmu.js")));
const compiled = name => WebAssembly.compile(readFileSync(join(folder, name)));
const exported = await instantiate(compiled, {
  ...new WASIShim({ sandbox: { preopens: subject ? { "/resources": subject } : {}, enableNetwork: false } }).getImportObject(),
  "fmi:fmi3/callbacks": callbacks,
  "fmi:fmi3/intermediate-update-callbacks": intermediateUpdateCallbacks,
});

const camel = name => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const pascal = name => camel(`-${name}`);
const instances = new Map();

/** Bytes and wide integers as JSON has them. */
const plain = (_, value) => typeof value === "bigint" ? Number(value) : ArrayBuffer.isView(value) ? Array.from(value) : value;
/** Integers of 64 bits are a type of their own in JavaScript. */
const wide = (name, [references, values]) => /^set-u?int64$/.test(name) ? [references, values.map(BigInt)] : [references, values];

function perform([id, interfaceName, name, ...given]) {
  if (interfaceName === "host") { wanted = given[0] ?? null; return null; }
  const inside = exported[camel(interfaceName)] ?? exported[`fmi:fmi3/${interfaceName}@3.0.0`];
  if (interfaceName === "common") return inside[camel(name)]();
  if (name.startsWith("instantiate")) {
    const made = inside[pascal(`${interfaceName}-instance`)][camel(name)](...given);
    if (made !== undefined) instances.set(id, made);
    return made !== undefined;
  }
  const instance = instances.get(id);
  if (name === "drop") { instances.delete(id); instance[Symbol.dispose](); return null; }
  // No value is `undefined` in JavaScript, and null in JSON.
  if (name === "enter-initialization-mode") return instance[camel(name)](...given.map(value => value ?? undefined));
  return instance[camel(name)](...(name.startsWith("set-") && given.length === 2 ? wide(name, given) : given));
}

console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = { ok: perform(JSON.parse(line)) ?? null };
  } catch (error) {
    // The error of a result is thrown as it is, or within an error of jco.
    const refused = typeof error === "string" ? error : error?.payload;
    answer = refused === undefined ? { trap: String(error?.stack ?? error) } : { refused };
  }
  console.log(JSON.stringify({ ...answer, messages, updates }, plain));
  messages = []; updates = [];
}

/* The worker: makes the calls and runs models, so that the page never waits. */

import { Crash, Engine, Refusal } from "./engine.js";

/** The page gets the rows of a run so often, ms. */
const PERIOD = 50;
/** And sees it so often at the most, ms; less often where its numbers take long to gather. */
const LOOK = 200, SHARE = 4;

const page = /** @type {any} */ (self);
/** @type {(said: Said) => void} */
const say = said => page.postMessage(said);

/** @type {Engine} */
let engine;
/** Whether a run goes on. */
let running = false;
/** Whether the page has seen what was shown last. */
let seen = true;
/** Values that the next steps are to have. @type {Value[]} */
let waiting = [];

/** Lets the messages in that have come meanwhile. */
const breath = () => new Promise(resolve => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = resolve;
  port2.postMessage(null);
});

/** Steps until the end, or until the page stops it. */
async function run() {
  let steps = 1, progress = /** @type {Progress | null} */ (null), looked = performance.now(), wait = LOOK;
  running = seen = true;
  while (running && !progress?.done) {
    const begun = performance.now();
    /** @type {Progress} */
    const now = engine.call({ call: "advance", steps, set: waiting }).answer;
    waiting = [];
    progress = now;
    say({ progress });
    const taken = performance.now() - begun;
    steps = Math.min(Math.max(Math.round(steps * PERIOD / Math.max(taken, 0.1)), 1), 4 * steps);
    if (seen && performance.now() - looked > wait && !progress.done) {
      seen = false;
      const first = performance.now();
      say({ shown: engine.call({ call: "show" }) });
      looked = performance.now();
      wait = Math.max(LOOK, SHARE * (looked - first));
    }
    await breath();
  }
  running = false;
  say({ progress: engine.call({ call: "close" }).answer });
  return engine.call({ call: "show" });
}

/** @param {Asked} asked */
async function hear(asked) {
  if ("stop" in asked) { running = false; return; }
  if ("seen" in asked) { seen = true; return; }
  if ("set" in asked) { waiting.push(...asked.set); return; }
  const { id } = asked;
  try {
    if ("run" in asked) waiting = asked.run;
    say({ id, answer: "run" in asked ? await run() : engine.call(asked.request, asked.file) });
  } catch (error) {
    running = false;
    if (error instanceof Refusal) say({ id, refusal: error.message });
    else say({ crash: error instanceof Crash ? error.message : String(error) });
  }
}

/** The module, fetched as it lies in the folder of the page. */
async function load() {
  const packed = await fetch(new URL("studio.wasm.gz", self.location.href));
  if (!packed.ok || !packed.body) throw new Error(`studio.wasm.gz: ${packed.status} ${packed.statusText}`);
  let bytes = new Uint8Array(await packed.arrayBuffer());
  // Some servers unpack it by themselves.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    bytes = new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  }
  engine = await Engine.load(bytes);
}

const loaded = load();
page.onmessage = async (/** @type {MessageEvent<Asked>} */ event) => {
  await loaded.catch(() => {});
  if (engine) await hear(event.data);
};
loaded.then(() => say({ ready: true }), error => say({ crash: String(error) }));

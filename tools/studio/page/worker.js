/* The worker: makes the calls and runs models, so that the page never waits. */

import { XzReadableStream } from "xz-decompress";

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

/**
 * Steps until the end, or until the page stops it.
 * @param {(steps: number) => Progress} next makes so many steps
 * @param {(progress: Progress) => void} [look] is called between
 * @returns {Promise<boolean>} whether it has come to the end
 */
async function steps(next, look) {
  let count = 1, done = false;
  running = true;
  while (running && !done) {
    const begun = performance.now(), progress = next(count);
    ({ done } = progress);
    say({ progress });
    count = Math.min(Math.max(Math.round(count * PERIOD / Math.max(performance.now() - begun, 0.1)), 1), 4 * count);
    if (!done) look?.(progress);
    await breath();
  }
  running = false;
  return done;
}

/** Runs the model, and shows it as it goes. */
async function run() {
  let looked = performance.now(), wait = LOOK;
  seen = true;
  await steps(count => {
    const set = waiting;
    waiting = [];
    return engine.call({ call: "advance", steps: count, set }).answer;
  }, () => {
    if (!seen || performance.now() - looked <= wait) return;
    seen = false;
    const first = performance.now();
    say({ shown: engine.call({ call: "show" }) });
    looked = performance.now();
    wait = Math.max(LOOK, SHARE * (looked - first));
  });
  say({ progress: engine.call({ call: "close" }).answer });
  return engine.call({ call: "show" });
}

/**
 * Studies how the results of the model converge.
 * @param {number} accuracy
 */
async function converge(accuracy) {
  const done = await steps(count => engine.call({ call: "converge", steps: count }).answer);
  return done ? engine.call({ call: "converged", accuracy }) : { answer: { stopped: true }, bytes: new Uint8Array() };
}

/** @param {Asked} asked */
async function hear(asked) {
  if ("stop" in asked) { running = false; return; }
  if ("seen" in asked) { seen = true; return; }
  if ("set" in asked) { waiting.push(...asked.set); return; }
  const { id } = asked;
  try {
    if ("run" in asked) waiting = asked.run;
    say({ id, answer: "run" in asked ? await run() : "converge" in asked ? await converge(asked.converge) : engine.call(asked.request, asked.file) });
  } catch (error) {
    running = false;
    if (error instanceof Refusal) say({ id, refusal: error.message });
    else say({ crash: error instanceof Crash ? error.message : String(error) });
  }
}

/** The module, fetched as it lies in the folder of the page: a third smaller than what browsers unpack by themselves. */
async function load() {
  const packed = await fetch(new URL("studio.wasm.xz", self.location.href));
  if (!packed.ok || !packed.body) throw new Error(`studio.wasm.xz: ${packed.status} ${packed.statusText}`);
  engine = await Engine.load(await new Response(new XzReadableStream(packed.body)).arrayBuffer());
}

const loaded = load();
page.onmessage = async (/** @type {MessageEvent<Asked>} */ event) => {
  await loaded.catch(() => {});
  if (engine) await hear(event.data);
};
loaded.then(() => say({ ready: true }), error => say({ crash: String(error) }));

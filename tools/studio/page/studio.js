/* The page: text on the left, what it becomes on the right. */

import { Client, Lost } from "./client.js";
import { drag, isGiven } from "./drag.js";
import { Editor } from "./editor.js";
import { examples, split } from "./layout.js";
import { TITLES, accuracy, callOf, fields, offerFiles, offerOf, shaken } from "./looks.js";
import { Numbers } from "./numbers.js";
import { download, fmu, libraries } from "./save.js";
import { hashOf, textOf } from "./share.js";
import { Stage } from "./stage.js";

/** A text is checked so long after the last key, ms. */
const PAUSE = 40;
/** What takes longer than this can be stopped by its button, ms. */
const LONG = 400;
/** What is opened when there is nothing else. */
const FIRST = "quick_return";
/** Where the browser keeps the text, so that closing the page loses nothing. */
const KEPT = "coulisse-studio";

/** Whether it is a picture in another page, without its text. */
const live = new URLSearchParams(location.search).has("live");

/** @type {<T extends HTMLElement>(id: string) => T} */
const byId = id => /** @type {any} */ (document.getElementById(id));
/** @type {(attribute: string) => HTMLButtonElement[]} */
const buttons = attribute => [...document.querySelectorAll(`button[data-${attribute}]`)].map(found => /** @type {HTMLButtonElement} */ (found));

/** @type {Schema | null} */
let schema = null;
/** The model without faults that is open in the worker. @type {About | null} */
let about = null;
/** Whether a run has been asked for, so that a slider runs it again. */
let wanted = false;
/** What is looked at. */
let look = "motion";
/** End of the run that the user asks for, s; that of the model where absent. @type {number | undefined} */
let end;
let findings = /** @type {Finding[]} */ ([]);

const stage = new Stage(byId("stage"));
const editor = new Editor(byId("editor"), () => schema, () => soon());
const numbers = new Numbers(byId("sliders"), change);
const client = new Client({
  progress: tell,
  shown: answer => { if (look === "motion") stage.renew(answer); },
  crash: words => {
    running(false);
    about = null;
    say(`The calculation has crashed; the text is kept. ${words}`, true);
  },
});

/**
 * Says something below the page.
 * @param {string} text
 * @param {boolean} [isError]
 */
function say(text, isError = false) {
  byId("status").textContent = text;
  byId("status").classList.toggle("error", isError);
}

/** @param {unknown} error */
const fail = error => error instanceof Lost || say(error instanceof Error ? error.message : String(error), true);

/* ---- Check and draw. ---- */

let timer = 0;
/** Whether the text has changed since it was opened last, and whether it is being opened. */
let stale = false, busy = /** @type {Promise<void> | null} */ (null);

/** Opens the text when the keys rest. */
function soon() {
  clearTimeout(timer);
  timer = setTimeout(() => { renew().catch(fail); }, PAUSE);
}

/** Opens the text as it is; once more where it changes meanwhile. @returns {Promise<void>} */
function renew() {
  clearTimeout(timer);
  stale = true;
  busy ??= (async () => {
    try {
      while (stale) {
        stale = false;
        await client.stop();
        await open();
      }
    } finally { busy = null; }
  })();
  return busy;
}

/** Checks the text and draws its start. */
async function open() {
  const begun = performance.now(), { text } = editor;
  try { if (!live) localStorage.setItem(KEPT, text); } catch { /* A browser may keep nothing. */ }
  /** @type {Subject} */
  const subject = { file: "model.toml", text, set: numbers.values, stop: end };
  /** @type {Opened} */
  let opened;
  try {
    opened = (await client.ask({ call: "open", ...subject })).answer;
  } catch (error) {
    // A slider may ask for what the mechanism cannot be; its text is checked without.
    if (subject.set.length === 0) throw error;
    opened = (await client.ask({ call: "open", ...subject, set: [] })).answer;
    fail(error);
    report(opened.findings);
    return;
  }
  about = opened.about;
  const taken = Math.round(performance.now() - begun);
  report(opened.findings);
  document.body.classList.toggle("faulty", !about);
  byId("run").toggleAttribute("disabled", !about);
  if (!about) { say(`${errors()} in the model`); return; }
  document.title = `${about.name} · coulisse studio`;
  if (document.activeElement !== byId("stop")) /** @type {HTMLInputElement} */ (byId("stop")).value = String(about.stop);
  numbers.show(about.numbers);
  byId("numbers").hidden = about.numbers.length === 0;
  byId("write").hidden = numbers.values.length === 0;
  offerOf(about);
  say(`${about.description ? about.description + " · " : ""}checked and drawn in ${taken} ms`);
  byId("progress").setAttribute("value", "0");
  await draw();
}

/** Shows what is looked at; a study of convergence stays until it is asked for again. */
async function draw() {
  if (!about && look !== "data") return;
  if (look === "motion") return display(await client.ask({ call: "show" }));
  const call = callOf(look);
  if (!call) return;
  const offer = setTimeout(() => running(true), LONG);
  try { await sheet(await client.analyse(call)); } finally {
    clearTimeout(offer);
    running(false);
  }
}

/**
 * Shows the page of what is looked at.
 * @param {Answer} answer
 */
const sheet = ({ bytes }) => stage.show(new TextDecoder().decode(bytes), TITLES[look] ?? look, false);

/**
 * Shows a run as far as it has come: in the page that is there, or in a new one.
 * @param {Answer} shown
 */
async function display(shown) {
  if (look !== "motion" || stage.renew(shown)) return;
  const { bytes } = await client.ask({ call: "page" });
  await stage.show(new TextDecoder().decode(bytes), "Motion and curves", true);
  const inside = stage.frame?.contentDocument;
  if (inside) drag(inside, () => stage.data?.animation ?? { points: [], initial: [] }, name => isGiven(editor.text, name), move);
}

/* ---- Drag. ---- */

/** Where points are dragged to, m. @type {Map<string, [number, number]>} */
const targets = new Map();
let moving = false;

/**
 * Writes where a point is dragged to into the text, and draws it there; the last position waits while one is drawn.
 * @param {string} name
 * @param {number} x in m
 * @param {number} y in m
 */
async function move(name, x, y) {
  targets.set(name, [x, y]);
  if (moving) return;
  moving = true;
  try {
    while (targets.size > 0) {
      const set = /** @type {Value[]} */ ([...targets].flatMap(([point, place]) => place.map((value, k) => [`points.${point}[${k}]`, value])));
      targets.clear();
      const { answer } = await client.ask({ call: "written", file: "model.toml", text: editor.text, set });
      editor.edit(answer.text);
      await renew();
    }
  } catch (error) { fail(error); } finally { moving = false; }
}

/** @returns {string} */
function errors() {
  const count = findings.filter(found => found.severity === "error").length;
  return count === 1 ? "1 fault" : `${count} faults`;
}

/**
 * Lists findings below the text and marks them in it.
 * @param {Finding[]} found
 */
function report(found) {
  findings = found;
  editor.mark(found);
  byId("findings").replaceChildren(...found.map(({ severity, line, column, message }) => {
    const item = document.createElement("li"), button = document.createElement("button"), place = document.createElement("b");
    item.className = severity;
    button.type = "button";
    place.textContent = line > 0 ? `line ${line}: ` : `${severity}: `;
    button.append(place, message);
    button.addEventListener("click", () => { view("text"); if (line > 0) editor.go(line, column); });
    item.append(button);
    return item;
  }));
}

/* ---- Run. ---- */

/** @param {boolean} is */
function running(is) {
  document.body.classList.toggle("running", is);
  byId("run").textContent = is ? "Stop" : "Run";
}

/** @param {Progress} progress */
function tell({ share, words, failure, warnings }) {
  byId("progress").setAttribute("value", String(share));
  if (warnings.length) report([...findings, ...warnings.filter(one => !findings.some(other => other.message === one.message))]);
  if (failure) say(failure, true);
  else if (client.running && words) say(words);
}

/**
 * Does what can be stopped, and says how long it has taken.
 * @param {string} what
 * @param {() => Promise<void | false>} job false where it was stopped
 */
async function work(what, job) {
  const begun = performance.now(), status = byId("status");
  running(true);
  try {
    if (await job() === false) say("Stopped; Run goes on");
    else if (!status.classList.contains("error")) say(`${what} in ${((performance.now() - begun) / 1000).toPrecision(2)} s`);
  } catch (error) {
    fail(error);
    soon();
  } finally {
    running(false);
    byId("progress").setAttribute("value", "0");
  }
}

/** Studies how the results of the model converge. */
async function study() {
  if (!about) return;
  await client.stop();
  view("mechanism");
  await work(`${about.name}: convergence studied`, async () => {
    const found = await client.converge(accuracy());
    if (found.answer?.stopped) return false;
    if (look === "convergence") await sheet(found);
  });
}

/**
 * Runs the model from its start.
 * @param {boolean} [plays] whether the motion is shown from its begin when it is there
 */
async function run(plays = true) {
  if (callOf(look)) mark("motion");
  await renew();
  if (!about) {
    const first = findings.find(found => found.severity === "error");
    if (first) editor.go(first.line, first.column);
    return;
  }
  if (look === "convergence") return study();
  wanted = true;
  if (plays) view("mechanism");
  await work(`${about.name}: run`, async () => {
    await display(await client.run([]));
    /** @type {HTMLElement | null | undefined} */
    const play = stage.frame?.contentDocument?.getElementById("play");
    if (plays && !stage.frame?.contentDocument?.body.classList.contains("playing")) play?.click();
  });
}

/**
 * A slider has moved.
 * @param {string} name
 * @param {number} value
 * @param {boolean} is_input
 */
function change(name, value, is_input) {
  byId("write").hidden = numbers.values.length === 0;
  if (is_input && client.running) { client.set([[name, value]]); return; }
  if (wanted && look === "motion") again(); else soon();
}

/** Runs once more with the values of the sliders, as soon as the last run has stopped. */
function again() {
  clearTimeout(timer);
  timer = setTimeout(() => { run(false).catch(fail); }, PAUSE);
}

/* ---- Files. ---- */

/**
 * Opens the text of another model.
 * @param {string} text
 */
async function load(text) {
  await client.stop();
  numbers.set.clear();
  numbers.shown = "";
  wanted = false;
  end = undefined;
  editor.open(text);
  await renew();
}

/**
 * Opens a bundled model.
 * @param {string} name
 */
async function bundled(name) {
  await client.stop();
  client.files.clear();
  const { answer } = await client.ask({ call: "model", name });
  if (look === "data") await choose("motion");
  await load(answer.text);
  offerFiles((await client.ask({ call: "files" })).answer);
}

/**
 * Opens files: a model, and data files under the names by which the model calls them. A file that the model does not name is shown as a record.
 * @param {File[]} files
 */
async function take(files) {
  const model = files.find(file => /\.toml$/i.test(file.name)), text = model ? await model.text() : editor.text;
  let unnamed = "";
  if (model) { await client.stop(); client.files.clear(); await client.ask({ call: "clear" }); }
  for (const file of files) {
    if (file === model) continue;
    const escaped = file.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const called = new RegExp(`["']([^"'\\n]*/)?${escaped}["']`).exec(text);
    if (!called) unnamed = file.name;
    await client.keep((called?.[1] ?? "") + file.name, new Uint8Array(await file.arrayBuffer()));
  }
  offerFiles((await client.ask({ call: "files" })).answer, unnamed);
  if (unnamed && !model) { view("mechanism"); return choose("data"); }
  await (model ? load(text) : renew());
}

/** Writes a motion of all supports by the record that is shown into the text. */
function shake() {
  editor.edit(shaken(editor.text));
  view("text");
  choose("motion").catch(fail);
}

/** @type {Record<string, (name: string) => Promise<void>>} */
const savers = {
  async model(name) { download(editor.text, "application/toml", `${name}.toml`); },
  async fmu(name) {
    say("Packing");
    download(await fmu(client, editor.text), "application/zip", `${name}.fmu`);
    await renew();
    say(numbers.values.length ? `${name}.fmu has the values of the text, not those of the sliders` : `${name}.fmu is saved`);
  },
  async rows(name) { download((await client.ask({ call: look === "motion" ? "rows" : "table" })).bytes, "text/csv", `${name}.csv`); },
  async picture(name) {
    const picture = await stage.png();
    if (picture) download(picture, "image/png", `${name}.png`);
  },
  async gif(name) {
    say("Drawing the motion");
    download((await client.ask({ call: "gif" })).bytes, "image/gif", `${name}.gif`);
    say(`${name}.gif is saved`);
  },
  async page(name) { download(look === "motion" ? (await client.ask({ call: "page" })).bytes : stage.html, "text/html", `${name}.html`); },
};

async function share() {
  const hash = await hashOf(editor.text);
  history.replaceState(null, "", hash);
  try {
    await navigator.clipboard.writeText(location.href);
    say(`The link is copied: ${Math.ceil(location.href.length / 1000)} kB${client.files.size ? "; it holds the text without data files" : ""}`);
  } catch {
    say("The address of this page holds the model now");
  }
}

/* ---- Controls. ---- */

/** @param {string} next what is looked at from now on */
function mark(next) {
  look = next;
  fields(look);
  for (const button of buttons("look")) button.setAttribute("aria-pressed", String(button.dataset.look === look));
}

/** @param {string} next what is looked at, and shown */
async function choose(next) {
  const waits = client.running && callOf(look) !== null;
  mark(next);
  // An analysis that is on its way makes room.
  await (waits ? renew() : look === "convergence" ? study() : draw());
}

/** @param {string} next the part that a narrow page shows */
function view(next) {
  document.body.dataset.view = next;
  for (const button of document.querySelectorAll("#views button")) {
    button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.view === next));
  }
}

/** The bundled models. @returns {Promise<Listed[]>} */
const listed = async () => (await client.ask({ call: "models" })).answer;

/** Stops what is on its way, an analysis for the motion; or runs. */
const toggle = () => { (!client.running ? run() : callOf(look) ? choose("motion") : client.stop()).catch(fail); };

byId("run").addEventListener("click", toggle);
byId("examples-open").addEventListener("click", () => { examples(listed, name => bundled(name).catch(fail)).catch(fail); });
byId("open").addEventListener("click", () => byId("files").click());
byId("files").addEventListener("change", () => {
  /** @type {HTMLInputElement} */
  const input = byId("files");
  take([...input.files ?? []]).catch(fail);
  input.value = "";
});
byId("share").addEventListener("click", () => { share().catch(fail); });
byId("stop").addEventListener("change", () => {
  const value = Number(/** @type {HTMLInputElement} */ (byId("stop")).value);
  end = value > 0 ? value : undefined;
  if (wanted) again(); else soon();
});
byId("write").addEventListener("click", async () => {
  try {
    const { answer } = await client.ask({ call: "written", file: "model.toml", text: editor.text, set: numbers.values });
    numbers.set.clear();
    editor.edit(answer.text);
  } catch (error) { fail(error); }
});
for (const button of buttons("save")) button.addEventListener("click", () => {
  /** @type {HTMLDetailsElement} */ (byId("save")).open = false;
  savers[button.dataset.save ?? ""](about?.name ?? "model").catch(fail);
});
for (const button of buttons("look")) button.addEventListener("click", () => { choose(button.dataset.look ?? "motion").catch(fail); });
byId("fields").addEventListener("change", () => { (look === "convergence" ? study() : draw()).catch(fail); });
byId("shake").addEventListener("click", shake);
for (const button of document.querySelectorAll("#views button")) {
  button.addEventListener("click", () => view(/** @type {HTMLElement} */ (button).dataset.view ?? "text"));
}
document.addEventListener("click", event => {
  const menu = /** @type {HTMLDetailsElement} */ (byId("save"));
  if (menu.open && !menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
});
document.addEventListener("keydown", event => {
  if (!(event.ctrlKey || event.metaKey)) return;
  if (event.key === "Enter") toggle();
  else if (event.key === "s") savers.model(about?.name ?? "model");
  else return;
  event.preventDefault();
  event.stopPropagation();
}, { capture: true });
addEventListener("dragover", event => { event.preventDefault(); document.body.classList.add("dropping"); });
addEventListener("dragleave", event => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
addEventListener("drop", event => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  take([...event.dataTransfer?.files ?? []]).catch(fail);
});
addEventListener("hashchange", async () => {
  const text = await textOf(location.hash);
  if (text !== null && text !== editor.text) load(text).catch(fail);
});
document.body.classList.toggle("live", live);
// A telephone has no room for all at once.
if (innerWidth < 860) byId("numbers").removeAttribute("open");
split();
libraries.then(list => { byId("platforms").textContent = list.map(({ platform }) => platform).join(", ") || "no library"; });

/** The text to begin with: that of the address, that of the last time, or a bundled one. */
async function begin() {
  const name = new URLSearchParams(location.search).get("model"), shared = await textOf(location.hash);
  let kept = null;
  try { kept = localStorage.getItem(KEPT); } catch { /* A browser may keep nothing. */ }
  if (shared !== null) await load(shared);
  else if (name) await bundled(name);
  else if (kept) await load(kept);
  else await bundled(FIRST);
  // A picture in another page.
  if (live) await run();
  schema = JSON.parse(new TextDecoder().decode((await client.ask({ call: "schema" })).bytes));
}
begin().catch(fail);

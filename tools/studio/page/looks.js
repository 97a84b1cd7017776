/* What is looked at beside the motion: the fields of each, and the call that they make. */

import { namesIn } from "./schema.js";

/** Modes that are shown. */
const MODES = 10;

/** What is shown under each name, for readers of screens. @type {Record<string, string>} */
export const TITLES = {
  modes: "Modes", statics: "Equilibria", friction: "Friction laws", convergence: "Convergence", jamming: "Jamming", data: "Data file",
};

/** @type {<T extends HTMLElement>(id: string) => T} */
const byId = id => /** @type {any} */ (document.getElementById(id));

/** The number in a field; undefined where it is empty. @type {(id: string) => number | undefined} */
const number = id => {
  const { value } = /** @type {HTMLInputElement} */ (byId(id));
  return value === "" || !Number.isFinite(Number(value)) ? undefined : Number(value);
};

/** What is chosen; undefined where it is nothing. @type {(id: string) => string | undefined} */
const chosen = id => /** @type {HTMLSelectElement} */ (byId(id)).value || undefined;

/**
 * Gives a choice other values; one that stays chosen is kept.
 * @param {string} id
 * @param {string[]} values
 * @param {string} [none] what stands for no choice
 */
function offer(id, values, none) {
  const select = /** @type {HTMLSelectElement} */ (byId(id)), { value } = select;
  select.replaceChildren(...(none === undefined ? [] : [new Option(none, "")]), ...values.map(own => new Option(own, own)));
  if ([...select.options].some(option => option.value === value)) select.value = value;
}

/** Shows the fields of what is looked at. @param {string} look */
export function fields(look) {
  for (const set of document.querySelectorAll("#fields fieldset")) {
    /** @type {HTMLElement} */ (set).hidden = /** @type {HTMLElement} */ (set).dataset.of !== look;
  }
}

/** Offers what a model has. @param {About} about */
export function offerOf({ contacts, numbers, has_diagrams, stop }) {
  // Loads have grown by the end of a run.
  /** @type {HTMLInputElement} */ (byId("loads-time")).placeholder = String(stop);
  byId("diagram-field").hidden = !has_diagrams;
  if (!has_diagrams) /** @type {HTMLSelectElement} */ (byId("diagram")).value = "";
  offer("limit-contact", contacts);
  offer("limit-number", numbers.filter(number => !number.is_input && !number.is_truth).map(({ name }) => name), "none");
  byId("limit-fields").hidden = contacts.length === 0;
}

/** Offers data files that may be records. @param {string[]} files @param {string} [last] the one that is chosen */
export function offerFiles(files, last) {
  const names = files.filter(name => !/\.(msh|dxf)$/i.test(name));
  offer("data-file", names);
  if (last) /** @type {HTMLSelectElement} */ (byId("data-file")).value = last;
  byId("data-look").hidden = names.length === 0;
}

/** Accuracy that a study of convergence looks for, as a part of the ranges of outputs. */
export const accuracy = () => (number("accuracy") ?? 1) / 100;

/**
 * A text with a motion of all supports by the record that is looked at.
 * @param {string} text
 */
export function shaken(text) {
  const supports = namesIn(text).filter(({ section }) => section === "supports").map(({ name }) => `"${name}"`);
  return `${text.trimEnd()}

[motions.ground]
supports = [${supports.join(", ")}]
direction = "x"
record = { file = "${chosen("data-file") ?? ""}", baseline = "rest" }
`;
}

/**
 * The call that what is looked at makes; null of what takes none.
 * @param {string} look
 * @returns {Call | null}
 */
export function callOf(look) {
  switch (look) {
    case "modes": return { call: "analyse", what: "modes", count: MODES };
    case "statics": return { call: "analyse", what: "statics", to: number("statics-to"), diagram: chosen("diagram") };
    case "friction": return { call: "analyse", what: "friction", normal_force: number("normal-force") };
    case "jamming": {
      const name = chosen("limit-number"), from = number("limit-from"), to = number("limit-to");
      const limit = /** @type {[string, number, number] | undefined} */ (name && from !== undefined && to !== undefined ? [name, from, to] : undefined);
      const { checked } = /** @type {HTMLInputElement} */ (byId("limit-backwards"));
      const time = number("loads-time") ?? Number(/** @type {HTMLInputElement} */ (byId("loads-time")).placeholder);
      return { call: "analyse", what: "jamming", time, limit, contact: limit && chosen("limit-contact"), backwards: checked };
    }
    case "data": return { call: "record", name: chosen("data-file") ?? "" };
    default: return null;
  }
}

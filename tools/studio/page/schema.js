/* Where in the model file a place is, and what the schema says of it. */

/** Lines above a place that may belong to its statement. */
const MOST_LINES = 200;

/**
 * @typedef {object} Place
 * @property {string[]} path keys that lead to the table around it
 * @property {string | null} key the key whose value it is in; null where a key stands or is expected
 */

/** Marks of TOML that matter here: keys and strings, brackets, signs. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|#[^\n]*|[A-Za-z0-9_-]+|[[\]{}=,.]|\n/g;

/** @type {(token: string) => string} */
const bare = token => token.replace(/^["']|["']$/g, "");

/**
 * The place at the end of a text.
 * @param {string} text
 * @returns {Place}
 */
export function placeAt(text) {
  const lines = text.split("\n");
  /** Keys of the last heading. @type {string[]} */
  let table = [];
  let first = 0;
  for (let k = lines.length - 2; k >= 0; k--) {
    const heading = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$/.exec(lines[k]);
    // A line of a list looks like one, but has no key before a bracket.
    if (heading && !/[,"]/.test(heading[1].replace(/"[^"]*"/g, ""))) {
      table = heading[1].split(".").map(part => bare(part.trim()));
      first = k + 1;
      break;
    }
  }
  first = Math.max(first, lines.length - MOST_LINES);
  /** Brackets that are open, with what is around each. @type {{ bracket: string, path: string[], keys: string[], value: boolean }[]} */
  const stack = [];
  let path = table, keys = /** @type {string[]} */ ([]), value = false;
  for (const [token] of lines.slice(first).join("\n").matchAll(TOKEN)) {
    if (token.startsWith("#")) continue;
    if (token === "{" || token === "[") {
      stack.push({ bracket: token, path, keys, value });
      if (token === "{") { path = [...path, ...keys]; keys = []; value = false; }
    } else if (token === "}" || token === "]") {
      const around = stack.pop();
      if (around) ({ path, keys, value } = around);
    } else if (token === "=") value = true;
    else if (token === "," || token === "\n") {
      const inside = stack.at(-1)?.bracket;
      if (token === "," ? inside === "{" : inside === undefined) { keys = []; value = false; }
    } else if (token !== "." && !value) keys = [...keys, bare(token)];
  }
  // What is being written is no key yet; "a.b" leads into a.
  if (value) return { path: [...path, ...keys.slice(0, -1)], key: keys.at(-1) ?? null };
  const written = /[A-Za-z0-9_-]$/.test(text) ? keys.slice(0, -1) : keys;
  return { path: [...path, ...written], key: null };
}

/**
 * Forms that a schema has besides its own.
 * @param {Schema} schema
 * @returns {Schema[]}
 */
const forms = schema => [schema, ...(schema.anyOf ?? []).flatMap(forms), ...(schema.oneOf ?? []).flatMap(forms)];

/**
 * What the schema says of a path.
 * @param {Schema} schema
 * @param {string[]} path
 * @returns {Schema | null}
 */
export function at(schema, path) {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  for (const form of forms(schema)) {
    const others = typeof form.additionalProperties === "object" ? form.additionalProperties : undefined;
    const next = form.properties?.[key] ?? others ?? (form.items && at(form.items, path));
    const found = next && (next === form.items ? next : at(next, rest));
    if (found) return found;
  }
  return null;
}

/**
 * Keys of a table with what each is.
 * @param {Schema} schema
 * @returns {[string, Schema][]}
 */
export const keysOf = schema => forms(schema).flatMap(form => Object.entries(form.properties ?? {}).concat(form.items ? keysOf(form.items) : []));

/**
 * Values that a key may have, where they are few.
 * @param {Schema} schema
 * @returns {string[]}
 */
export function valuesOf(schema) {
  const all = forms(schema), choices = all.flatMap(form => [...form.enum ?? [], ...form.items?.enum ?? []]);
  const truths = all.some(form => [form.type].flat().includes("boolean")) ? [true, false] : [];
  return [...new Set([...choices, ...truths].map(value => JSON.stringify(value)))];
}

/**
 * A key in words: its text, and what stands where it is left out.
 * @param {Schema} schema
 * @returns {string}
 */
export function words(schema) {
  const parts = [schema.description ?? ""];
  if (schema.default !== undefined) parts.push(`Default: ${JSON.stringify(schema.default)}`);
  const limits = [
    schema.minimum !== undefined ? `from ${schema.minimum}` : schema.exclusiveMinimum !== undefined ? `above ${schema.exclusiveMinimum}` : "",
    schema.maximum !== undefined ? `to ${schema.maximum}` : schema.exclusiveMaximum !== undefined ? `below ${schema.exclusiveMaximum}` : "",
  ].filter(Boolean);
  if (limits.length) parts.push(limits.join(" "));
  return parts.filter(Boolean).join("\n");
}

/**
 * Names that the entries of a model file have, with their sections.
 * @param {string} text
 * @returns {{ name: string, section: string }[]}
 */
export function namesIn(text) {
  let section = "";
  const names = [];
  for (const line of text.split("\n")) {
    const heading = /^\s*\[([A-Za-z_]+)(?:\.([A-Za-z0-9_-]+))?[.\]]/.exec(line), entry = /^\s*([A-Za-z0-9_-]+)\s*[.=]/.exec(line);
    if (heading) {
      section = heading[2] ? "" : heading[1];
      if (heading[2]) names.push({ name: heading[2], section: heading[1] });
    } else if (entry && section) names.push({ name: entry[1], section });
  }
  return names;
}

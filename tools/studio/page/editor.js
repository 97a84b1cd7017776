/* The editor: CodeMirror, with what the schema and the checker know. */

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { at, keysOf, namesIn, placeAt, valuesOf, words } from "./schema.js";

/** Colours are those of the page, which know light and dark. */
const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--number)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--key)" },
  { tag: [tags.atom, tags.heading, tags.keyword], color: "var(--heading)", fontWeight: "600" },
]);

const looks = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--paper)", fontSize: "13.5px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection) !important" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--text)", border: "1px solid var(--grid)", borderRadius: "6px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--paper)" },
  ".cm-panels": { backgroundColor: "var(--card)", color: "var(--text)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", maxWidth: "36rem" },
});

/** @typedef {import("@codemirror/autocomplete").CompletionContext} Context */

/**
 * Completes keys, values and names.
 * @param {() => Schema | null} schemaOf
 */
const completion = schemaOf => (/** @type {Context} */ context) => {
  const schema = schemaOf(), word = context.matchBefore(/"?[A-Za-z0-9_-]*/);
  if (!schema || !word || (word.from === word.to && !context.explicit)) return null;
  const before = context.state.doc.sliceString(0, context.pos), heading = /(?:^|\n)\s*\[([A-Za-z0-9_.]*)$/.exec(before);
  if (heading) {
    const around = at(schema, heading[1].split(".").slice(0, -1));
    const options = around ? keysOf(around).map(([label, key]) => ({ label, type: "class", info: words(key) })) : [];
    return { from: word.from, options, validFor: /^[A-Za-z0-9_-]*$/ };
  }
  const { path, key } = placeAt(before);
  if (key === null) {
    const around = at(schema, path);
    if (!around) return null;
    const options = keysOf(around).map(([label, own]) => ({
      label, type: "property", info: words(own), boost: around.required?.includes(label) ? 1 : 0,
    }));
    return { from: word.from, options, validFor: /^[A-Za-z0-9_-]*$/ };
  }
  const own = at(schema, [...path, key]);
  const choices = own ? valuesOf(own).map(label => ({ label, type: "enum" })) : [];
  const names = namesIn(context.state.doc.toString()).map(({ name, section }) => ({ label: `"${name}"`, detail: section, type: "variable" }));
  return { from: word.from, options: choices.length ? choices : names, validFor: /^"?[A-Za-z0-9_-]*$/ };
};

/**
 * Shows what a key means.
 * @param {() => Schema | null} schemaOf
 */
const meaning = schemaOf => hoverTooltip((view, pos) => {
  const schema = schemaOf(), line = view.state.doc.lineAt(pos), column = pos - line.from;
  const found = [...line.text.matchAll(/[A-Za-z0-9_-]+/g)].find(({ index, 0: text }) => index <= column && column <= index + text.length);
  if (!schema || !found) return null;
  const end = line.from + found.index + found[0].length, before = view.state.doc.sliceString(0, end);
  const heading = /(?:^|\n)\s*\[\[?([A-Za-z0-9_.-]+)$/.exec(before);
  const place = heading ? { path: heading[1].split("."), key: null } : placeAt(before);
  const path = heading ? place.path : place.key === null ? [...place.path, found[0]] : null;
  const text = path && at(schema, path), told = text ? words(text) : "";
  if (!path || !told) return null;
  return {
    pos: line.from + found.index, end, above: true,
    create() {
      const dom = document.createElement("div"), name = document.createElement("strong");
      dom.className = "meaning";
      name.textContent = path.join(".");
      dom.append(name, "\n" + told);
      return { dom };
    },
  };
});

export class Editor {
  /**
   * @param {HTMLElement} parent
   * @param {() => Schema | null} schemaOf
   * @param {(text: string) => void} changed
   */
  constructor(parent, schemaOf, changed) {
    this.extensions = [
      lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(), bracketMatching(), closeBrackets(),
      highlightActiveLine(), highlightSelectionMatches(), search({ top: true }), lintGutter(),
      StreamLanguage.define(toml), syntaxHighlighting(colours), looks,
      autocompletion({ override: [completion(schemaOf)] }), meaning(schemaOf),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "Model file" }),
      EditorView.updateListener.of(update => { if (update.docChanged) changed(this.text); }),
    ];
    this.view = new EditorView({ parent, state: this.state("") });
  }

  /** @param {string} doc */
  state(doc) {
    return EditorState.create({ doc, extensions: this.extensions });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /**
   * Shows another file; what was done to the last one cannot be undone in it.
   * @param {string} text
   */
  open(text) {
    this.view.setState(this.state(text));
  }

  /**
   * Puts another text in place of the present one, as an edit that can be undone: only lines that differ change.
   * @param {string} text
   */
  edit(text) {
    const old = this.text;
    let from = 0, end = 0;
    while (from < Math.min(old.length, text.length) && old[from] === text[from]) from++;
    while (end < Math.min(old.length, text.length) - from && old.at(-1 - end) === text.at(-1 - end)) end++;
    this.view.dispatch({ changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) } });
  }

  /**
   * Marks findings in the text.
   * @param {Finding[]} findings
   */
  mark(findings) {
    const { doc } = this.view.state;
    /** @type {(line: number, column: number) => number} */
    const place = (line, column) => {
      const { from, to, text } = doc.line(Math.min(line, doc.lines));
      // Columns count letters, places in the text halves of letters beyond the first plane.
      return Math.min(from + [...text].slice(0, column - 1).join("").length, to);
    };
    const marks = findings.filter(found => found.line > 0).map(({ line, column, end_line, end_column, severity, message }) => {
      const from = place(line, Math.max(column, 1));
      return { from, to: Math.max(end_line > 0 ? place(end_line, end_column) : from, from), severity, message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /**
   * Goes to a line.
   * @param {number} line from 1
   * @param {number} column
   */
  go(line, column) {
    const { doc } = this.view.state, { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.view.dispatch({ selection: { anchor: Math.min(from + Math.max(column - 1, 0), to) }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.view.focus();
  }
}

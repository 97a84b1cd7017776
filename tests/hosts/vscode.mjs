/* An editor with what the extension asks of Visual Studio Code, and no more:
 *
 *     node vscode.mjs EXTENSION FOLDER COMMAND TEXT
 *
 * opens FOLDER/swing.toml and FOLDER/other.toml, shows the mechanism, saves TEXT and then what was there before, and prints
 * what it has seen each time as JSON. */

import { createRequire } from "node:module";
import Module from "node:module";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [extension, folder, command, wrong] = process.argv.slice(2);
const storage = join(folder, "storage"), errors = [], faults = new Map(), commands = new Map(), settings = {};
const on = {};
const event = name => listener => { on[name] = listener; return { dispose() {} }; };
const uri = path => ({ scheme: "file", fsPath: path, toString: () => `file://${path}` });
let panel = null, editor = undefined;

const vscode = {
  Range: class { constructor(...numbers) { this.numbers = numbers; } },
  Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2 },
  ViewColumn: { Beside: -2 },
  ConfigurationTarget: { Global: 1 },
  Uri: { file: uri, parse: text => ({ text }) },
  extensions: { getExtension: name => (name === "tamasfe.even-better-toml" ? {} : undefined) },
  languages: { createDiagnosticCollection: () => ({ set: (at, list) => faults.set(String(at), list), delete: at => faults.delete(String(at)) }) },
  workspace: {
    textDocuments: [],
    getConfiguration: section => ({
      get: (name, otherwise) => (section === "coulisse" ? command : settings[name] ?? otherwise),
      update: async (name, value) => { settings[name] = value; },
    }),
    onDidOpenTextDocument: event("open"), onDidSaveTextDocument: event("save"), onDidCloseTextDocument: event("close"),
  },
  window: {
    get activeTextEditor() { return editor; },
    onDidChangeActiveTextEditor: event("active"),
    showErrorMessage: text => { errors.push(text); },
    createWebviewPanel: () => (panel = { webview: { html: "" }, onDidDispose: () => {}, reveal: () => {} }),
  },
  commands: { registerCommand: (name, call) => { commands.set(name, call); return { dispose() {} }; }, executeCommand: async () => {} },
  env: { openExternal: () => {} },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

const document = name => {
  const path = join(folder, name);
  return { fileName: path, languageId: "toml", uri: uri(path), save: async () => true, lineAt: () => ({ text: readFileSync(path, "utf8").split("\n")[0] }) };
};
const pairs = ([a, b, c, d]) => [[a, b], [c, d]];
const seen = at => ({
  faults: (faults.get(String(at.uri)) ?? []).map(found => ({ ...found, range: pairs(found.range.numbers) })), page: panel?.webview.html ?? "",
});

const model = document("swing.toml"), context = { subscriptions: [], globalStorageUri: uri(storage) };
createRequire(import.meta.url)(join(extension, "extension.js")).activate(context);
const result = { errors };
await on.open(model);
if (existsSync(join(folder, "other.toml"))) {
  const other = document("other.toml");
  await on.open(other);
  result.other = faults.get(String(other.uri)) ?? null;
}
editor = { document: model };
await commands.get("coulisse.preview")();
result.opened = seen(model);
if (wrong) {
  const sound = readFileSync(model.fileName, "utf8");
  for (const [state, text] of [["broken", wrong], ["mended", sound]]) {
    writeFileSync(model.fileName, text);
    await on.save(model);
    result[state] = seen(model);
  }
  result.schema = JSON.parse(readFileSync(new URL(Object.values(settings.associations)[0]), "utf8"));
}
console.log(JSON.stringify(result));

/* Faults of model files, and the mechanism beside the text; all of it is calculated by the command coulisse. */

const { execFile, spawn } = require("node:child_process");
const { mkdirSync, readFileSync } = require("node:fs");
const { basename, dirname, join } = require("node:path");
const vscode = require("vscode");

/** @typedef {{ file: string, line: number, column: number, end_line: number, end_column: number, severity: string, message: string }} Finding */
/** @typedef {{ code: number | null, out: string, error: string }} Done */

/** A model names its schema in its first line, or is called *.coulisse.toml. @param {import("vscode").TextDocument} document */
function isModel(document) {
  if (document.languageId !== "toml" || document.uri.scheme !== "file") return false;
  return document.fileName.endsWith(".coulisse.toml") || /^#:schema\s+\S*coulisse\.schema\.json/.test(document.lineAt(0).text);
}

/** Calls of the command under way, by what they are for: the next of a kind ends the one before. @type {Map<string, AbortController>} */
const underWay = new Map();

const program = () => vscode.workspace.getConfiguration("coulisse").get("command", "coulisse");

/** Calls the command in a folder; undefined where another call has taken its place.
 * @param {string} what @param {string} folder @param {string[]} words @returns {Promise<Done | undefined>} */
function call(what, folder, words) {
  underWay.get(what)?.abort();
  const control = new AbortController();
  underWay.set(what, control);
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, signal: control.signal, maxBuffer: 1 << 28 };
    const child = execFile(program(), words, options, (error, out, said) => {
      if (underWay.get(what) === control) underWay.delete(what);
      if (control.signal.aborted) return resolve(undefined);
      if (error && child.pid === undefined) return reject(new Error(`${program()}: ${error.message}; name the command in the setting coulisse.command`));
      resolve({ code: child.exitCode, out, error: said });
    });
  });
}

/** Shows what went wrong. @param {unknown} error */
const complain = error => { vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error)); };

/** Where a finding is; one that belongs to no line stands at the first. @param {Finding} found */
function range(found) {
  const number = (/** @type {number} */ one) => Math.max(one - 1, 0);
  const [line, column] = [number(found.line), number(found.column)];
  return found.end_line ? new vscode.Range(line, column, number(found.end_line), number(found.end_column)) : new vscode.Range(line, column, line, 1000);
}

/** Puts the faults of a model under its text. @param {import("vscode").TextDocument} document @param {import("vscode").DiagnosticCollection} faults */
async function check(document, faults) {
  const done = await call(`check ${document.uri}`, dirname(document.fileName), ["check", "--format", "json", document.fileName]);
  if (!done) return;
  /** @type {Finding[]} */
  let findings;
  try { findings = JSON.parse(done.out); } catch { throw new Error(done.error.trim() || `${program()} check: no findings`); }
  const kinds = { error: vscode.DiagnosticSeverity.Error, warning: vscode.DiagnosticSeverity.Warning };
  faults.set(document.uri, findings.map(found => {
    const kind = kinds[/** @type {keyof typeof kinds} */ (found.severity)] ?? vscode.DiagnosticSeverity.Information;
    const shown = new vscode.Diagnostic(range(found), found.message, kind);
    shown.source = "coulisse";
    return shown;
  }));
}

/** The page of a run beside the text, anew at every save. */
class Preview {
  /** @param {import("vscode").TextDocument} document @param {string} folder of files that may go @param {() => void} closed */
  constructor(document, folder, closed) {
    this.document = document;
    this.page = join(folder, `${process.pid}-${basename(document.fileName)}.html`);
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.panel = vscode.window.createWebviewPanel("coulisse.preview", basename(document.fileName), place, { enableScripts: true, localResourceRoots: [] });
    this.panel.onDidDispose(() => { underWay.get(this.page)?.abort(); closed(); });
  }

  async draw() {
    const { fileName } = this.document;
    const done = await call(this.page, dirname(fileName), ["run", fileName, "--html", this.page]);
    // Where the model has faults, the last picture stays: they stand under the text.
    if (done && done.code === 0) this.panel.webview.html = readFileSync(this.page, "utf8");
    else if (done && !this.panel.webview.html) this.panel.webview.html = `<pre>${escaped(done.error)}</pre>`;
  }
}

/** @param {string} text */
const escaped = text => text.replace(/[&<]/g, sign => (sign === "&" ? "&amp;" : "&lt;"));

/** Opens the studio, which the command serves until the editor ends. @param {import("vscode").TextDocument} document
 * @returns {import("vscode").Disposable} */
function studio(document) {
  const served = spawn(program(), ["studio", document.fileName, "--no-browser"], { cwd: dirname(document.fileName) });
  let said = "", shown = false;
  served.stdout.on("data", chunk => {
    said += chunk;
    const address = /^http:\S+$/m.exec(said)?.[0];
    if (address && said.includes("\n") && !shown) { shown = true; vscode.env.openExternal(vscode.Uri.parse(address)); }
  });
  let fault = "";
  served.stderr.on("data", chunk => { fault += chunk; });
  served.on("error", complain);
  served.on("exit", () => { if (fault) complain(fault.trim()); });
  return { dispose: () => served.kill() };
}

/** Lets Even Better TOML complete models that name no schema, by the schema of the command. @param {string} folder */
async function associate(folder) {
  if (!vscode.extensions.getExtension("tamasfe.even-better-toml")) return;
  const file = join(folder, "coulisse.schema.json");
  const done = await call("schema", folder, ["schema", "-o", file]);
  if (!done || done.code !== 0) return;
  const settings = vscode.workspace.getConfiguration("evenBetterToml.schema"), models = ".*\\.coulisse\\.toml$";
  /** @type {Record<string, string>} */
  const known = settings.get("associations") ?? {}, schema = vscode.Uri.file(file).toString();
  if (known[models] !== schema) await settings.update("associations", { ...known, [models]: schema }, vscode.ConfigurationTarget.Global);
}

/** @param {import("vscode").ExtensionContext} context */
function activate(context) {
  const folder = context.globalStorageUri.fsPath;
  mkdirSync(folder, { recursive: true });
  const faults = vscode.languages.createDiagnosticCollection("coulisse");
  /** @type {Map<string, Preview>} */
  const previews = new Map();
  const preview = async (/** @type {import("vscode").TextDocument} */ document) => {
    const key = document.uri.toString();
    const open = previews.get(key) ?? new Preview(document, folder, () => previews.delete(key));
    previews.set(key, open);
    open.panel.reveal(undefined, true);
    await open.draw();
  };
  const checked = async (/** @type {import("vscode").TextDocument} */ document) => {
    if (isModel(document)) await check(document, faults);
  };
  const saved = async (/** @type {import("vscode").TextDocument} */ document) => {
    await Promise.all([checked(document), previews.get(document.uri.toString())?.draw()]);
  };
  const mark = () => {
    const document = vscode.window.activeTextEditor?.document;
    return vscode.commands.executeCommand("setContext", "coulisse.model", document !== undefined && isModel(document));
  };
  /** A command about the text in the editor. @param {string} name @param {(document: import("vscode").TextDocument) => unknown} perform */
  const command = (name, perform) => vscode.commands.registerCommand(name, async () => {
    const document = vscode.window.activeTextEditor?.document;
    if (document) try { await document.save(); await perform(document); } catch (error) { complain(error); }
  });
  context.subscriptions.push(
    faults,
    vscode.workspace.onDidOpenTextDocument(document => checked(document).catch(complain)),
    vscode.workspace.onDidSaveTextDocument(document => saved(document).catch(complain)),
    vscode.workspace.onDidCloseTextDocument(document => faults.delete(document.uri)),
    vscode.window.onDidChangeActiveTextEditor(mark),
    command("coulisse.preview", preview),
    command("coulisse.studio", document => { context.subscriptions.push(studio(document)); }),
    { dispose: () => underWay.forEach(control => control.abort()) },
  );
  mark();
  associate(folder).catch(complain);
  vscode.workspace.textDocuments.forEach(document => checked(document).catch(complain));
}

module.exports = { activate };

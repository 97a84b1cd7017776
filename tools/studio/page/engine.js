/* The module: calls in JSON with bytes behind it. Knows nothing of pages, and runs in Node.js as well. */

/** Bytes of the length of the JSON. */
const HEAD = 4;

/**
 * What an answer's JSON says of a call that was refused.
 */
export class Refusal extends Error {}

/** What ended the module; nothing can be asked of it any more. */
export class Crash extends Error {}

export class Engine {
  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.exports = /** @type {Exports} */ (/** @type {any} */ (instance.exports));
  }

  /**
   * Loads the module.
   * @param {BufferSource} bytes
   * @returns {Promise<Engine>}
   */
  static async load(bytes) {
    const module = await WebAssembly.compile(bytes);
    /** What packages ask of a browser, as chance for passwords of archives, and nothing calls. @type {WebAssembly.Imports} */
    const imports = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      if (kind !== "function") throw new Error(`${from}.${name}: a ${kind}; functions alone are given`);
      (imports[from] ??= {})[name] = () => { throw new Error(`${name} is not there`); };
    }
    return new Engine(await WebAssembly.instantiate(module, imports));
  }

  /**
   * Makes a call.
   * @param {Call} request
   * @param {Uint8Array} [file] bytes of a file
   * @returns {Answer}
   */
  call(request, file = new Uint8Array()) {
    const { memory, room, call, answer, last_words } = this.exports;
    /** @type {(at: number, length: number) => Uint8Array<ArrayBuffer>} */
    const copy = (at, length) => new Uint8Array(memory.buffer.slice(at, at + length));
    const json = new TextEncoder().encode(JSON.stringify(request)), length = HEAD + json.length + file.length;
    let bytes;
    try {
      const at = room(length), into = new Uint8Array(memory.buffer, at, length);
      new DataView(memory.buffer).setUint32(at, json.length, true);
      into.set(json, HEAD);
      into.set(file, HEAD + json.length);
      const answered = call();
      bytes = copy(answer(), answered);
    } catch (error) {
      let words = "";
      try { words = new TextDecoder().decode(copy(answer(), last_words())); } catch { /* It has none left. */ }
      throw new Crash(words || String(error));
    }
    const end = HEAD + new DataView(bytes.buffer).getUint32(0, true);
    const found = JSON.parse(new TextDecoder().decode(bytes.subarray(HEAD, end)));
    if (found && found.error) throw new Refusal(found.error);
    return { answer: found, bytes: bytes.subarray(end) };
  }
}

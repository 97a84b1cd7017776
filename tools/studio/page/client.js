/* The page's end of the worker: questions with answers; a new worker where one has crashed or does not stop. */

/** So long a worker may take to stop, ms: a step that takes longer ends with its worker. */
const PATIENCE = 1000;

/** Why an answer does not come: its worker is gone, and the listener knows. */
export class Lost extends Error {}

export class Client {
  /**
   * @param {{ progress: (progress: Progress) => void, shown: (answer: Answer) => void, crash: (words: string) => void }} listener
   */
  constructor(listener) {
    this.listener = listener;
    /** @type {Map<number, { resolve: (answer: Answer) => void, reject: (error: Error) => void }>} */
    this.open = new Map();
    this.count = 0;
    /** Data files, which a new worker gets again. @type {Map<string, Uint8Array>} */
    this.files = new Map();
    this.running = false;
    /** Whether the worker has the module: one that cannot get it is not replaced. */
    this.ready = false;
    /** @type {Worker} */
    this.worker = this.begin();
  }

  /** Starts a worker. */
  begin() {
    const worker = new Worker(new URL("worker.js", document.baseURI), { type: "module" });
    worker.onmessage = event => this.hear(event.data);
    worker.onerror = event => this.lose(event.message || "the worker cannot be loaded");
    this.worker = worker;
    return worker;
  }

  /** @param {Said} said */
  hear(said) {
    if ("ready" in said) this.ready = true;
    else if ("progress" in said) this.listener.progress(said.progress);
    else if ("shown" in said) {
      const begun = performance.now(), { worker } = this;
      this.listener.shown(said.shown);
      // Two thirds of the time are for what the user does.
      setTimeout(() => worker.postMessage(/** @type {Asked} */ ({ seen: true })), 2 * (performance.now() - begun));
    }
    else if ("crash" in said) this.lose(said.crash);
    else if ("id" in said) {
      const waiting = this.open.get(said.id);
      this.open.delete(said.id);
      if ("answer" in said) waiting?.resolve(said.answer); else waiting?.reject(new Error(said.refusal));
    }
  }

  /**
   * Puts a new worker in the place of one that is lost.
   * @param {string} words why
   */
  lose(words) {
    this.replace(new Lost(words));
    this.listener.crash(words);
  }

  /** @param {Error} error for those who wait */
  replace(error) {
    this.worker.onmessage = this.worker.onerror = null;
    this.worker.terminate();
    this.running = false;
    const again = this.ready;
    this.ready = false;
    for (const { reject } of this.open.values()) reject(error);
    this.open.clear();
    if (!again) return;
    this.begin();
    for (const [name, file] of this.files) this.ask({ call: "keep", name }, file).catch(() => {});
  }

  /**
   * Asks for an answer.
   * @param {Call} request
   * @param {Uint8Array} [file]
   * @returns {Promise<Answer>}
   */
  ask(request, file) {
    return this.send(id => ({ id, request, file }));
  }

  /** @param {(id: number) => Asked} asked */
  send(asked) {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.open.set(id, { resolve, reject });
      this.worker.postMessage(asked(id));
    });
  }

  /**
   * Keeps a data file.
   * @param {string} name
   * @param {Uint8Array} file
   */
  keep(name, file) {
    this.files.set(name, file);
    return this.ask({ call: "keep", name }, file);
  }

  /**
   * Runs the model that is open.
   * @param {Value[]} inputs
   * @returns {Promise<Answer>} what is shown of the whole run
   */
  run(inputs) {
    return this.drive(id => ({ id, run: inputs }));
  }

  /**
   * Studies how the results of the model that is open converge.
   * @param {number} accuracy as a part of the ranges of outputs
   * @returns {Promise<Answer>} the page of the study
   */
  converge(accuracy) {
    return this.drive(id => ({ id, converge: accuracy }));
  }

  /**
   * Asks for what may take long and is stopped with its worker.
   * @param {Call} request
   * @returns {Promise<Answer>}
   */
  analyse(request) {
    return this.drive(id => ({ id, request }));
  }

  /** @param {(id: number) => Asked} asked for what can be stopped */
  async drive(asked) {
    this.running = true;
    try { return await this.send(asked); } finally { this.running = false; }
  }

  /**
   * Gives inputs other values while the model runs.
   * @param {Value[]} set
   */
  set(set) {
    this.worker.postMessage(/** @type {Asked} */ ({ set }));
  }

  /** Stops the run: between two steps, or with its worker where a step does not end. */
  async stop() {
    if (!this.running) return;
    const { worker } = this;
    worker.postMessage(/** @type {Asked} */ ({ stop: true }));
    for (const end = performance.now() + PATIENCE; performance.now() < end;) {
      await new Promise(resolve => setTimeout(resolve, 20));
      if (!this.running || this.worker !== worker) return;
    }
    this.replace(new Error("stopped; what was on its way is lost"));
  }
}

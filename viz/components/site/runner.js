// The worker and the requests to it: one answer for each request.

export class Runner {
  /**
   * @param {{progress: (done: number, total: number) => void, step: (step: number, most: number) => void}} listeners
   *   told of bytes that have come, and of tokens of a long translation
   */
  constructor({ progress, step }) {
    this.progress = progress;
    this.step = step;
    this.asked = 0;
    this.told = -1;
    /** @type {Map<number, {resolve: Function, reject: Function}>} */
    this.waiting = new Map();
    /** @type {{resolve: Function, reject: Function} | null} */
    this.opening = null;
    this.address = "";
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.#hear(data);
    this.worker.onerror = () => this.#end();
  }

  /** The worker reports its own errors; this error means that its code did not load. */
  #end() {
    const failure = { why: "network", what: "" };
    this.opening?.reject(failure);
    for (const { reject } of this.waiting.values()) reject(failure);
    this.waiting.clear();
    this.opening = null;
  }

  /**
   * Open a model; what is known of it. One that was being opened is forgotten.
   * @param {string} address
   * @returns {Promise<any>}
   */
  open(address) {
    this.opening = null;
    return new Promise((resolve, reject) => {
      this.opening = { resolve, reject };
      this.address = address;
      this.worker.postMessage({ kind: "load", address });
    });
  }

  /**
   * @param {string} text
   * @param {any} edits
   * @param {number[]} prefix
   * @param {{temperature?: number, seed?: number, isQuiet?: boolean}} [how] `isQuiet` reports no steps
   * @returns {Promise<any>} the trace
   */
  translate(text, edits, prefix, { temperature = 0, seed = 1, isQuiet = false } = {}) {
    this.told = isQuiet ? -1 : this.asked + 1;
    return this.#ask({ kind: "translate", text, edits, prefix, temperature, seed });
  }

  /**
   * The log-probability of a trace's own translation under other changes.
   * @param {any} trace
   * @param {any} edits
   * @returns {Promise<{logProb: number}>}
   */
  score({ read, target }, edits) {
    return this.#ask({ kind: "score", source: read, target: target.ids, edits });
  }

  /**
   * Everything that one head computes for one query of a trace.
   * @param {any} trace
   * @param {{kind: string, layer: number, head: number}} head
   * @param {number} query
   * @returns {Promise<import("../engine/one_head.js").OneHead>}
   */
  inside({ read, target, edits }, head, query) {
    return this.#ask({ kind: "inside", source: read, target: target.ids, edits, head, query });
  }

  /**
   * Whether a translation without changes is likely to be poor, and what it repeats.
   * @param {any} trace
   * @returns {Promise<{isDoubtful: boolean, loop: string}>}
   */
  doubt({ text, read, target, logProbs }) {
    return this.#ask({ kind: "doubt", text, source: read, target: target.ids, logProbs });
  }

  /**
   * @param {any} question
   * @returns {Promise<any>}
   */
  #ask(question) {
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, ...question });
    });
  }

  /** @param {any} message */
  #hear(message) {
    if (message.kind === "progress") return this.progress(message.done, message.total);
    if (message.kind === "step") return message.id === this.told ? this.step(message.step, message.most) : undefined;
    if (message.kind === "loaded") {
      if (message.address === this.address) this.opening?.resolve(message.about);
      return undefined;
    }
    const asked = message.id === undefined ? this.opening : this.waiting.get(message.id);
    this.waiting.delete(message.id);
    return message.kind === "failed" ? asked?.reject(message) : asked?.resolve(message);
  }
}

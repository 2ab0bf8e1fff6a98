// Runs the open model's worker: one response for each request.

/** @import { Interventions } from "../engine/edits.js" */
/** @import { Cut, Listed } from "../engine/reading.js" */
/** @import { About, Failure, Message, Trace } from "./types.js" */

/** The reason of a failed request, as the worker reports it, or "other" for an error in the page's code.
 * @param {unknown} failure @returns {Failure} */
export const failureOf = (failure) =>
  typeof failure === "object" && failure !== null && "why" in failure && typeof failure.why === "string"
    ? { .../** @type {Failure} */ (failure) }
    : { why: "other" };

export class Runner {
  lastId = 0;
  /** The request whose steps are reported, or -1. */ reportedId = -1;
  /** @type {Map<number, {resolve: Function, reject: Function}>} */ pending = new Map();
  /** @type {Worker | null} */ worker = null;

  /** @param {{progress: (done: number, total: number) => void, step: (step: number, most: number) => void}} listeners
   *   called with the loaded bytes of a model, and with the tokens of a long translation */
  constructor({ progress, step }) {
    this.progress = progress;
    this.step = step;
  }

  /** Terminate the worker and reject its pending requests. @param {string} why */
  #end(why) {
    this.worker?.terminate();
    this.worker = null;
    const pending = [...this.pending.values()];
    this.pending.clear();
    for (const { reject } of pending) reject({ why, what: "" });
  }

  /**
   * Open a model in a new worker. The previous worker is terminated, which frees its memory and ends its download; its
   * pending requests are rejected as "closed".
   * @param {string} address
   * @returns {Promise<About>}
   */
  async open(address) {
    this.#end("closed");
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker = worker;
    worker.onmessage = ({ data }) => worker === this.worker && this.#receive(data);
    // The worker reports its own errors; this one means that its code did not load.
    worker.onerror = () => worker === this.worker && this.#end("network");
    const { about } = await this.#request({ kind: "load", address });
    return about;
  }

  /**
   * @param {string} text
   * @param {Interventions} edits
   * @param {number[]} prefix
   * @param {{temperature?: number, topK?: number, topP?: number, seed?: number, isQuiet?: boolean}} [how] `isQuiet` reports no steps
   * @returns {Promise<Omit<Trace, "about">>}
   */
  translate(text, edits, prefix, { temperature = 0, topK = 0, topP = 1, seed = 1, isQuiet = false } = {}) {
    this.reportedId = isQuiet ? -1 : this.lastId + 1;
    return this.#request({ kind: "translate", text, edits, prefix, temperature, topK, topP, seed });
  }

  /** The log-probability of a trace's translation under other interventions.
   * @param {Trace} trace @param {Interventions} edits @returns {Promise<{logProb: number}>} */
  score({ read, target }, edits) {
    return this.#request({ kind: "score", source: read, target: target.ids, edits });
  }

  /** The intermediate results of one head for one query of a trace.
   * @param {Trace} trace @param {{kind: string, layer: number, head: number}} head @param {number} query
   * @returns {Promise<import("../engine/inspect.js").OneHead>} */
  inside({ read, target, edits }, head, query) {
    return this.#request({ kind: "inside", source: read, target: target.ids, edits, head, query });
  }

  /** The embedding of a source token, and its nearest neighbours in the embedding table.
   * @param {Trace} trace @param {number} place
   * @returns {Promise<import("../engine/inspect.js").Embedding & {neighbours: {piece: string, cosine: number}[]}>} */
  embedding({ read }, place) {
    return this.#request({ kind: "embedding", token: read[place], place });
  }

  /** An encoder layer's feed-forward network at a source token.
   * @param {Trace} trace @param {number} layer @param {number} place
   * @returns {Promise<import("../engine/inspect.js").FeedForward>} */
  feedForward({ read, edits }, layer, place) {
    return this.#request({ kind: "feedForward", source: read, edits, layer, place });
  }

  /**
   * The logits of a step of a trace.
   * @param {Trace} trace
   * @param {number} step
   * @returns {Promise<{logits: Float32Array, pieces: Record<number, string>}>} the pieces of the most probable tokens
   */
  logits({ read, target, edits }, step) {
    return this.#request({ kind: "logits", source: read, target: target.ids, edits, step });
  }

  /** Tokenize a text. @param {string} text @returns {Promise<Cut>} */
  cut(text) {
    return this.#request({ kind: "cut", text });
  }

  /** A piece with its neighbours in the vocabulary. @param {number} token @returns {Promise<Listed[]>} */
  async around(token) {
    const { pieces } = await this.#request({ kind: "around", token });
    return pieces;
  }

  /** Whether an unchanged translation is likely to be poor, and the text that it repeats.
   * @param {Trace} trace @returns {Promise<{isDoubtful: boolean, loop: string}>} */
  doubt({ text, read, target, logProbs }) {
    return this.#request({ kind: "doubt", text, source: read, target: target.ids, logProbs });
  }

  /** @template Answer
   * @param {{kind: string} & Record<string, unknown>} question
   * @returns {Promise<Answer>} */
  #request(question) {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      if (!this.worker) return reject({ why: "closed", what: "" });
      this.pending.set(id, { resolve, reject });
      return this.worker.postMessage({ id, ...question });
    });
  }

  /** @param {Message} message */
  #receive(message) {
    if (message.kind === "progress") return this.progress(message.done, message.total);
    if (message.kind === "step")
      return message.id === this.reportedId ? this.step(message.step, message.most) : undefined;
    const request = this.pending.get(message.id);
    this.pending.delete(message.id);
    return message.kind === "failed" ? request?.reject(message) : request?.resolve(message);
  }
}

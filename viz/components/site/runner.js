// The worker of the open model and the requests to it: one answer for each request.

/** @import { Interventions } from "../engine/edits.js" */
/** @import { Cut, Listed } from "../engine/reading.js" */
/** @import { About, Failure, Message, Trace } from "./types.js" */

/** Why a request came to nothing: as the worker says it, or "other" for an error of the page's own code.
 * @param {unknown} failure @returns {Failure} */
export const failureOf = (failure) =>
  typeof failure === "object" && failure !== null && "why" in failure && typeof failure.why === "string"
    ? { .../** @type {Failure} */ (failure) }
    : { why: "other" };

export class Runner {
  /** @param {{progress: (done: number, total: number) => void, step: (step: number, most: number) => void}} listeners
   *   told of bytes that have come, and of tokens of a long translation */
  constructor({ progress, step }) {
    this.progress = progress;
    this.step = step;
    this.asked = 0;
    this.told = -1;
    /** @type {Map<number, {resolve: Function, reject: Function}>} */
    this.waiting = new Map();
    /** @type {Worker | null} */
    this.worker = null;
  }

  /** End the worker, if there is one: everything that it was asked is rejected. @param {string} why */
  #end(why) {
    this.worker?.terminate();
    this.worker = null;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject({ why, what: "" });
  }

  /**
   * Open a model in a worker of its own. The worker of the model before it is terminated, which frees its memory and ends
   * its download; what it was asked is rejected as "closed".
   * @param {string} address
   * @returns {Promise<About>} what is known of the model
   */
  async open(address) {
    this.#end("closed");
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker = worker;
    worker.onmessage = ({ data }) => worker === this.worker && this.#hear(data);
    // The worker reports its own errors; this one means that its code did not load.
    worker.onerror = () => worker === this.worker && this.#end("network");
    const { about } = await this.#ask({ kind: "load", address });
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
    this.told = isQuiet ? -1 : this.asked + 1;
    return this.#ask({ kind: "translate", text, edits, prefix, temperature, topK, topP, seed });
  }

  /** The log-probability of a trace's own translation under other changes.
   * @param {Trace} trace @param {Interventions} edits @returns {Promise<{logProb: number}>} */
  score({ read, target }, edits) {
    return this.#ask({ kind: "score", source: read, target: target.ids, edits });
  }

  /** Everything that one head computes for one query of a trace.
   * @param {Trace} trace @param {{kind: string, layer: number, head: number}} head @param {number} query
   * @returns {Promise<import("../engine/one_head.js").OneHead>} */
  inside({ read, target, edits }, head, query) {
    return this.#ask({ kind: "inside", source: read, target: target.ids, edits, head, query });
  }

  /** What a source token begins as, and the tokens nearest to it in the embedding table.
   * @param {Trace} trace @param {number} place
   * @returns {Promise<import("../engine/embedding.js").Embedding & {neighbours: {piece: string, cosine: number}[]}>} */
  embedding({ read }, place) {
    return this.#ask({ kind: "embedding", token: read[place], place });
  }

  /** What an encoder layer's feed-forward network does to a source token.
   * @param {Trace} trace @param {number} layer @param {number} place
   * @returns {Promise<import("../engine/one_step.js").FeedForward>} */
  feedForward({ read, edits }, layer, place) {
    return this.#ask({ kind: "feedForward", source: read, edits, layer, place });
  }

  /**
   * What a step of a trace chooses from.
   * @param {Trace} trace
   * @param {number} step
   * @returns {Promise<{logits: Float32Array, pieces: Record<number, string>}>} the pieces of the most probable tokens
   */
  logits({ read, target, edits }, step) {
    return this.#ask({ kind: "logits", source: read, target: target.ids, edits, step });
  }

  /** What the tokenizer makes of a text. @param {string} text @returns {Promise<Cut>} */
  cut(text) {
    return this.#ask({ kind: "cut", text });
  }

  /** A piece with those beside it in the tokenizer's list. @param {number} token @returns {Promise<Listed[]>} */
  async around(token) {
    const { pieces } = await this.#ask({ kind: "around", token });
    return pieces;
  }

  /** Whether a translation without changes is likely to be poor, and what it repeats.
   * @param {Trace} trace @returns {Promise<{isDoubtful: boolean, loop: string}>} */
  doubt({ text, read, target, logProbs }) {
    return this.#ask({ kind: "doubt", text, source: read, target: target.ids, logProbs });
  }

  /** @template Answer
   * @param {{kind: string} & Record<string, unknown>} question
   * @returns {Promise<Answer>} what is said of the answer where the question is asked */
  #ask(question) {
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve, reject) => {
      if (!this.worker) return reject({ why: "closed", what: "" });
      this.waiting.set(id, { resolve, reject });
      return this.worker.postMessage({ id, ...question });
    });
  }

  /** @param {Message} message */
  #hear(message) {
    if (message.kind === "progress") return this.progress(message.done, message.total);
    if (message.kind === "step") return message.id === this.told ? this.step(message.step, message.most) : undefined;
    const asked = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    return message.kind === "failed" ? asked?.reject(message) : asked?.resolve(message);
  }
}

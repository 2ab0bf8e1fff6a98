// The distribution that a step's token is drawn from, as bars: the model's own, bent by temperature, top-k and top-p. The
// bars and the handles show one set of numbers.

import { filteredProbabilities } from "../../engine/sampling.js";

/** @import { Sampling } from "../../engine/sampling.js" */
/** @import { Trace } from "../types.js" */
/** @typedef {{logits: Float32Array, pieces: Record<number, string>}} Logits of a step, and the pieces of the most probable tokens */

/** @param {Logits} found @param {Sampling} how
 * @param {{trace: Trace, step: number, n: number}} where `n` is how many bars are shown
 * @returns {import("../../shared/candidates.js").Candidate[]} */
export function barsOf({ logits, pieces }, how, { trace, step, n }) {
  const { ids, probabilities } = filteredProbabilities(logits, how, trace.about.config.target_pad_id);
  const total = probabilities.reduce((sum, each) => sum + each, 0);
  return Array.from(ids.subarray(0, n), (id, rank) => ({
    id,
    piece: pieces[id],
    share: probabilities[rank] / total,
    isChosen: id === trace.target.ids[step],
    isOut: probabilities[rank] === 0,
  }));
}

/** How tokens are drawn by the choices; at a temperature of 0 nothing is drawn, and the bars are the model's own.
 * @param {Sampling} choices @returns {Sampling} */
export const drawnBy = ({ temperature, topK, topP }) => (temperature ? { temperature, topK, topP } : {});

const N_BARS_ON_STAGE = 5; // bars on the stage

export class Chance {
  /** @param {import("../page.js").Page} page */
  constructor(page) {
    this.page = page;
    /** What the handle that moves is at. @type {Sampling | null} */
    this.moving = null;
    /** Logits by step, of each trace. @type {WeakMap<object, Map<number, Logits | null>>} */
    this.known = new WeakMap();
    page.stage.drawnFrom = (/** @type {number} */ step) => this.#barsAt(step);
  }

  /** A handle is moved. @param {Sampling} changes */
  preview(changes) {
    this.moving = { ...this.page.choices, ...changes };
    this.page.stage.draw();
  }

  /** The handle was let go. */
  rest() {
    this.moving = null;
  }

  /** @param {number} step */
  #barsAt(step) {
    const { page } = this;
    const { desk } = page;
    const trace = desk?.trace;
    const how = drawnBy(this.moving ?? page.choices);
    if (!page.isLive || !how.temperature || !desk || !trace?.target) return null;
    const steps = this.known.get(trace) ?? new Map();
    this.known.set(trace, steps);
    if (!steps.has(step)) this.#fetch(desk, trace, step, steps);
    const found = steps.get(step);
    return found ? barsOf(found, how, { trace, step, n: N_BARS_ON_STAGE }) : null;
  }

  /** @param {import("./desk.js").Desk} desk @param {Trace} trace @param {number} step
   * @param {Map<number, Logits | null>} steps */
  async #fetch(desk, trace, step, steps) {
    steps.set(step, null);
    try {
      steps.set(step, await desk.runner.logits(trace, step));
      if (desk.trace === trace) this.page.stage.draw();
    } catch {
      steps.delete(step); // asked again when the step is drawn again
    }
  }
}

// The distribution that a step's token is sampled from, as bars: the model's, filtered by temperature, top-k and top-p. The
// bars follow a slider while it moves.

import { filteredProbabilities } from "../../engine/sampling.js";

/** @import { Sampling } from "../../engine/sampling.js" */
/** @import { Trace } from "../types.js" */
/** @typedef {{logits: Float32Array, pieces: Record<number, string>}} Logits of a step, and the pieces of the most probable tokens */

/** @param {Logits} distribution @param {Sampling} how
 * @param {{trace: Trace, step: number, n: number}} where `n` is the count of bars
 * @returns {import("../../shared/candidates.js").Candidate[]} */
export function barsOf({ logits, pieces }, how, { trace, step, n }) {
  const { ids, probabilities } = filteredProbabilities(logits, how, trace.about.config.target_pad_id);
  const total = probabilities.reduce((sum, probability) => sum + probability, 0);
  return Array.from(ids.subarray(0, n), (id, rank) => ({
    id,
    piece: pieces[id],
    share: probabilities[rank] / total,
    isChosen: id === trace.target.ids[step],
    isOut: probabilities[rank] === 0,
  }));
}

/** The sampling options of the choices; none at temperature 0, where the bars are the model's distribution.
 * @param {Sampling} choices @returns {Sampling} */
export const samplingOf = ({ temperature, topK, topP }) => (temperature ? { temperature, topK, topP } : {});

const N_BARS_ON_STAGE = 5;

export class SamplingPreview {
  /** Options while a slider moves. @type {Sampling | null} */ moving = null;
  /** Logits by step, of each trace. @type {WeakMap<object, Map<number, Logits | null>>} */ logits = new WeakMap();

  /** @param {import("../page.js").Page} page */
  constructor(page) {
    this.page = page;
    page.stage.sampledBars = (/** @type {number} */ step) => this.#barsAt(step);
  }

  /** Draw the bars for a moving slider. @param {Sampling} changes */
  preview(changes) {
    this.moving = { ...this.page.choices, ...changes };
    this.page.stage.draw();
  }

  /** The slider was released. */
  end() {
    this.moving = null;
  }

  /** @param {number} step */
  #barsAt(step) {
    const { page } = this;
    const { desk } = page;
    const trace = desk?.trace;
    const how = samplingOf(this.moving ?? page.choices);
    if (!page.isLive || !how.temperature || !desk || !trace?.target) return null;
    const steps = this.logits.get(trace) ?? new Map();
    this.logits.set(trace, steps);
    if (!steps.has(step)) this.#fetch(desk, trace, step, steps);
    const distribution = steps.get(step);
    return distribution ? barsOf(distribution, how, { trace, step, n: N_BARS_ON_STAGE }) : null;
  }

  /** @param {import("./desk.js").Desk} desk @param {Trace} trace @param {number} step
   * @param {Map<number, Logits | null>} steps */
  async #fetch(desk, trace, step, steps) {
    steps.set(step, null);
    try {
      steps.set(step, await desk.runner.logits(trace, step));
      if (desk.trace === trace) this.page.stage.draw();
    } catch {
      steps.delete(step); // requested again by the next drawing of the step
    }
  }
}

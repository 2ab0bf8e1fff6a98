// A distribution under temperature, top-k, top-p and min-p, as model/decoding/sampling.py draws from it, and the sliders.

import { h } from "../../shared/dom.js";
import { fill, fixed } from "../../shared/text.js";

/** @typedef {{temperature: number, top_k: number, top_p: number, min_p: number}} Sampling */
/** @typedef {(value: number) => number} Convert */
/** @typedef {{counts: number[], logProbs: Float32Array}} Ranks counts and log-probabilities of blocks of ranks */

const TOP_K = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 0];

/**
 * How many tokens can be drawn after temperature, top-k, top-p and min-p, of how many, and the probability of each after
 * they are renormalised.
 * @param {Ranks} ranks
 * @param {Sampling} sampling
 * @returns {{kept: number, total: number, share: (logProb: number, rank: number) => number}}
 */
export function filtered({ counts, logProbs }, { temperature, top_k: topK, top_p: topP, min_p: minP }) {
  const top = logProbs[0] / temperature;
  const weight = (/** @type {number} */ logProb) => Math.exp(logProb / temperature - top);
  const limit = topK || Infinity;
  let mass = 0;
  let rank = 0;
  const blocks = counts.map((count, at) => {
    const n = Math.max(0, Math.min(count, limit - rank));
    rank += count;
    const block = { n, weight: weight(logProbs[at]) };
    mass += n * block.weight;
    return block;
  });
  let [kept, before, left] = [0, 0, 0];
  for (const block of blocks) {
    if (block.weight < minP) break; // the best token's weight is 1
    const share = block.weight / mass;
    // The first token stays; every further one while those before it do not reach top-p.
    const isWhole = topP >= 1 || (!share && before < topP);
    const fits = isWhole ? block.n : Math.ceil((topP - before) / share - 1e-9);
    const n = Math.min(block.n, Math.max(fits, kept ? 0 : 1));
    kept += n;
    left += n * share;
    before += block.n * share;
    if (n < block.n) break;
  }
  return {
    kept,
    total: counts.reduce((sum, count) => sum + count, 0),
    share: (logProb, at) => (at < kept ? weight(logProb) / mass / left : 0),
  };
}

/** Temperature, top-k, top-p and min-p: `onMove` runs while one is dragged, `onSet` once it is let go. */
export class SamplingSliders {
  /** @param {Record<string, string>} words @param {{onMove: () => void, onSet: (sampling: Sampling) => void}} on */
  constructor(words, { onMove, onSet }) {
    this.root = h("div", { class: "sampling" });
    this.isHeld = false;
    /** @type {Sampling} */
    this.sampling = { temperature: 1, top_k: 0, top_p: 1, min_p: 0 };
    /** @type {(name: keyof Sampling, range: Record<"min" | "max" | "step", number>, valueOf: Convert, placeOf: Convert,
     *   said: (value: number) => string) => () => void} */
    const row = (name, range, valueOf, placeOf, said) => {
      const input = h("input", { type: "range", ...range, "aria-label": words[name] });
      const shown = h("output", {}, "");
      const write = () => {
        shown.textContent = said(this.sampling[name]);
        input.setAttribute("aria-valuetext", said(this.sampling[name]));
      };
      input.addEventListener("input", () => {
        this.isHeld = true;
        this.sampling = { ...this.sampling, [name]: valueOf(Number(input.value)) };
        write();
        onMove();
      });
      for (const name of ["pointerup", "change", "blur"]) input.addEventListener(name, () => (this.isHeld = false));
      input.addEventListener("change", () => onSet(this.sampling));
      this.root.append(h("label", { title: words[`${name}_help`] }, h("span", {}, words[name]), input, shown));
      return () => {
        input.value = String(placeOf(this.sampling[name]));
        write();
      };
    };
    /** @type {Convert} */
    const same = (value) => value;
    this.rows = [
      row("temperature", { min: 0.05, max: 5, step: 0.05 }, same, same, (value) => fixed(value)),
      row(
        "top_k",
        { min: 0, max: TOP_K.length - 1, step: 1 },
        (place) => TOP_K[place],
        (k) => (k ? TOP_K.findIndex((each) => !each || each >= k) : TOP_K.length - 1),
        (k) => (k ? String(k) : words.top_k_all),
      ),
      row("top_p", { min: 0.01, max: 1, step: 0.01 }, same, same, (value) => fixed(value)),
      row("min_p", { min: 0, max: 1, step: 0.01 }, same, same, (value) => fixed(value)),
    ];
    this.words = words;
  }

  /** @param {Sampling | null} sampling what is in force; null where nothing is drawn at random */
  set(sampling) {
    this.root.hidden = !sampling;
    if (!sampling || this.isHeld) return; // what another run brings does not move a slider under the hand
    this.sampling = { ...sampling };
    for (const show of this.rows) show();
  }

  /** How many tokens can be drawn.
   * @param {{kept: number, total: number}} found */
  said({ kept, total }) {
    const [n, all] = [kept, total].map((count) => count.toLocaleString(document.documentElement.lang || "en"));
    return fill(this.words.can_be_drawn, { n, total: all });
  }
}

// Temperature, top-k, top-p and min-p: the filtered distribution, as model/decoding/sampling.py, and the sliders.

import { h } from "../../shared/dom.js";
import { fill, formatFixed, language } from "../../shared/text.js";

/** @typedef {{temperature: number, top_k: number, top_p: number, min_p: number}} Sampling */
/** @typedef {(value: number) => number} Convert */
/** @typedef {{counts: number[], logProbs: Float32Array}} Ranks counts and log-probabilities of blocks of ranks */

const TOP_K = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 0];

/**
 * The count of tokens that are not filtered, the count of all, and the renormalised probability of a token.
 * @param {Ranks} ranks
 * @param {Sampling} sampling
 * @returns {{kept: number, total: number, share: (logProb: number, rank: number) => number}}
 */
export function filterTokens({ counts, logProbs }, { temperature, top_k: topK, top_p: topP, min_p: minP }) {
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
  let [kept, cumulative, keptMass] = [0, 0, 0];
  for (const block of blocks) {
    if (block.weight < minP) break; // the best token's weight is 1
    const share = block.weight / mass;
    // The first token is kept, and further ones as long as those before them do not reach top-p.
    const isWhole = topP >= 1 || (!share && cumulative < topP);
    const fits = isWhole ? block.n : Math.ceil((topP - cumulative) / share - 1e-9);
    const n = Math.min(block.n, Math.max(fits, kept ? 0 : 1));
    kept += n;
    keptMass += n * share;
    cumulative += block.n * share;
    if (n < block.n) break;
  }
  return {
    kept,
    total: counts.reduce((sum, count) => sum + count, 0),
    share: (logProb, at) => (at < kept ? weight(logProb) / mass / keptMass : 0),
  };
}

/** Four sliders; `onMove` is called during a drag, `onSet` at its end. */
export class SamplingSliders {
  /** @param {Record<string, string>} words @param {{onMove: () => void, onSet: (sampling: Sampling) => void}} on */
  constructor(words, { onMove, onSet }) {
    this.root = h("div", { class: "sampling" });
    this.isDragged = false;
    /** @type {Sampling} */
    this.sampling = { temperature: 1, top_k: 0, top_p: 1, min_p: 0 };
    /** @type {(name: keyof Sampling, range: Record<"min" | "max" | "step", number>, valueOf: Convert, placeOf: Convert,
     *   textOf: (value: number) => string) => () => void} */
    const row = (name, range, valueOf, placeOf, textOf) => {
      const input = h("input", { type: "range", ...range, "aria-label": words[name] });
      const output = h("output", {}, "");
      const write = () => {
        output.textContent = textOf(this.sampling[name]);
        input.setAttribute("aria-valuetext", output.textContent);
      };
      input.addEventListener("input", () => {
        this.isDragged = true;
        this.sampling = { ...this.sampling, [name]: valueOf(Number(input.value)) };
        write();
        onMove();
      });
      for (const name of ["pointerup", "change", "blur"]) input.addEventListener(name, () => (this.isDragged = false));
      input.addEventListener("change", () => onSet(this.sampling));
      this.root.append(h("label", { title: words[`${name}_help`] }, h("span", {}, words[name]), input, output));
      return () => {
        input.value = String(placeOf(this.sampling[name]));
        write();
      };
    };
    /** @type {Convert} */
    const same = (value) => value;
    this.rows = [
      row("temperature", { min: 0.05, max: 5, step: 0.05 }, same, same, (value) => formatFixed(value)),
      row(
        "top_k",
        { min: 0, max: TOP_K.length - 1, step: 1 },
        (place) => TOP_K[place],
        (k) => (k ? TOP_K.findIndex((value) => !value || value >= k) : TOP_K.length - 1),
        (k) => (k ? String(k) : words.top_k_all),
      ),
      row("top_p", { min: 0.01, max: 1, step: 0.01 }, same, same, (value) => formatFixed(value)),
      row("min_p", { min: 0, max: 1, step: 0.01 }, same, same, (value) => formatFixed(value)),
    ];
    this.words = words;
  }

  /** @param {Sampling | null} sampling null without sampling */
  set(sampling) {
    this.root.hidden = !sampling;
    if (!sampling || this.isDragged) return; // another run does not move a slider that is dragged
    this.sampling = { ...sampling };
    for (const show of this.rows) show();
  }

  /** The sentence with the count of tokens that can be drawn. @param {{kept: number, total: number}} filter */
  summary({ kept, total }) {
    const [n, all] = [kept, total].map((count) => count.toLocaleString(language()));
    return fill(this.words.can_be_drawn, { n, total: all });
  }
}

// The distribution of a step as bars, which follow the sampling sliders beside them.

import { candidateBars, nextTokens } from "../../shared/candidates.js";
import { focusNamed, h } from "../../shared/dom.js";
import { barsOf, samplingOf } from "../desk/sampling_preview.js";
import { samplingSliders } from "../desk/experiments.js";

const N_BARS = 8;

/** @import { Trace } from "../types.js" */
/** @import { Choices } from "../links/choices.js" */
/** @typedef {{trace: Trace, step: number, logits: Float32Array, pieces: Record<number, string>}} Step with its logits */

export class Bars {
  /** @param {Record<string, string>} t
   * @param {{chosen: (prefix: number[]) => void, change: (changes: Partial<Choices>) => void}} on */
  constructor(t, on) {
    this.t = t;
    this.on = on;
    this.list = h("ol", { class: "bars", "data-of": "bars handles", "aria-label": t.candidates });
    this.sliders = h("div", { "data-of": "handles", class: "site-desk" });
    this.root = h("div", { class: "story-next" }, this.list, this.sliders);
    /** The drawn step. @type {Step | null} */
    this.step = null;
  }

  /** @param {Step} step @param {Choices} choices */
  draw(step, choices) {
    this.step = step;
    this.#drawBars(samplingOf(choices));
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.name;
    this.sliders.replaceChildren(
      samplingSliders(this.t, choices, {
        change: (changes) => this.on.change(changes),
        preview: (changes) => this.#drawBars(samplingOf({ ...choices, ...changes })),
      }),
    );
    focusNamed(this.sliders, focused);
  }

  /** @param {import("../../engine/sampling.js").Sampling} how */
  #drawBars(how) {
    if (!this.step) return;
    const { trace, step } = this.step;
    const bars = barsOf(this.step, how, { trace, step, n: N_BARS });
    const prefix = trace.target.ids.slice(0, step);
    this.list.replaceChildren(...candidateBars(bars, nextTokens(this.t, prefix, this.on.chosen)));
  }
}

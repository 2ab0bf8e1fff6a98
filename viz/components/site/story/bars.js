// The distribution of a step as bars, with the handles of sampling beside it: the bars follow while a handle moves.

import { candidateBars, nextTokens } from "../../shared/candidates.js";
import { focusNamed, h } from "../../shared/dom.js";
import { barsOf, drawnBy } from "../desk/chance.js";
import { handlesOf } from "../desk/sampling.js";

const N_BARS = 8;

/** @import { Trace } from "../types.js" */
/** @import { Choices } from "../links/choices.js" */
/** @typedef {{trace: Trace, step: number, logits: Float32Array, pieces: Record<number, string>}} Shown a step, and what is
 *   chosen from */

export class Bars {
  /** @param {Record<string, string>} t
   * @param {{chosen: (said: number[]) => void, change: (changes: Partial<Choices>) => void}} on */
  constructor(t, on) {
    this.t = t;
    this.on = on;
    this.list = h("ol", { class: "bars", "data-of": "bars handles", "aria-label": t.candidates });
    this.handles = h("div", { "data-of": "handles", class: "site-desk" });
    this.root = h("div", { class: "story-next" }, this.list, this.handles);
    /** What was shown last. @type {Shown | null} */
    this.shown = null;
  }

  /** @param {Shown} shown @param {Choices} choices */
  draw(shown, choices) {
    this.shown = shown;
    this.#drawBars(drawnBy(choices));
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.name;
    this.handles.replaceChildren(
      handlesOf(this.t, choices, {
        change: (changes) => this.on.change(changes),
        preview: (changes) => this.#drawBars(drawnBy({ ...choices, ...changes })),
      }),
    );
    focusNamed(this.handles, focused);
  }

  /** @param {import("../../engine/sampling.js").Sampling} how */
  #drawBars(how) {
    if (!this.shown) return;
    const { trace, step } = this.shown;
    const bars = barsOf(this.shown, how, { trace, step, n: N_BARS });
    const before = trace.target.ids.slice(0, step);
    this.list.replaceChildren(...candidateBars(bars, nextTokens(this.t, before, this.on.chosen)));
  }
}

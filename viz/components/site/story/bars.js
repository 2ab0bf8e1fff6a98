// The distribution of a step as bars, with the handles of sampling beside it: the bars follow while a handle moves.

import { filteredProbabilities } from "../../engine/sampling.js";
import { candidateBars } from "../../shared/candidates.js";
import { h } from "../../shared/dom.js";
import { bare, fill } from "../../shared/text.js";
import { handlesOf } from "../desk/sampling.js";

const N_BARS = 8;

export class Bars {
  /**
   * @param {Record<string, string>} t
   * @param {{chosen: (said: number[]) => void, change: (changes: any) => void}} on
   */
  constructor(t, on) {
    this.t = t;
    this.on = on;
    this.list = h("ol", { class: "bars", "data-of": "bars handles", "aria-label": t.candidates });
    this.handles = h("div", { "data-of": "handles", class: "site-desk" });
    this.root = h("div", { class: "story-next" }, this.list, this.handles);
    /** What was shown last: the step, and what is chosen from. @type {any} */
    this.shown = null;
  }

  /**
   * @param {{trace: any, step: number, logits: Float32Array, pieces: Record<number, string>}} shown
   * @param {any} choices
   */
  draw(shown, choices) {
    this.shown = shown;
    this.#drawBars(choices.temperature ? choices : {}); // the model's own distribution, until a handle is moved
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.name;
    this.handles.replaceChildren(
      handlesOf(this.t, choices, {
        change: (changes) => this.on.change(changes),
        preview: (changes) => this.#drawBars({ ...choices, ...changes }),
      }),
    );
    if (focused) /** @type {HTMLElement | null} */ (this.handles.querySelector(`[data-name="${focused}"]`))?.focus();
  }

  /** @param {import("../../engine/sampling.js").Sampling} how */
  #drawBars(how) {
    const { trace, step, logits, pieces } = this.shown;
    const { ids, probabilities } = filteredProbabilities(logits, how, trace.about.config.target_pad_id);
    const total = probabilities.reduce((sum, each) => sum + each, 0);
    const bars = Array.from(ids.subarray(0, N_BARS), (id, rank) => ({
      id,
      piece: pieces[id],
      share: probabilities[rank] / total,
      isChosen: id === trace.target.ids[step],
      isOut: probabilities[rank] === 0,
    }));
    const { t, on } = this;
    this.list.replaceChildren(
      ...candidateBars(bars, {
        help: ({ piece, isChosen }) => (isChosen ? t.said : fill(t.choose, { piece: bare(piece) })),
        choose: ({ id, isChosen }) => !isChosen && on.chosen([...trace.target.ids.slice(0, step), id]),
      }),
    );
  }
}

/* The most probable next words as bars, the total of all others, and a click to continue from any of them. With sampling,
   the bars show the filtered distribution. */

import { candidateBars } from "../../shared/candidates.js";
import { h } from "../../shared/dom.js";
import { fill, language, percent, sentences, spoken } from "../../shared/text.js";
import { filterTokens, SamplingSliders } from "./sampling.js";

/** @import { Ranks, Sampling } from "./sampling.js" */
/** @import { Candidate, Words } from "./unpack.js" */
/** @typedef {(id: number, piece: string, isChosen: boolean) => void} OnChoose */
/**
 * @typedef {{candidates: Candidate[], chosenId: number | null, fed: string, predicted: string | null,
 *   ranks: Ranks | null, suppressed: number, vocabulary: number, isFixed: boolean}} Step
 */

export class NextWord {
  /** @param {Words} words @param {OnChoose} onChoose @param {(sampling: Sampling) => void} onSampling */
  constructor(words, onChoose, onSampling) {
    /** @type {Step | null} */
    this.step = null;
    this.words = words;
    this.onChoose = onChoose;
    this.sliders = new SamplingSliders(words, { onMove: () => this.step && this.#paint(this.step), onSet: onSampling });
    this.formula = h("span", { class: "aside" });
    this.list = h("ol", { class: "bars" });
    this.remark = h("p", { class: "remark" });
    const header = h("header", {}, h("h3", {}, words.next_word), this.formula);
    this.root = h("section", { class: "card next" }, header, this.sliders.root, this.list, this.remark);
  }

  /** Set the sliders, once for each play; null without sampling. @param {Sampling | null} sampling */
  load(sampling) {
    this.sliders.set(sampling);
  }

  /** @param {Step} step */
  draw(step) {
    const { fed, predicted } = step;
    this.step = step;
    this.formula.textContent = fill(this.words[predicted === null ? "fed" : "fed_predicts"], {
      fed: spoken(fed, this.words),
      said: predicted === null ? "" : spoken(predicted, this.words),
    });
    this.#paint(step);
  }

  /** The bars of a step; with sampling, as the sliders filter them. @param {Step} step */
  #paint({ candidates, ranks, suppressed, chosenId, vocabulary, isFixed }) {
    const filter = ranks && filterTokens(ranks, this.sliders.sampling);
    let rank = -1;
    const bars = candidates.map(([id, piece, logProb]) => {
      const share = !filter ? Math.exp(logProb) : id === suppressed ? 0 : filter.share(logProb, ++rank);
      return { id, piece, share, isChosen: id === chosenId, isOut: Boolean(filter) && !share };
    });
    const items = candidateBars(bars, {
      name: (piece) => spoken(piece, this.words),
      help: ({ piece, share }) =>
        fill(this.words.candidate_help, { piece: spoken(piece, this.words), share: percent(share) }),
      choose: ({ id, piece, isChosen }) => this.onChoose(id, piece, isChosen),
    });
    this.list.replaceChildren(...items);
    const mass = Math.max(0, 1 - bars.reduce((sum, { share }) => sum + share, 0));
    const others = (vocabulary - candidates.length).toLocaleString(language());
    this.remark.textContent = sentences(
      filter ? this.sliders.summary(filter) : "",
      fill(this.words.others, { n: others, share: percent(mass) }),
      isFixed ? this.words.fixed_here : this.words.click_candidate,
    );
  }

  /** @param {string} text */
  empty(text) {
    this.sliders.root.hidden = true;
    this.formula.textContent = "";
    this.list.replaceChildren();
    this.remark.textContent = text;
  }
}

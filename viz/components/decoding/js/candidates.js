/* The most probable next words as bars, the total of all others, and a click to continue from any of them. Where words
   are drawn at random, the bars show the distribution that they are drawn from. */

import { candidateBars } from "../../shared/candidates.js";
import { h } from "../../shared/dom.js";
import { fill, language, percent, sentences, spoken } from "../../shared/text.js";
import { filtered, SamplingSliders } from "./sampling.js";

/** @import { Ranks, Sampling } from "./sampling.js" */
/** @import { Candidate, Words } from "./unpack.js" */
/** @typedef {(id: number, piece: string, isChosen: boolean) => void} OnChoose */
/**
 * @typedef {{candidates: Candidate[], chosenId: number | null, fed: string, said: string | null, ranks: Ranks | null,
 *   unsaid: number, vocabulary: number, isFixed: boolean}} Step
 */

export class NextWord {
  /** @param {Words} words @param {OnChoose} onChoose @param {(sampling: Sampling) => void} onSampling */
  constructor(words, onChoose, onSampling) {
    /** @type {Step | null} */
    this.step = null;
    this.words = words;
    this.onChoose = onChoose;
    this.sliders = new SamplingSliders(words, { onMove: () => this.step && this.#paint(this.step), onSet: onSampling });
    this.root = h("section", { class: "card next" });
    this.title = h("h3", {}, words.next_word);
    this.formula = h("span", { class: "aside" });
    this.list = h("ol", { class: "bars" });
    this.rest = h("p", { class: "remark" });
    this.root.append(h("header", {}, this.title, this.formula), this.sliders.root, this.list, this.rest);
  }

  /** What is in force, once for each play; null where nothing is drawn at random. @param {Sampling | null} sampling */
  load(sampling) {
    this.sliders.set(sampling);
  }

  /** @param {Step} step */
  draw(step) {
    const { fed, said } = step;
    this.step = step;
    this.formula.textContent = fill(this.words[said === null ? "fed" : "fed_predicts"], {
      fed: spoken(fed, this.words),
      said: said === null ? "" : spoken(said, this.words),
    });
    this.#paint(step);
  }

  /** The bars of a step, as the sliders filter them where words are drawn at random. @param {Step} step */
  #paint({ candidates, ranks, unsaid, chosenId, vocabulary, isFixed }) {
    const found = ranks && filtered(ranks, this.sliders.sampling);
    let rank = -1;
    const shares = candidates.map(([id, , logProb]) => {
      if (!found) return Math.exp(logProb);
      if (id === unsaid) return 0;
      rank += 1;
      return found.share(logProb, rank);
    });
    const bars = candidates.map(([id, piece], at) => ({
      id,
      piece,
      share: shares[at],
      isChosen: id === chosenId,
      isOut: Boolean(found) && !shares[at],
    }));
    const drawn = candidateBars(bars, {
      name: (piece) => spoken(piece, this.words),
      help: ({ piece, share }) =>
        fill(this.words.candidate_help, { piece: spoken(piece, this.words), share: percent(share) }),
      choose: ({ id, piece, isChosen }) => this.onChoose(id, piece, isChosen),
    });
    this.list.replaceChildren(...drawn);
    const mass = Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0));
    const others = (vocabulary - candidates.length).toLocaleString(language());
    this.rest.textContent = sentences(
      found ? this.sliders.said(found) : "",
      fill(this.words.others, { n: others, share: percent(mass) }),
      isFixed ? this.words.fixed_here : this.words.click_candidate,
    );
  }

  /** @param {string} text */
  empty(text) {
    this.sliders.root.hidden = true;
    this.formula.textContent = "";
    this.list.replaceChildren();
    this.rest.textContent = text;
  }
}

/* The most probable next words as bars, the total of all others, and a click to continue from any of them. Where words
   are drawn at random, the bars show the distribution that they are drawn from. */

import { candidateBars } from "../../shared/candidates.js";
import { h } from "../../shared/dom.js";
import { bare, fill, language, percent, sentences } from "../../shared/text.js";
import { bent, BendSliders } from "./bend.js";

export class NextWord {
  constructor(words, onChoose, onBend) {
    this.words = words;
    this.onChoose = onChoose;
    this.sliders = new BendSliders(words, { onMove: () => this.#paint(), onSet: onBend });
    this.root = h("section", { class: "card next" });
    this.title = h("h3", {}, words.next_word);
    this.formula = h("span", { class: "aside" });
    this.list = h("ol", { class: "bars" });
    this.rest = h("p", { class: "remark" });
    this.root.append(h("header", {}, this.title, this.formula), this.sliders.root, this.list, this.rest);
  }

  /** What is in force, once for each play; null where nothing is drawn at random. */
  load(bend) {
    this.sliders.set(bend);
  }

  draw(step) {
    const { fed, said } = step;
    this.step = step;
    this.formula.textContent = fill(this.words[said === null ? "fed" : "fed_predicts"], {
      fed: bare(fed),
      said: said === null ? "" : bare(said),
    });
    this.#paint();
  }

  /** The bars of the step, bent by the sliders where words are drawn at random. */
  #paint() {
    const { candidates, ranks, unsaid, chosenId, vocabulary, isFixed } = this.step;
    const found = ranks && bent(ranks, this.sliders.bend);
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
    const help = ({ piece, share }) => fill(this.words.candidate_help, { piece: bare(piece), share: percent(share) });
    const choose = ({ id, piece, isChosen }) => this.onChoose(id, piece, isChosen);
    this.list.replaceChildren(...candidateBars(bars, { help, choose }));
    const mass = Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0));
    const others = (vocabulary - candidates.length).toLocaleString(language());
    this.rest.textContent = sentences(
      found ? this.sliders.said(found) : "",
      fill(this.words.others, { n: others, share: percent(mass) }),
      isFixed ? this.words.fixed_here : this.words.click_candidate,
    );
  }

  empty(text) {
    this.sliders.root.hidden = true;
    this.formula.textContent = "";
    this.list.replaceChildren();
    this.rest.textContent = text;
  }
}

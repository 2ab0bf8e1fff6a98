/* The most probable next words as bars, the total of all others, and a click to continue from any of them. Where words
   are drawn at random, the bars show the distribution that they are drawn from. */

import { h } from "../../shared/dom.js";
import { bare, fill, isSpecial, language, percent, sentences } from "../../shared/text.js";
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
    // "-er" continues a word and "er" begins one, if the vocabulary distinguishes the two.
    const marksWords = candidates.some(([, piece]) => /^[▁Ġ]/.test(piece));
    this.list.replaceChildren(
      ...candidates.map(([id, piece], at) =>
        this.#bar(id, piece, shares[at], {
          isChosen: id === chosenId,
          isOut: Boolean(found) && !shares[at],
          continues: marksWords && /^(?!Ġ)\p{L}/u.test(piece),
        }),
      ),
    );
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

  #bar(id, piece, share, { isChosen, isOut, continues }) {
    const button = h("button", {
      class: "bar",
      type: "button",
      "data-id": id,
      "aria-pressed": String(isChosen),
      title: fill(this.words.candidate_help, { piece: bare(piece), share: percent(share) }),
    });
    button.toggleAttribute("data-special", isSpecial(piece));
    button.toggleAttribute("data-out", isOut);
    const track = h("span", { class: "track" });
    const ink = h("span", { class: "ink" });
    ink.style.setProperty("--share", share.toFixed(4));
    track.append(ink);
    button.append(
      h("span", { class: "piece" }, continues ? `-${bare(piece)}` : bare(piece)),
      track,
      h("span", { class: "number" }, isOut ? "–" : share < 0.0005 ? `< ${percent(0.001)}` : percent(share)),
    );
    button.addEventListener("click", () => this.onChoose(id, piece, isChosen));
    return h("li", {}, button);
  }
}

/* The most probable next words as bars, the total of all others, and a click to continue from any of them. */

import { h } from "../../shared/dom.js";
import { bare, fill, isSpecial, language, percent, sentences } from "../../shared/text.js";

export class NextWord {
  constructor(words, onChoose) {
    this.words = words;
    this.onChoose = onChoose;
    this.root = h("section", { class: "card next" });
    this.title = h("h3", {}, words.next_word);
    this.formula = h("span", { class: "aside" });
    this.list = h("ol", { class: "bars" });
    this.rest = h("p", { class: "remark" });
    this.root.append(h("header", {}, this.title, this.formula), this.list, this.rest);
  }

  draw({ candidates, chosenId, fed, said, vocabulary, isFixed }) {
    this.formula.textContent = fill(this.words[said === null ? "fed" : "fed_predicts"], {
      fed: bare(fed),
      said: said === null ? "" : bare(said),
    });
    const best = Math.exp(candidates[0][2]);
    // "-er" continues a word and "er" begins one, if the vocabulary distinguishes the two.
    const marksWords = candidates.some(([, piece]) => /^[▁Ġ]/.test(piece));
    this.list.replaceChildren(
      ...candidates.map(([id, piece, logProb]) =>
        this.#bar(id, piece, Math.exp(logProb), best, {
          isChosen: id === chosenId,
          continues: marksWords && /^(?!Ġ)\p{L}/u.test(piece),
        }),
      ),
    );
    const mass = Math.max(0, 1 - candidates.reduce((sum, candidate) => sum + Math.exp(candidate[2]), 0));
    const others = (vocabulary - candidates.length).toLocaleString(language());
    this.rest.textContent = sentences(
      fill(this.words.others, { n: others, share: percent(mass) }),
      isFixed ? this.words.fixed_here : this.words.click_candidate,
    );
  }

  empty(text) {
    this.formula.textContent = "";
    this.list.replaceChildren();
    this.rest.textContent = text;
  }

  #bar(id, piece, share, best, { isChosen, continues }) {
    const button = h("button", {
      class: "bar",
      type: "button",
      "data-id": id,
      "aria-pressed": String(isChosen),
      title: fill(this.words.candidate_help, { piece: bare(piece), share: percent(share) }),
    });
    button.toggleAttribute("data-special", isSpecial(piece));
    const track = h("span", { class: "track" });
    const ink = h("span", { class: "ink" });
    ink.style.setProperty("--share", share.toFixed(4));
    track.append(ink);
    button.append(
      h("span", { class: "piece" }, continues ? `-${bare(piece)}` : bare(piece)),
      track,
      h("span", { class: "number" }, share < 0.0005 ? `< ${percent(0.001)}` : percent(share)),
    );
    button.addEventListener("click", () => this.onChoose(id, piece, isChosen));
    return h("li", {}, button);
  }
}

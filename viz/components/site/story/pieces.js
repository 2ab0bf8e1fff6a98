// Pictures of the article with controls: the pieces of the sentence with the neighbours of one of them in the vocabulary, an
// input that is tokenized while typing, and the distribution of a step as bars, which follow the sampling sliders.

import { candidateBars, nextTokens } from "../../shared/candidates.js";
import { h, focusNamed } from "../../shared/dom.js";
import { fill, formatFixed, isSpecial, spoken } from "../../shared/text.js";
import { samplingSliders } from "../desk/experiments.js";
import { barsOf, samplingOf } from "../desk/sampling_preview.js";

/** @import { Trace } from "../types.js" */
/** @import { Cut, Listed } from "../../engine/reading.js" */
/** @import { Choices } from "../links/choices.js" */

const N_BARS = 8;

/** @typedef {{cut: (text: string) => Promise<Cut>, around: (id: number) => Promise<Listed[]>}} Tokenizer */

export class Pieces {
  vocabularySize = 0;
  /** Id of the piece whose neighbours are shown. */ chosen = -1;
  /** @type {Trace | null} */ trace = null;

  /** @param {Record<string, string>} t
   * @param {Tokenizer} tokenizer of the open model */
  constructor(t, tokenizer) {
    this.t = t;
    this.tokenizer = tokenizer;
    this.sentence = h("ol", { class: "story-pieces", "data-of": "pieces ids", "aria-label": t.view_pieces });
    this.place = h("figcaption");
    this.list = h("ol", { class: "story-list" });
    this.words = t.try_words.split("|");
    this.input = h("input", {
      value: this.words[0],
      maxlength: 40,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      oninput: () => this.#try(),
    });
    this.tried = h("ol", { class: "story-pieces", "aria-label": t.view_try });
    this.count = h("p", { class: "site-hint", role: "status" });
    this.root = h(
      "div",
      { class: "story-cutting site-desk" },
      this.sentence,
      h("figure", { class: "story-vector", "data-of": "ids" }, this.place, this.list),
      this.#tryOut(),
    );
  }

  #tryOut() {
    const { t, input } = this;
    const chips = this.words.map((word) => h("button", { class: "site-chip", onclick: () => this.#begin(word) }, word));
    return h(
      "div",
      { class: "story-try", "data-of": "rare" },
      h("label", {}, h("span", {}, t.view_try), input),
      h("div", { class: "site-chips", role: "group", "aria-label": t.view_try }, chips),
      this.tried,
      this.count,
    );
  }

  /** @param {string} word */
  #begin(word) {
    this.input.value = word;
    return this.#try();
  }

  /** @param {Trace} trace
   * @param {number} place of the article's example token */
  draw(trace, place) {
    if (trace === this.trace) return undefined;
    this.trace = trace;
    this.vocabularySize = trace.about.config.target_vocab_size;
    const { pieces, words } = trace.source;
    const listed = pieces.map((piece, at) => ({ piece, id: trace.read[at] }));
    this.sentence.replaceChildren(...this.#cards({ pieces: listed, words }));
    return Promise.all([this.#showNeighbours(trace.read[place]), this.#try()]);
  }

  /** A list item for each word, with a card for each of its pieces. @param {Cut} cut */
  #cards({ pieces, words }) {
    /** @type {HTMLElement[]} */
    const groups = [];
    pieces.forEach(({ piece, id }, at) => {
      const isNew = !at || words[at] < 0 || words[at] !== words[at - 1];
      if (isNew) groups.push(h("li", { class: isSpecial(piece) && words[at] < 0 ? "story-special" : "" }));
      groups.at(-1)?.append(this.#card(piece, id));
    });
    return groups;
  }

  /** @param {string} piece @param {number} id */
  #card(piece, id) {
    const onclick = () => this.#showNeighbours(id);
    const isChosen = String(id === this.chosen);
    return h(
      "button",
      { class: "story-piece", "data-id": id, "aria-pressed": isChosen, onclick },
      h("span", {}, spoken(piece, this.t)),
      h("small", {}, id),
    );
  }

  /** Show a piece's neighbours in the vocabulary. @param {number} id */
  async #showNeighbours(id) {
    const { t } = this;
    this.chosen = id;
    for (const card of this.root.querySelectorAll("[data-id]"))
      card.setAttribute("aria-pressed", String(Number(/** @type {HTMLElement} */ (card).dataset.id) === id));
    const around = await this.tokenizer.around(id);
    if (id !== this.chosen) return; // another piece was pressed meanwhile
    this.place.textContent = fill(t.view_list, { id, n: formatFixed(this.vocabularySize, 0) });
    this.list.replaceChildren(
      ...around.map((listed) =>
        h(
          "li",
          { class: listed.id === id ? "story-chosen" : "" },
          h("small", {}, listed.id),
          h("span", {}, spoken(listed.piece, t)),
        ),
      ),
    );
  }

  /** Tokenize the input. */
  async #try() {
    const text = this.input.value.trim();
    const cut = text ? await this.tokenizer.cut(text) : { pieces: [], words: [] };
    if (text !== this.input.value.trim()) return;
    this.tried.replaceChildren(...this.#cards(cut));
    this.count.textContent = text && fill(this.t.view_cut, { n: cut.pieces.length });
  }
}

/** @typedef {{trace: Trace, step: number, logits: Float32Array, pieces: Record<number, string>}} Step with its logits */

export class Bars {
  /** The drawn step. @type {Step | null} */ step = null;

  /** @param {Record<string, string>} t
   * @param {{chosen: (prefix: number[]) => void, change: (changes: Partial<Choices>) => void}} on */
  constructor(t, on) {
    this.t = t;
    this.on = on;
    this.list = h("ol", { class: "bars", "data-of": "bars handles", "aria-label": t.candidates });
    this.sliders = h("div", { "data-of": "handles", class: "site-desk" });
    this.root = h("div", { class: "story-next" }, this.list, this.sliders);
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

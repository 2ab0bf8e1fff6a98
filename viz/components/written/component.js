/* Handwritten words with the letters that a model reads and its attention, and a pad to write a word. */

import { applyPalette, followTheme } from "../shared/colour.js";
import { h } from "../shared/dom.js";
import { Pad } from "../shared/pad/pad.js";
import { ReadWord } from "../shared/pad/read_word.js";
import { streamlitComponent } from "../shared/streamlit.js";

/**
 * @import { Reading } from "../shared/pad/read_word.js"
 * @typedef {{shown: (Reading & {key: string})[], acts: string[], letter: number, pad: boolean, words: Record<string,
 *   string>, language: string, colours: {light: Record<string, string>, dark: Record<string, string>}}} Data as
 *   viz/components/written sends it
 */

export default streamlitComponent((parent, /** @type {Data} */ data, send) => new Written(parent, data, send));

class Written {
  /** By picture, so that a word keeps its chosen letter when others change.
   * @type {Map<string, {word: ReadWord, root: HTMLElement}>} */
  cards = new Map();
  /** @type {Pad | null} */
  pad = null;
  words = h("div", { class: "written" });
  form = h("form", { class: "writing", onsubmit: (/** @type {Event} */ event) => this.#submit(event) });
  root = h("div", { class: "written-words" }, this.words, this.form);
  stopTheme = followTheme();

  /** @param {HTMLElement} parent @param {Data} data @param {import("../shared/streamlit.js").Send} send */
  constructor(parent, data, send) {
    this.send = send;
    parent.append(this.root);
    this.update(data);
  }

  /** @param {Data} data */
  update(data) {
    applyPalette(this.root, data.colours);
    this.cards = new Map(
      data.shown.map((reading) => {
        const name = JSON.stringify([reading, data.letter, data.language]);
        return [name, this.cards.get(name) ?? this.#card(reading, data)];
      }),
    );
    const cards = [...this.cards.values()];
    this.words.replaceChildren(...cards.map(({ root }) => root));
    this.words.dataset.many = String(cards.length > 2);
    for (const { word } of cards) word.draw();
    this.#fitPad(data);
  }

  /** @param {Reading & {key: string}} reading @param {Data} data */
  #card(reading, { words, acts, letter }) {
    const word = new ReadWord(reading, { strokes: words.written_word, nothing: words.nothing_read }, letter);
    const buttons = acts.map((act) =>
      h("button", { "data-act": act, onclick: () => this.send("act", `${act} ${reading.key}`) }, words[act]),
    );
    const actions = buttons.length > 0 && h("div", { class: "acts" }, ...buttons);
    return { word, root: h("div", { class: "written-card" }, word.root, actions) };
  }

  /** @param {Data} data */
  #fitPad({ pad, words }) {
    this.form.hidden = !pad;
    if (!pad) return;
    if (this.pad) return this.pad.setWords(words);
    this.pad = new Pad(words, { changed: () => undefined });
    this.form.replaceChildren(this.pad.root, h("button", { type: "submit", class: "read" }, words.translate));
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    const text = this.pad?.value;
    if (text) this.send("text", text);
  }

  destroy() {
    this.stopTheme();
    this.root.remove();
  }
}

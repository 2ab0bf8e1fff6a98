/* Words written by hand with what a model reads in each and where it looks; and a pad to write another one. */

import { applyPalette, followTheme } from "../shared/colour.js";
import { h } from "../shared/dom.js";
import { Pad } from "../shared/pad/pad.js";
import { ReadWord } from "../shared/pad/read_word.js";
import { pendingRun } from "../shared/pending.js";

/**
 * @import { Reading } from "../shared/pad/read_word.js"
 * @typedef {{shown: (Reading & {key: string})[], acts: string[], letter: number, pad: boolean, words: Record<string,
 *   string>, language: string, colours: {light: Record<string, string>, dark: Record<string, string>}}} Given as
 *   viz/components/written sends it
 * @typedef {(name: string, value: string) => void} Send
 */

/** @type {WeakMap<Element, Written>} */
const drawings = new WeakMap();

/** @param {{data: Given, parentElement: HTMLElement, setTriggerValue: Send}} given */
export default function ({ data, parentElement, setTriggerValue }) {
  document.documentElement.lang = data.language;
  let drawing = drawings.get(parentElement);
  if (!drawing) {
    drawing = new Written(setTriggerValue);
    parentElement.append(drawing.root);
    drawings.set(parentElement, drawing);
  }
  drawing.send = pendingRun(setTriggerValue);
  drawing.draw(data);
  return () => {
    drawing.end();
    drawings.delete(parentElement);
  };
}

class Written {
  /** By picture: what is looked at stays where others come and go. @type {Map<string, {word: ReadWord, root: HTMLElement}>} */
  cards = new Map();
  /** @type {Pad | null} */
  pad = null;
  /** @type {Given | null} */
  data = null;

  /** @param {Send} send */
  constructor(send) {
    this.send = send;
    this.words = h("div", { class: "written" });
    this.writing = h("form", { class: "writing", onsubmit: (/** @type {Event} */ event) => this.#read(event) });
    this.root = h("div", { class: "written-words" }, this.words, this.writing);
    this.endTheme = followTheme();
  }

  /** @param {Given} data */
  draw(data) {
    this.data = data;
    applyPalette(this.root, data.colours);
    const cards = new Map(
      data.shown.map((each) => {
        const name = JSON.stringify([each, data.letter, data.language]);
        return [name, this.cards.get(name) ?? this.#card(each, data)];
      }),
    );
    this.cards = cards;
    this.words.replaceChildren(...[...cards.values()].map(({ root }) => root));
    this.words.dataset.many = String(data.shown.length > 2);
    for (const { word } of cards.values()) word.draw();
    this.#fitPad(data);
  }

  /** @param {Reading & {key: string}} reading @param {Given} data */
  #card(reading, { words, acts, letter }) {
    const word = new ReadWord(reading, { strokes: words.written_word, nothing: words.nothing_read }, letter);
    const buttons = acts.map((act) =>
      h("button", { "data-act": act, onclick: () => this.send("act", `${act} ${reading.key}`) }, words[act]),
    );
    const root = h(
      "div",
      { class: "written-card" },
      word.root,
      buttons.length > 0 && h("div", { class: "acts" }, ...buttons),
    );
    return { word, root };
  }

  /** @param {Given} data */
  #fitPad({ pad, words }) {
    this.writing.hidden = !pad;
    if (!pad) return;
    if (this.pad) return this.pad.setWords(words);
    this.pad = new Pad(words, { changed: () => undefined });
    this.writing.replaceChildren(this.pad.root, h("button", { type: "submit", class: "read" }, words.translate));
  }

  /** @param {Event} event */
  #read(event) {
    event.preventDefault();
    const text = this.pad?.value;
    if (text) this.send("text", text);
  }

  end() {
    this.endTheme();
    this.root.remove();
  }
}

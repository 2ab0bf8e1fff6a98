// "Write a word": the pad on a phone, and the class's words with the model's reading and attention.

import { h, prefersReducedMotion, sleep } from "../shared/dom.js";
import { Pad } from "../shared/pad/pad.js";
import { ReadWord } from "../shared/pad/read_word.js";
import { fill } from "../shared/text.js";
import { placeOf } from "./acts.js";

/**
 * @import { ScreenContext, Question, Words } from "./types"
 * @import { Reading } from "../shared/pad/read_word.js"
 * @import { Child } from "../shared/dom.js"
 */

const NEXT_LETTER = 1400; // milliseconds

export class Writing {
  /** Of the question. */ id = "";
  /** The word that was sent last. */ sent = "";

  /**
   * @param {Words} words of the room
   * @param {Words} padWords
   * @param {(question: string, text: string) => Promise<string>} send resolves to an error message, or ""
   */
  constructor(words, padWords, send) {
    this.words = words;
    this.send = send;
    this.kicker = h("p", { class: "kicker" });
    this.heading = h("h1");
    this.button = h("button", { type: "submit", class: "main" }, words.write_send);
    this.status = h("p", { class: "remark", role: "status" });
    this.pad = new Pad(padWords, { changed: () => this.#update() });
    const form = h(
      "form",
      { onsubmit: (/** @type {Event} */ event) => this.#submit(event) },
      this.pad.root,
      this.button,
    );
    this.root = h("div", { class: "question writing" }, this.kicker, this.heading, form, this.status);
  }

  /** Show the question; an unsent word stays on the pad.
   * @param {Question} question @param {ScreenContext & {ownVote: string | undefined}} context */
  show(question, { shown, language, ownVote = "" }) {
    this.kicker.textContent = placeOf(shown, language, this.words.question);
    this.heading.textContent = question.words[language] ?? question.words.en;
    if (this.id === question.id) return;
    Object.assign(this, { id: question.id, sent: ownVote });
    this.pad.value = ownVote;
    this.#update();
  }

  #update(remark = "") {
    const { words, pad, sent } = this;
    const isSent = Boolean(sent) && pad.value === sent;
    this.button.disabled = isSent || !pad.value;
    this.status.textContent = remark || (isSent ? words.write_sent : sent ? words.write_again : words.write_note);
  }

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    const text = this.pad.value;
    if (!text || this.button.disabled) return;
    this.button.disabled = true;
    const remark = await this.send(this.id, text);
    if (!remark) this.sent = text;
    this.#update(remark);
  }
}

/**
 * The class's words side by side. Unless the reader prefers reduced motion, the selected letter advances automatically.
 * @param {{rows: Reading[], n?: number}} shown `n` is the count of all words, if some are left out
 * @param {{words: Words, ownText?: string, letter?: number}} how `ownText` is the student's word, `letter` the letter that
 *   is selected first
 */
export function wordsView({ rows, n = rows.length }, { words, ownText, letter = 0 }) {
  const texts = { strokes: words.write_strokes, nothing: words.write_nothing_read };
  const cards = rows.map((row) => ({ row, word: new ReadWord(row, texts, letter) }));
  const card = (/** @type {typeof cards[number]} */ { row, word }) =>
    h("div", { class: "read-card", "data-own": Boolean(ownText) && row.text === ownText }, word.root);
  const columns = Math.max(1, Math.ceil(Math.sqrt(1.4 * rows.length)));
  const style = { "--columns": columns, "--lines": Math.ceil(rows.length / columns) };
  const gallery = h("div", { class: "read-cards", style }, ...cards.map(card));
  void play(gallery, cards, letter);
  /** @type {Child[]} */
  const remarks = [h("p", { class: "remark" }, words.write_read)];
  if (n > rows.length) remarks.push(h("p", { class: "remark" }, fill(words.write_some, { n: rows.length, all: n })));
  return h("div", { class: "read-all" }, gallery, ...remarks);
}

/** @type {(gallery: HTMLElement, cards: {row: Reading, word: ReadWord}[], letter: number) => Promise<void>} */
async function play(gallery, cards, letter) {
  await sleep(0); // after the words are on the page
  for (const { word } of cards) word.draw();
  let isTouched = false;
  gallery.addEventListener("pointerdown", () => (isTouched = true));
  for (let place = letter + 1; !prefersReducedMotion(); place += 1) {
    await sleep(NEXT_LETTER);
    if (!gallery.isConnected || isTouched) return;
    for (const { row, word } of cards) if (row.letters.length) word.choose(place % row.letters.length);
  }
}

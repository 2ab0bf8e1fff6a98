// A written word, the letters that a model reads in it, and the attention weights of the chosen letter as colours of the
// strips.

import { h, context2d } from "../dom.js";
import { keepOneStop, rove } from "../roving.js";
import { tintPicture } from "./pad.js";
import { PICTURE_HEIGHT, PICTURE_WIDTH, inkWidth, pictureOfText } from "./picture.js";

/**
 * @typedef {object} Reading as viz/panels/handwriting.py writes it
 * @property {string} text the text form of the picture
 * @property {string[]} letters that the model reads
 * @property {number[][]} looks for each letter the weights of the strips with ink, in per cent
 * @property {number} [strip] width of a strip in pixels; a room that was stored by an earlier version has none
 * @property {string} [title] caption above it
 */

const SHARPNESS = 3;
const FORMER_STRIP = 6; // width of a strip while it was no part of a reading

export class ReadWord {
  /** @param {Reading} reading @param {{strokes: string, nothing: string}} words
   * @param {number} [chosen] the letter whose weights are shown first */
  constructor({ text, letters, looks, strip = FORMER_STRIP, title }, words, chosen = 0) {
    this.looks = looks;
    this.paper = h("canvas", { role: "img", "aria-label": words.strokes });
    this.picture = pictureOfText(text) ?? new Uint8Array(PICTURE_WIDTH * PICTURE_HEIGHT);
    const strips = looks[0]?.length ?? Math.ceil(inkWidth(this.picture) / strip);
    Object.assign(this.paper, { width: strips * strip * SHARPNESS, height: PICTURE_HEIGHT * SHARPNESS });
    this.strips = Array.from({ length: strips }, () => h("i", {}));
    this.letters = letters.map((letter, i) =>
      h("button", { onclick: () => this.choose(i), onpointerenter: () => this.choose(i) }, letter),
    );
    const lit = h("div", { class: "read-strips" }, ...this.strips);
    const sheet = h(
      "div",
      { class: "read-paper", style: { "--strips": strips, "--strip-pixels": strip } },
      lit,
      this.paper,
    );
    const row = h("div", { class: "read-letters", role: "group" }, ...this.letters);
    if (!letters.length) row.append(words.nothing);
    this.root = h("figure", { class: "read-word" }, title && h("figcaption", {}, title), sheet, row);
    rove(row, "button");
    row.addEventListener("focusin", () => this.choose(this.letters.findIndex((letter) => letter.matches(":focus"))));
    this.choose(chosen);
    keepOneStop(row, "button");
  }

  /** Show the weights of a letter. @param {number} place */
  choose(place) {
    const row = this.looks[Math.min(place, this.looks.length - 1)];
    if (!row || place < 0) return;
    this.strips.forEach((strip, i) => strip.style.setProperty("--weight", String(row[i] / 100)));
    this.letters.forEach((letter, i) => letter.setAttribute("aria-pressed", String(i === place)));
  }

  /** Paint the ink in the text colour of its place; call it after the word is on the page. */
  draw() {
    const context = context2d(this.paper);
    const ink = getComputedStyle(this.paper).color;
    context.clearRect(0, 0, this.paper.width, this.paper.height);
    context.drawImage(tintPicture(this.picture, ink), 0, 0, PICTURE_WIDTH * SHARPNESS, PICTURE_HEIGHT * SHARPNESS);
  }
}

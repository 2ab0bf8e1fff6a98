// Draws a moment of the ten-second loop of a change: the translation is written, the change is named, words are struck out,
// and new words appear.

import { css, mix, parseColour } from "../colour.js";
import { drawRibbons } from "../stage/stage.js";
import { bare, isSpecial } from "../text.js";
import { longestCommon, mergeRemoved } from "../diff.js";
import { textOrPicture } from "../pad/pad.js";
import { inkWidth } from "../pad/picture.js";

export const SECONDS = 10;
export const [WIDTH, HEIGHT] = [960, 540];
/** Seconds at which the translation is complete, the change is named, words are struck out, new words appear and have
 * arrived, and everything fades. */
const AT = { complete: 2.6, named: 3.6, removal: 4.4, arrival: 5.1, arrived: 5.8, fade: 9.6 };
const SMOOTH = 0.05; // seconds of a frame while something moves
const MARGIN = 56;
const [ABOVE, BELOW] = [212, 392]; // baselines of the two rows
const LARGEST_TYPE = 46; // pixels of the words
const SMALLEST_TYPE = 11;

/**
 * A translation and its attention weights.
 * @typedef {object} Scene
 * @property {string} text
 * @property {{pieces: string[]}} source
 * @property {{pieces: string[], ids: number[]}} target
 * @property {Uint8Array | null} picture the source, if it is a written word: its strips are the source tokens
 * @property {number} strip width of a strip in pixels
 * @property {(layer: number, head: number) => Float32Array} weightsOf weights (T, S) of a head
 */
/** @typedef {{text: string, isStart: boolean, place: number, mark: "" | "old" | "new"}} Word */
/** @typedef {Word & {x: number, width: number}} Placed with the centre of the word, and its width */

export class LoopPicture {
  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {HTMLElement} host whose font and colours it uses: those of Streamlit's theme, and --cross, --good and --bad
   * @param {{before: Scene, after: Scene, head: [number, number], isOff: boolean, title: string, foot: string}} what
   *   `head` has the ribbons; `isOff` if the change has switched it off
   */
  constructor(pen, host, what) {
    this.pen = pen;
    this.what = what;
    const style = getComputedStyle(host);
    const named = (/** @type {string} */ name) => parseColour(style.getPropertyValue(name));
    const [panel, ink] = [named("--st-secondary-background-color"), named("--st-text-color")];
    this.colours = {
      panel,
      ink,
      soft: mix(panel, ink, 0.66),
      line: named("--st-border-color"),
      cross: named("--cross"),
      good: named("--good"),
      bad: named("--bad"),
    };
    this.font = style.fontFamily;
    const { before, after } = what;
    /** @type {Word[]} */
    const merged = mergeRemoved(before.target, after.target).flatMap((item) =>
      "old" in item
        ? { text: item.old, isStart: true, place: -1, mark: "old" }
        : wordOf(after.target.pieces, item.place, item.isNew ? "new" : ""),
    );
    const rows = [before.picture ? [] : rowOf(before.source.pieces), rowOf(before.target.pieces), merged];
    this.size = Math.min(...rows.map((row) => this.#fitting(row)));
    this.source = this.#placed(rows[0]);
    /** The translation before the change. */
    this.before = this.#placed(rows[1]);
    /** The translation after it, with the removed words. */
    this.merged = this.#placed(rows[2]);
    /** Old places of unchanged words, by their new places. @type {Map<number, number>} */
    this.oldPlaces = new Map(longestCommon(before.target.ids, after.target.ids).map(([old, now]) => [now, old]));
    this.ink = before.picture ? textOrPicture(before) : null;
  }

  /** Seconds at which the picture changes. */
  get moments() {
    const { length } = this.before;
    const writing = this.before.map((_, place) => (place * AT.complete) / (length + 1));
    const moving = (/** @type {number} */ from, /** @type {number} */ to) =>
      Array.from({ length: Math.round((to - from) / SMOOTH) }, (_, i) => from + i * SMOOTH);
    return [...writing, AT.named, ...moving(AT.removal, AT.arrived), AT.arrived, ...moving(AT.fade, SECONDS)];
  }

  /** @param {number} seconds */
  paint(seconds) {
    const { pen, colours, what } = this;
    const { panel, ink, soft } = colours;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.globalAlpha = 1;
    pen.fillStyle = css(panel);
    pen.fillRect(0, 0, WIDTH, HEIGHT);
    const isNamed = seconds >= AT.named;
    this.#text(what.title, MARGIN, 84, { size: 34, weight: 650, colour: ink, alpha: isNamed ? 1 : 0 });
    this.#text("Regard", MARGIN, HEIGHT - 36, { size: 22, weight: 700, colour: ink });
    this.#text(what.foot, WIDTH - MARGIN, HEIGHT - 36, { size: 20, colour: soft, align: "right" });
    this.#drawSource();
    const arrival = eased((seconds - AT.arrival) / (AT.arrived - AT.arrival));
    if (arrival > 0) this.#drawAfter(arrival);
    else this.#drawBefore(seconds);
    const faded = (seconds - AT.fade) / (SECONDS - AT.fade);
    if (faded > 0) {
      pen.globalAlpha = Math.min(1, faded);
      pen.fillStyle = css(panel);
      pen.fillRect(0, ABOVE + 14, WIDTH, BELOW - ABOVE + 20);
      pen.globalAlpha = 1;
    }
  }

  /** Paint the complete change, as a still picture. */
  paintStill() {
    this.paint(AT.arrived + SMOOTH);
  }

  #drawSource() {
    const { pen, ink } = this;
    for (const { text, x } of this.source) this.#text(text, x, ABOVE, { colour: this.colours.ink, align: "center" });
    if (ink instanceof HTMLCanvasElement) {
      const { left, scale } = this.#strips;
      pen.drawImage(ink, left, ABOVE - 32 * scale, ink.width * scale, 32 * scale);
    }
  }

  /** Left edge and scale of a written word. */
  get #strips() {
    const width = /** @type {HTMLCanvasElement} */ (this.ink).width;
    const scale = Math.min(3.4, (WIDTH - 2 * MARGIN) / width);
    return { left: (WIDTH - width * scale) / 2, scale };
  }

  /** @param {number} seconds */
  #drawBefore(seconds) {
    const { before, what, colours } = this;
    const written = Math.min(before.length, Math.floor((seconds * (before.length + 1)) / AT.complete) + 1);
    const removal = Math.min(1, Math.max(0, (seconds - AT.removal) / (AT.arrival - AT.removal)));
    const visible = before.slice(0, written);
    const isWriting = seconds < AT.complete;
    visible.forEach((word, place) => {
      this.#ribbons(what.before, word.place, word.x, {
        colour: colours.cross,
        ink: isWriting && place === written - 1 ? 1 : 0.55 * (1 - 0.6 * removal),
      });
    });
    const unchanged = new Set(this.oldPlaces.values());
    for (const { text, x, width, place } of visible) {
      const isLost = !unchanged.has(place);
      const colour = isLost ? mix(colours.ink, colours.bad, removal) : colours.ink;
      this.#text(text, x, BELOW, { colour, align: "center" });
      if (isLost && removal > 0) this.#strike(x, width, removal, this.size);
    }
  }

  /** @param {number} share of the way from the old to the new places */
  #drawAfter(share) {
    const { what, colours, size } = this;
    for (const word of this.merged) {
      const { text, mark, width } = word;
      if (mark === "old") {
        this.#text(text, word.x, BELOW, { colour: colours.bad, align: "center", size: 0.82 * size });
        this.#strike(word.x, 0.82 * width, 1, 0.82 * size);
        continue;
      }
      const old = this.before.find(({ place }) => place === this.oldPlaces.get(word.place));
      const x = old ? old.x + (word.x - old.x) * share : word.x;
      const alpha = mark === "new" ? share : 1;
      const colour = what.isOff ? colours.line : colours.cross;
      this.#ribbons(what.after, word.place, x, { colour, ink: 0.55 * alpha });
      const weight = mark === "new" ? 650 : 400;
      this.#text(text, x, BELOW, { colour: mark ? colours.good : colours.ink, align: "center", alpha, weight });
    }
  }

  /** @param {Scene} scene @param {number} step
   * @param {number} x of its word
   * @param {{colour: number[], ink: number}} how */
  #ribbons(scene, step, x, { colour, ink }) {
    const n = scene.source.pieces.length;
    const weights = scene.weightsOf(...this.what.head).subarray(step * n, (step + 1) * n);
    /** @type {{x: number, y: number}[]} */
    const from = [];
    for (const word of this.source) from[word.place] = { x: word.x, y: ABOVE + 0.42 * this.size };
    if (scene.picture && this.ink) {
      const { left, scale } = this.#strips;
      const strips = Math.ceil(inkWidth(scene.picture) / scene.strip);
      for (let place = 0; place < strips; place++)
        from[place] = { x: left + (place + 0.5) * scene.strip * scale, y: ABOVE + 8 };
    }
    const to = { x, y: BELOW - 1.05 * this.size };
    drawRibbons(this.pen, { from, to, weights, colour: css(colour), ink });
  }

  /** @param {number} x @param {number} width
   * @param {number} share of the line
   * @param {number} size of the word */
  #strike(x, width, share, size) {
    const { pen, colours } = this;
    pen.strokeStyle = css(colours.bad);
    pen.lineWidth = 3;
    pen.beginPath();
    pen.moveTo(x - width / 2, BELOW - 0.28 * size);
    pen.lineTo(x - width / 2 + width * share, BELOW - 0.28 * size);
    pen.stroke();
  }

  /** @param {string} text @param {number} x
   * @param {number} y of its baseline
   * @param {{colour: number[], size?: number, weight?: number, align?: CanvasTextAlign, alpha?: number}} how */
  #text(text, x, y, { colour, size = this.size, weight = 400, align = "left", alpha = 1 }) {
    const { pen } = this;
    pen.font = this.#fontOf(size, weight);
    pen.textAlign = align;
    pen.globalAlpha = alpha;
    pen.fillStyle = css(colour);
    pen.fillText(text, x, y, WIDTH - 2 * MARGIN);
    pen.globalAlpha = 1;
  }

  /** @param {number} size @param {number} weight */
  #fontOf(size, weight) {
    return `${weight} ${size}px ${this.font}`;
  }

  /** The font size at which a row fits, in pixels. @param {Word[]} row */
  #fitting(row) {
    const total = this.#widths(row, 100).reduce((sum, { gap, width }) => sum + gap + width, 0);
    return Math.max(SMALLEST_TYPE, Math.min(LARGEST_TYPE, (100 * (WIDTH - 2 * MARGIN)) / Math.max(1, total)));
  }

  /** @param {Word[]} row @returns {Placed[]} */
  #placed(row) {
    const widths = this.#widths(row, this.size);
    let x = (WIDTH - widths.reduce((sum, { gap, width }) => sum + gap + width, 0)) / 2;
    return row.map((word, place) => {
      const { gap, width } = widths[place];
      const middle = x + gap + width / 2;
      x += gap + width;
      return { ...word, x: middle, width };
    });
  }

  /** @param {Word[]} row @param {number} size */
  #widths(row, size) {
    const { pen } = this;
    return row.map(({ text, isStart, mark }, place) => {
      pen.font = this.#fontOf(size, mark === "new" ? 650 : 400);
      return { width: pen.measureText(text).width, gap: place && isStart ? 0.3 * size : 0 };
    });
  }
}

/** @param {string[]} pieces */
const rowOf = (pieces) => pieces.flatMap((_, place) => wordOf(pieces, place, ""));

/** A piece as a word to draw; nothing for a special token.
 * @param {string[]} pieces @param {number} place @param {"" | "new"} mark @returns {Word[]} */
const wordOf = (pieces, place, mark) =>
  isSpecial(pieces[place]) ? [] : [{ text: bare(pieces[place]), isStart: /^[▁Ġ]/.test(pieces[place]), place, mark }];

/** @param {number} share */
const eased = (share) => (share <= 0 ? 0 : 1 - (1 - Math.min(1, share)) ** 3);

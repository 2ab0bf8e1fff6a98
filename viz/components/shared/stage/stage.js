// A sentence and its translation as rows of tokens, with ribbons between them whose widths are the attention weights. Tokens
// are buttons; for a written word, the strips of its picture are the tokens.

import { closest, focusedIn, h, prefersReducedMotion, sizedContext, context2d } from "../dom.js";
import { tintPicture } from "../pad/pad.js";
import { PICTURE_HEIGHT, PICTURE_WIDTH, inkWidth } from "../pad/picture.js";

/** @import { TokenHandlers, Mark, Ribbons, Side, Chip } from "./types" */

const MAX_WIDTH = 22; // pixels of a ribbon of weight 1
const EMPTY = 0.12; // width of a strip after the ink, relative to one with ink
const MIN_WEIGHT = 0.03; // a ribbon of a smaller weight is not drawn
const SHARPNESS = 3;

/** @type {Side[]} */
export const SIDES = ["source", "target"];
const GROWTH = 220; // milliseconds in which ribbons grow
const TOKEN = "[data-place]";

export class Stage {
  canvas = h("canvas", { class: "stage-ribbons", "aria-hidden": "true" });
  /** The ribbons drawn last, as JSON: the same ribbons are not animated again. */ drawn = "";
  frame = 0;
  /** Positions of the tokens, measured once: measuring in each frame would force a layout.
   * @type {ReturnType<Stage["measure"]> | null} */
  joints = null;

  /**
   * @param {HTMLElement} root around both rows; the ribbons are drawn behind its children
   * @param {Record<Side, HTMLElement>} rows
   * @param {() => string} colour of the ribbons, read whenever they are measured
   * @param {TokenHandlers} handlers
   */
  constructor(root, rows, colour, handlers) {
    this.root = root;
    this.rows = rows;
    this.colour = colour;
    root.prepend(this.canvas);
    for (const side of SIDES) this.#listen(side, handlers);
  }

  /** @param {Side} side @param {TokenHandlers} handlers */
  #listen(side, { point, leave, press }) {
    const row = this.rows[side];
    /** @type {<E extends Event>(act: (token: {side: Side, place: number}, event: E) => void) => (event: E) => void} */
    const onToken = (act) => (event) => {
      const token = closest(event, TOKEN);
      if (token) act({ side, place: Number(token.dataset.place) }, event);
    };
    for (const name of ["pointerover", "focusin"]) row.addEventListener(name, onToken(point));
    for (const name of ["pointerleave", "focusout"]) row.addEventListener(name, leave);
    row.addEventListener("click", onToken(press));
  }

  /** @param {Side} side @returns {NodeListOf<HTMLElement>} */
  tokensOf(side) {
    return this.rows[side].querySelectorAll(TOKEN);
  }

  /** Replace the tokens of a row; the focus stays at the same index. @param {Side} side @param {Node[]} children */
  fill(side, children) {
    const row = this.rows[side];
    const focused = focusedIn(row);
    const place = focused && row.contains(focused) ? focused.dataset.place : undefined;
    row.replaceChildren(...children);
    this.invalidate();
    if (place !== undefined) this.tokensOf(side)[Number(place)]?.focus();
  }

  /** @param {Side} side @param {(place: number, token: HTMLElement) => Mark} markOf */
  mark(side, markOf) {
    this.tokensOf(side).forEach((token, place) => {
      const { isPressed, isLater = false, weight } = markOf(place, token);
      token.setAttribute("aria-pressed", String(isPressed));
      token.toggleAttribute("data-later", isLater);
      if (weight !== undefined) token.style.setProperty("--weight", weight.toFixed(3));
    });
  }

  /** Measure again before the next drawing: tokens or colours have changed. */
  invalidate() {
    this.joints = null;
  }

  measure() {
    const { root, rows } = this;
    const { clientWidth: width, clientHeight: height } = root;
    const source = jointsOf(root, rows.source, TOKEN, "bottom");
    return { width, height, source, target: jointsOf(root, rows.target, TOKEN, "top"), colour: this.colour() };
  }

  /** Draw ribbons.
   * @param {Ribbons[]} ribbons
   * @param {number} [share] of their length that is drawn */
  show(ribbons, share = 1) {
    if (!this.root.clientWidth) return;
    this.joints ??= this.measure();
    const { source, target, width, height, colour } = this.joints;
    const context = sizedContext(this.canvas, width, height);
    const grown = 1 - (1 - share) ** 3;
    for (const { side, place, weights, isGrown, ink, maxWidth } of ribbons) {
      const [from, ends] = side === "target" ? [source, target] : [target, source];
      const to = ends[place];
      if (to) drawRibbons(context, { from, to, weights, colour, ink, maxWidth, share: isGrown ? 1 : grown });
    }
  }

  /** Draw ribbons, and let them grow if they differ from the last ones. @param {Ribbons[]} ribbons */
  animate(ribbons) {
    const name = JSON.stringify(ribbons);
    const isOther = name !== this.drawn;
    this.drawn = name;
    cancelAnimationFrame(this.frame);
    this.invalidate();
    if (!isOther || !ribbons.length || prefersReducedMotion()) return this.show(ribbons);
    const began = performance.now();
    const grow = () => {
      const share = Math.min(1, (performance.now() - began) / GROWTH);
      this.show(ribbons, share);
      if (share < 1) this.frame = requestAnimationFrame(grow);
    };
    return grow();
  }
}

/** @typedef {{x: number, y: number}} Point */

/**
 * Draw the ribbons of one word: from each word of the other row to this one, where they end side by side.
 * @param {CanvasRenderingContext2D} context
 * @param {{from: Point[], to: Point, weights: ArrayLike<number>, colour: string, share?: number, ink?: number,
 *   maxWidth?: number}} ribbon `share` of their length that is drawn, `ink` their opacity from 0 to 1, and `maxWidth` the
 *   width of weight 1 in pixels
 */
export function drawRibbons(context, { from, to, weights, colour, share = 1, ink = 1, maxWidth = MAX_WIDTH }) {
  const visible = from.map((_, i) => i).filter((i) => weights[i] >= MIN_WEIGHT);
  const total = visible.reduce((sum, i) => sum + weights[i], 0);
  let side = to.x - (maxWidth * total) / 2;
  context.strokeStyle = colour;
  context.lineCap = "butt";
  for (const i of visible) {
    const weight = weights[i];
    const width = maxWidth * weight;
    const [start, control1, control2, end] = curvePrefix(curve(from[i], { x: side + width / 2, y: to.y }), share);
    side += width;
    context.globalAlpha = ink * (0.22 + 0.5 * weight);
    context.lineWidth = Math.max(1, width);
    context.beginPath();
    context.moveTo(start.x, start.y);
    context.bezierCurveTo(control1.x, control1.y, control2.x, control2.y, end.x, end.y);
    context.stroke();
  }
  context.globalAlpha = 1;
}

/**
 * The points where ribbons meet the tokens of a row, by token; a token that is scrolled out of its row has none.
 * @param {Element} origin of the coordinates
 * @param {Element} row
 * @param {string} selector of its tokens
 * @param {"top" | "bottom"} edge
 * @returns {Point[]}
 */
function jointsOf(origin, row, selector, edge) {
  const { left, top } = origin.getBoundingClientRect();
  const room = row.getBoundingClientRect();
  /** @type {Point[]} */
  const joints = [];
  [...row.querySelectorAll(selector)].forEach((token, place) => {
    const box = token.getBoundingClientRect();
    if (box.bottom < room.top || box.top > room.bottom) return;
    joints[place] = { x: box.left + box.width / 2 - left, y: box[edge] - top + (edge === "top" ? -2 : 2) };
  });
  return joints;
}

/** A cubic curve with vertical tangents at both ends.
 * @param {Point} from @param {Point} to @returns {[Point, Point, Point, Point]} */
function curve(from, to) {
  const middle = (from.y + to.y) / 2;
  return [from, { x: from.x, y: middle }, { x: to.x, y: middle }, to];
}

/** The first part of a cubic curve (de Casteljau).
 * @param {[Point, Point, Point, Point]} points @param {number} share */
function curvePrefix([a, b, c, d], share) {
  if (share >= 1) return [a, b, c, d];
  const between = (/** @type {Point} */ p, /** @type {Point} */ q) => ({
    x: p.x + (q.x - p.x) * share,
    y: p.y + (q.y - p.y) * share,
  });
  const [ab, bc, cd] = [between(a, b), between(b, c), between(c, d)];
  const [abc, bcd] = [between(ab, bc), between(bc, cd)];
  return [a, ab, abc, between(abc, bcd)];
}

/** @param {string} name its class
 * @param {Side} side @param {Chip} chip
 * @param {number} place in its row */
export const tokenButton = (name, side, { text, title, label, continues, goes_on, special, unknown }, place) =>
  h(
    "button",
    {
      class: name,
      title,
      "aria-label": label,
      "data-place": place,
      "data-name": `${side} ${place}`,
      "data-start": !continues,
      "data-end": !goes_on,
      "data-special": special,
      "data-unknown": unknown,
    },
    text,
  );

/** @param {Uint8Array} picture (32 × 384)
 * @param {HTMLElement[]} strips from left to right
 * @param {number} strip width of a strip in pixels
 * @param {string} ink its colour */
export function pictureRow(picture, strips, strip, ink) {
  const inked = Math.min(strips.length, Math.ceil(inkWidth(picture) / strip) + 1);
  strips.forEach((each, place) => each.classList.toggle("stage-empty", place >= inked));
  const paper = h("canvas", { class: "stage-paper", "aria-hidden": "true" });
  Object.assign(paper, { width: inked * strip * SHARPNESS, height: PICTURE_HEIGHT * SHARPNESS });
  context2d(paper).drawImage(tintPicture(picture, ink), 0, 0, SHARPNESS * PICTURE_WIDTH, SHARPNESS * PICTURE_HEIGHT);
  const width = inked + EMPTY * (strips.length - inked);
  return h(
    "div",
    { class: "stage-picture", style: { "--strips": width, "--inked": inked / width, "--strip-pixels": strip } },
    paper,
    ...strips,
  );
}

// A sentence and its translation as rows of tokens, with ribbons between them whose widths are the attention weights.

import { closest, focusedIn, h, prefersReducedMotion, sizedContext } from "../dom.js";
import { drawRibbons, jointsOf } from "../ribbons.js";

/** @import { TokenHandlers, Mark, Ribbons, Side } from "./types" */

/** @type {Side[]} */
export const SIDES = ["source", "target"];
const GROWTH = 220; // milliseconds
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

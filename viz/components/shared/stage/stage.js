// A sentence and its translation as rows of tokens, with ribbons between them as wide as the weights.

import { closest, focusedIn, h, isStill, sizedContext } from "../dom.js";
import { drawRibbons, jointsOf } from "../ribbons.js";

/** @import { Hears, Mark, Ribbons, Side } from "./types" */

/** @type {Side[]} */
export const SIDES = ["source", "target"];
const GROWTH = 220; // milliseconds
const TOKEN = "[data-place]";

export class Stage {
  canvas = h("canvas", { class: "stage-ribbons", "aria-hidden": "true" });
  /** What was changed last, so that only something else grows. */ changed = "";
  frame = 0;
  /** Where the tokens are, measured once: in each frame it would lay the page out.
   * @type {ReturnType<Stage["measured"]> | null} */
  joints = null;

  /**
   * @param {HTMLElement} root around both rows; the ribbons are drawn behind what it holds
   * @param {Record<Side, HTMLElement>} rows
   * @param {() => string} colour of the ribbons, asked for whenever they are measured
   * @param {Hears} hears
   */
  constructor(root, rows, colour, hears) {
    this.root = root;
    this.rows = rows;
    this.colour = colour;
    root.prepend(this.canvas);
    for (const side of SIDES) this.#listen(side, hears);
  }

  /** @param {Side} side @param {Hears} hears */
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

  /** Put other tokens in a row; the place that had the focus keeps it. @param {Side} side @param {Node[]} children */
  fill(side, children) {
    const row = this.rows[side];
    const focused = focusedIn(row);
    const place = focused && row.contains(focused) ? focused.dataset.place : undefined;
    row.replaceChildren(...children);
    this.forget();
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

  /** Tokens or colours are no longer those that were measured. */
  forget() {
    this.joints = null;
  }

  measured() {
    const { root, rows } = this;
    const { clientWidth: width, clientHeight: height } = root;
    const source = jointsOf(root, rows.source, TOKEN, "bottom");
    return { width, height, source, target: jointsOf(root, rows.target, TOKEN, "top"), colour: this.colour() };
  }

  /** Draw ribbons.
   * @param {Ribbons[]} ribbons
   * @param {number} [share] of their way that they have grown */
  show(ribbons, share = 1) {
    if (!this.root.clientWidth) return;
    this.joints ??= this.measured();
    const { source, target, width, height, colour } = this.joints;
    const context = sizedContext(this.canvas, width, height);
    const grown = 1 - (1 - share) ** 3;
    for (const { side, place, weights, isGrown, ink, widest } of ribbons) {
      const [from, ends] = side === "target" ? [source, target] : [target, source];
      const to = ends[place];
      if (to) drawRibbons(context, { from, to, weights, colour, ink, widest, share: isGrown ? 1 : grown });
    }
  }

  /** Draw ribbons that grow, where they are others than before. @param {Ribbons[]} ribbons */
  change(ribbons) {
    const name = JSON.stringify(ribbons);
    const isOther = name !== this.changed;
    this.changed = name;
    cancelAnimationFrame(this.frame);
    this.forget();
    if (!isOther || !ribbons.length || isStill()) return this.show(ribbons);
    const began = performance.now();
    const grow = () => {
      const share = Math.min(1, (performance.now() - began) / GROWTH);
      this.show(ribbons, share);
      if (share < 1) this.frame = requestAnimationFrame(grow);
    };
    return grow();
  }
}

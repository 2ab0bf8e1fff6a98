// The tokens of a scene: the sentence or a picture, the translation with the added and removed words of a change, and the
// ribbons between them.

import { mergeRemoved } from "../../shared/diff.js";
import { h } from "../../shared/dom.js";
import { pictureRow, tokenButton } from "../../shared/stage/stage.js";
import { fill, isSpecial, spoken } from "../../shared/text.js";
import { weightsAt } from "./scene.js";

/** @import { Ribbons, Side } from "../../shared/stage/types" */
/** @import { Scene } from "./scene.js" */
/** @import { Moment } from "./view.js" */

/** @param {Scene} scene @param {Record<string, string>} t
 * @param {string} ink colour of a picture */
export function sourceTokens({ source, picture, strip: width }, t, ink) {
  if (!picture) return source.pieces.map((_, place) => wordOf("source", source.pieces, place, t));
  const strips = source.pieces.map((piece, place) => {
    const strip = { text: "", label: fill(t.strip, { text: piece }), continues: true, goes_on: true };
    const button = tokenButton("stage-strip", "source", strip, place);
    button.tabIndex = place ? -1 : 0;
    return button;
  });
  return [pictureRow(picture, strips, width, ink)];
}

/** @param {Scene} scene
 * @param {Scene | null} before the scene without the changes
 * @param {Record<string, string>} t */
export function targetTokens({ target }, before, t) {
  const tokenAt = (/** @type {number} */ place) => wordOf("target", target.pieces, place, t);
  if (!before) return target.pieces.map((_, place) => tokenAt(place));
  return mergeRemoved(before.target, target).map((item) => {
    if ("old" in item) return h("del", { class: "stage-old" }, item.old);
    const token = tokenAt(item.place);
    token.classList.toggle("stage-new", item.isNew);
    return token;
  });
}

/** @type {(side: Side, pieces: string[], place: number, t: Record<string, string>) => HTMLElement} */
function wordOf(side, pieces, place, t) {
  const [piece, next] = [pieces[place], pieces[place + 1]];
  const special = isSpecial(piece);
  const continues = place > 0 && !special && !piece.startsWith("▁");
  const goesOn = Boolean(next) && !next.startsWith("▁") && !isSpecial(next);
  const token = { text: spoken(piece, t), continues, goes_on: goesOn, special };
  return tokenButton(`stage-token${piece === "▁" ? " stage-space" : ""}`, side, token, place);
}

/** The ribbons of the step and, fainter, of the written tokens; or only those of a source token.
 * @param {Scene} scene @param {Pick<Moment, "head" | "step" | "source" | "written">} at @returns {Ribbons[]} */
export function ribbonsAt(scene, { head, step, source, written }) {
  const { target } = scene;
  const to = (/** @type {number} */ place) =>
    /** @type {const} */ ({ side: "target", place, weights: weightsAt(scene, head, place) });
  if (source !== null)
    return target.ids.map((_, place) => {
      const row = to(place);
      return { ...row, weights: row.weights.map((weight, at) => (at === source ? weight : 0)) };
    });
  const others = target.ids.flatMap((_, place) =>
    place !== step && place < written && !isSpecial(target.pieces[place])
      ? [{ ...to(place), ink: 0.3, maxWidth: 12, isGrown: true }]
      : [],
  );
  return [...others, to(step)];
}

/** Animate the words that a change has added. @param {ParentNode} row */
export function animateNew(row) {
  for (const [place, token] of [...row.querySelectorAll(".stage-new")].entries())
    token.animate(
      [
        { opacity: 0, transform: "translateY(-14px)" },
        { opacity: 1, transform: "none" },
      ],
      { duration: 320, delay: 60 * place, easing: "ease-out", fill: "backwards" },
    );
}

const FALL = 18; // pixels

/** Animate a token from the box of another element; from just above its place if that element is not rendered.
 * @param {Element} start @param {Element} token
 * @param {number} duration in milliseconds */
export function moveFrom(start, token, duration) {
  const [from, to] = [start.getBoundingClientRect(), token.getBoundingClientRect()];
  const transform = from.width
    ? `translate(${from.left - to.left}px, ${from.top - to.top}px)`
    : `translateY(${-FALL}px)`;
  const frames = [
    { transform, opacity: 0.2 },
    { transform: "none", opacity: 1 },
  ];
  token.animate(frames, { duration, easing: "cubic-bezier(.3,.8,.3,1)" });
}

/** Let the arrow keys move the focus from word to word. @param {KeyboardEvent} event */
export function focusNeighbour(event) {
  const { dataset, parentElement } = /** @type {HTMLElement} */ (event.target);
  const place = Number(dataset.place ?? NaN);
  const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!move || Number.isNaN(place)) return;
  /** @type {HTMLElement | null | undefined} */
  const next = parentElement?.querySelector(`[data-place="${place + move}"]`);
  next?.focus();
  event.preventDefault();
}

// The tokens on the stage.

import { withOld } from "../../shared/differing.js";
import { h } from "../../shared/dom.js";
import { isSpecial, spoken } from "../../shared/text.js";
import { colourStrips, pictureRow } from "./picture_row.js";

/** @import { Scene } from "./scene.js" */
/** @import { Stage } from "./stage.js" */

/**
 * Words that a change has brought come in.
 * @param {import("./stage.js").Stage} stage
 */
export function arrive(stage) {
  for (const [place, chip] of [...stage.targetRow.querySelectorAll(".stage-new")].entries())
    chip.animate(
      [
        { opacity: 0, transform: "translateY(-14px)" },
        { opacity: 1, transform: "none" },
      ],
      { duration: 320, delay: 60 * place, easing: "ease-out", fill: "backwards" },
    );
}

const FALL = 18; // pixels

/**
 * A token comes from where something else is; from just above its place where that is not on the page.
 * @param {Element} start
 * @param {Element} token
 * @param {number} duration in milliseconds
 */
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

/**
 * The tokens of the sentence and its translation, and which of them are chosen or not yet written. They are made once for
 * a scene: made anew at each step, the page would be laid out each time.
 * @param {Stage} stage
 * @param {Scene} scene
 */
export function drawTokens(stage, scene) {
  const { before, drawn, source, step, written } = stage;
  if (drawn[0] !== scene || drawn[1] !== before) {
    stage.drawn = [scene, before];
    stage.joints = null;
    stage.sourceRow.replaceChildren(
      ...(scene.picture
        ? [pictureRow(stage, scene)]
        : scene.source.pieces.map((piece, place) => chipOf(stage, scene, "source", piece, place))),
    );
    stage.targetRow.replaceChildren(...targetOf(stage, scene));
  }
  if (scene.picture) colourStrips(stage, scene);
  else
    for (const chip of chipsOf(stage.sourceRow)) {
      const place = Number(chip.dataset.place);
      chip.setAttribute("aria-pressed", String(place === source));
      if (scene.first) setLater(chip, place > scene.first + written); // a decoder-only model reads what it has written
    }
  for (const chip of chipsOf(stage.targetRow)) {
    const place = Number(chip.dataset.place);
    chip.setAttribute("aria-pressed", String(source === null && place === step));
    setLater(chip, place >= written);
  }
}

/**
 * @param {HTMLElement} chip
 * @param {boolean} isLater whether it is not yet written
 */
function setLater(chip, isLater) {
  chip.classList.toggle("stage-later", isLater);
  chip.tabIndex = isLater ? -1 : 0;
}

/**
 * @param {HTMLElement} row
 * @returns {NodeListOf<HTMLElement>}
 */
const chipsOf = (row) => row.querySelectorAll("[data-place]");

/**
 * The tokens of the translation, with what a change has brought and taken.
 * @param {Stage} stage
 * @param {Scene} scene
 */
function targetOf(stage, scene) {
  const { before } = stage;
  const { pieces } = scene.target;
  if (!before) return pieces.map((piece, place) => chipOf(stage, scene, "target", piece, place));
  return withOld(before.target, scene.target).map((item) => {
    if ("old" in item) return h("del", { class: "stage-old" }, item.old);
    const chip = chipOf(stage, scene, "target", pieces[item.place], item.place);
    chip.classList.toggle("stage-new", item.isNew);
    return chip;
  });
}

/**
 * A token of the sentence or its translation.
 * @param {Stage} stage
 * @param {Scene} scene
 * @param {"source" | "target"} side
 * @param {string} piece
 * @param {number} place
 */
function chipOf(stage, scene, side, piece, place) {
  const next = scene[side].pieces[place + 1];
  const classes = ["stage-token"];
  if (piece.startsWith("▁") || place === 0 || isSpecial(piece)) classes.push("stage-start");
  if (!next || next.startsWith("▁") || isSpecial(next)) classes.push("stage-end");
  if (isSpecial(piece)) classes.push("stage-special");
  if (piece === "▁") classes.push("stage-space");
  return h(
    "button",
    {
      type: "button",
      class: classes.join(" "),
      "data-place": place,
      "data-name": `${side} ${place}`,
      onclick: () => stage.pick(side, place),
    },
    spoken(piece, stage.t),
  );
}

/** The arrows move from word to word. @param {KeyboardEvent} event */
export function stepAside(event) {
  const place = Number(/** @type {HTMLElement} */ (event.target).dataset.place ?? NaN);
  const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!move || Number.isNaN(place)) return;
  const row = /** @type {HTMLElement} */ (event.target).parentElement;
  /** @type {HTMLElement | null | undefined} */
  const next = row?.querySelector(`[data-place="${place + move}"]:not([disabled])`);
  next?.focus();
  event.preventDefault();
}

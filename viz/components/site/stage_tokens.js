// The tokens on the stage.

import { h } from "../shared/dom.js";
import { bare, isSpecial } from "../shared/text.js";

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

/**
 * A token of the sentence or its translation.
 * @param {import("./stage.js").Stage} stage
 * @param {"source" | "target"} side
 * @param {string} piece
 * @param {number} place
 * @param {boolean} isPressed
 */
export function chipOf(stage, side, piece, place, isPressed) {
  const isLater = side === "target" && place >= stage.written;
  const classes = ["stage-token"];
  if (piece.startsWith("▁") || place === 0 || isSpecial(piece)) classes.push("stage-start");
  if (isSpecial(piece)) classes.push("stage-special");
  if (piece === "▁") classes.push("stage-space");
  if (isLater) classes.push("stage-later");
  return h(
    "button",
    {
      type: "button",
      class: classes.join(" "),
      "data-place": place,
      "data-name": `${side} ${place}`,
      "aria-pressed": String(isPressed),
      tabindex: isLater ? -1 : 0,
      onclick: () => stage.pick(side, place),
    },
    bare(piece),
  );
}

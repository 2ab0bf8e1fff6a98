// Of a picture's reading, what is pointed at or has the focus is shown as if it were chosen, and what was chosen before
// comes back: letters and strips are too many to press one after the other.

/** @import { Stage } from "./stage.js" */

/** @param {Stage} stage */
export function lookAtPointed(stage) {
  /** @type {{step: number, source: number | null} | null} what was chosen */
  let before = null;
  const look = (/** @type {Event} */ event) => {
    const { scene, isPlaying, targetRow } = stage;
    const token = /** @type {HTMLElement} */ (event.target).closest?.("[data-place]");
    if (!scene?.picture || isPlaying || !(token instanceof HTMLElement)) return;
    const place = Number(token.dataset.place);
    const { step, source } = stage;
    before ??= { step, source };
    stage.look(targetRow.contains(token) ? { step: place, source: null } : { step: before.step, source: place });
  };
  const leave = () => {
    if (before && !stage.isPlaying) stage.look(before);
    before = null;
  };
  for (const row of [stage.sourceRow, stage.targetRow]) {
    row.addEventListener("pointerover", (event) => event.pointerType === "mouse" && look(event));
    row.addEventListener("focusin", look);
    row.addEventListener("pointerleave", leave);
    row.addEventListener("focusout", leave);
    row.addEventListener("click", () => (before = null), { capture: true }); // it is chosen now
  }
}

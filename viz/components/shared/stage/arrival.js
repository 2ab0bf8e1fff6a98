// The first visit: a head that matters for the sentence is switched off automatically, the words that depend on it change,
// and Undo is offered.

import { prefersReducedMotion, sleep } from "../dom.js";

const PLAYED = "regard-met"; // key in localStorage

/** Whether the address had no parameters and the reader has done nothing since the page was loaded. */
let isUntouched = !new URL(performance.getEntriesByType?.("navigation")[0]?.name ?? location.href).search;
for (const name of ["pointerdown", "keydown"])
  window.addEventListener(name, () => (isUntouched = false), { capture: true, once: true });
let isPlaying = false;

/** Whether this is the first visit; false where the browser stores nothing. */
const isFirstVisit = () => {
  try {
    return !localStorage.getItem(PLAYED);
  } catch {
    return false;
  }
};

/** Switch the head off on a first visit, unless the reader does something first.
 * @param {{button: Element | null, milliseconds: number, isWanted?: () => boolean, switchOff: () => void}} how `button`
 *   does the same and pulses for `milliseconds` first; `isWanted` is called after them */
export async function playArrival({ button, milliseconds, isWanted = () => true, switchOff }) {
  if (!isUntouched || isPlaying || prefersReducedMotion() || !isFirstVisit()) return;
  isPlaying = true;
  button?.toggleAttribute("data-pulse", true);
  await sleep(milliseconds);
  button?.toggleAttribute("data-pulse", false);
  isPlaying = false;
  if (!isUntouched || !isWanted()) return;
  isUntouched = false;
  try {
    localStorage.setItem(PLAYED, "1");
  } catch {
    return; // else it would be played on each visit
  }
  switchOff();
}

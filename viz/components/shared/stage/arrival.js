// What a newcomer sees first: a head that matters for the sentence is switched off by itself, the words that depend on it
// change, and the page stops there, with the way back beside it.

import { isStill, pause } from "../dom.js";

const MET = "regard-met"; // in the browser's storage: it was played

/** Whether nothing was done since the page was loaded, and its address asked for nothing. */
let isUntouched = !new URL(performance.getEntriesByType?.("navigation")[0]?.name ?? location.href).search;
for (const name of ["pointerdown", "keydown"])
  window.addEventListener(name, () => (isUntouched = false), { capture: true, once: true });
let isArriving = false;

/** Whether it is the first visit, by what the browser keeps; where it keeps nothing, no visit is. */
const isFirst = () => {
  try {
    return !localStorage.getItem(MET);
  } catch {
    return false;
  }
};

/** Switch the head off on a first visit, unless the reader does something first.
 * @param {{button: Element | null, milliseconds: number, isWanted?: () => boolean, switchOff: () => void}} how `button`
 *   is the one that does the same, which is seen for so many `milliseconds` before; `isWanted` is asked after them */
export async function playArrival({ button, milliseconds, isWanted = () => true, switchOff }) {
  if (!isUntouched || isArriving || isStill() || !isFirst()) return;
  isArriving = true;
  button?.toggleAttribute("data-pulse", true);
  await pause(milliseconds);
  button?.toggleAttribute("data-pulse", false);
  isArriving = false;
  if (!isUntouched || !isWanted()) return;
  isUntouched = false;
  try {
    localStorage.setItem(MET, "1");
  } catch {
    return; // it would be played on each visit
  }
  switchOff();
}

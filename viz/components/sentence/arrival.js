// What a newcomer sees first: a head that matters for the sentence is switched off by itself, the words that depend on it
// change, and the page stops there, with the way back beside it.

import { isStill, pause } from "../shared/dom.js";
import { surprise } from "../shared/surprise.js";

/** @import { Stage } from "./component.js" */

const MET = "regard-met"; // in the browser's storage: it was played
const READ = 1500; // milliseconds in which the sentence and the button that is pressed can be read

/** Whether nothing was done since the page was loaded, and its address asked for nothing. */
let isUntouched =
  !new URL(performance.getEntriesByType?.("navigation")[0]?.name ?? location.href).search && window.parent === window;
for (const name of ["pointerdown", "keydown"])
  window.addEventListener(name, () => (isUntouched = false), { capture: true, once: true });

/** Whether it is the first visit, by what the browser keeps; where it keeps nothing, no visit is. */
const isFirst = () => {
  try {
    return !localStorage.getItem(MET);
  } catch {
    return false;
  }
};

/**
 * Play it where it is offered, unless the reader does something first.
 * @param {Stage} stage
 */
export async function playArrival(stage) {
  const { data } = stage;
  const told = data.surprise && surprise(data.surprise.text, data.surprise.changing);
  if (!told || data.page || data.presenter || !isUntouched || stage.isArriving || isStill() || !isFirst()) return;
  stage.isArriving = true;
  const button = stage.outcome.querySelector(".surprise");
  button?.toggleAttribute("data-pulse", true);
  await pause(READ);
  button?.toggleAttribute("data-pulse", false);
  if (!isUntouched || stage.data.text !== data.text || !stage.data.surprise) return;
  isUntouched = false;
  try {
    localStorage.setItem(MET, "1");
  } catch {
    return; // it would be played on each visit
  }
  stage.send("act", { name: "switch_off", layer: told.layer, head: told.head, unasked: true });
}

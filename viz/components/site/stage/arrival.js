// What a newcomer sees first: the sentence is written, then a head is switched off by itself, the words that depend on it
// change, and the page stops there.

import { isStill, pause } from "../../shared/dom.js";
import { switchOff } from "./trying.js";

const MET = "regard-met";
const LOOK = 900; // milliseconds in which the button that is pressed can be seen

/** Whether it is the first visit, by what the browser keeps; where it keeps nothing, no visit is. */
const isFirst = () => {
  try {
    return !localStorage.getItem(MET);
  } catch {
    return false;
  }
};

/**
 * Play it once the sentence is written, unless the reader does something first.
 * @param {import("../page.js").Page} page
 * @returns {{written: () => void}} told when the sentence is written
 */
export function arrival(page) {
  const { example, isEmbedded } = page;
  let isWanted = isFirst() && !location.search && !isEmbedded && !isStill();
  const life = new AbortController();
  const leave = () => {
    isWanted = false;
    life.abort();
  };
  for (const name of ["pointerdown", "keydown"])
    window.addEventListener(name, leave, { capture: true, signal: life.signal });
  return {
    written: async () => {
      if (!isWanted || !example?.head) return;
      const button = page.ways.root.querySelector(".way-surprise");
      button?.toggleAttribute("data-pulse", true);
      await pause(LOOK);
      button?.toggleAttribute("data-pulse", false);
      if (!isWanted) return;
      leave();
      try {
        localStorage.setItem(MET, "1");
      } catch {
        // it is played again on the next visit
      }
      switchOff(page, example.head, { isKept: false });
    },
  };
}

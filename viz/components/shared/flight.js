// Words that move from where they stood to where they stand now.

import { isStill } from "./dom.js";

/** Where the elements of a row are on the screen. @param {Element | null | undefined} row */
export const placesOf = (row) => [...(row?.children ?? [])].map((each) => each.getBoundingClientRect());

/** Each element of a row comes from its former place. Elements that had none on the screen stay.
 * @param {Element} row @param {DOMRect[]} places
 * @returns {Promise<unknown>} settled once they are where they stand */
export function flyFrom(row, places) {
  if (isStill()) return Promise.resolve();
  /** @type {Promise<Animation>[]} */
  const landed = [];
  const here = placesOf(row); // all of them before the first moves: each reading after it would lay the page out
  for (const [i, token] of [...row.children].entries()) {
    const [from, to] = [places[i], here[i]];
    if (!from?.height || !to.height) continue;
    const transform = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.height / to.height})`;
    const flight = token.animate(
      [
        { transform, transformOrigin: "0 0" },
        { transform: "none", transformOrigin: "0 0" },
      ],
      { duration: 520, easing: "cubic-bezier(.2,.8,.2,1)" },
    );
    landed.push(flight.finished);
  }
  return Promise.allSettled(landed);
}

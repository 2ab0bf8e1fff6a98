// Words animate from their old positions to their new ones (FLIP).

import { prefersReducedMotion } from "./dom.js";

/** The boxes of a row's elements on the screen. @param {Element | null | undefined} row */
export const placesOf = (row) => [...(row?.children ?? [])].map((child) => child.getBoundingClientRect());

/** Animate each element of a row from its old box. Elements without one do not move.
 * @param {Element} row @param {DOMRect[]} places the old boxes
 * @returns {Promise<unknown>} settled after the last animation */
export function flyFrom(row, places) {
  if (prefersReducedMotion()) return Promise.resolve();
  /** @type {Promise<Animation>[]} */
  const landed = [];
  const ends = placesOf(row); // measured before the first animation: each measurement after it would force a layout
  for (const [i, token] of [...row.children].entries()) {
    const [from, to] = [places[i], ends[i]];
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

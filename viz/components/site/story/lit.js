// The parts of the picture that the paragraph points at.

import { isStill } from "../../shared/dom.js";

/** Pixels between such a part and the edge of its place. */
const EDGE = 10;

/** Bring out the parts that a paragraph names.
 * @param {HTMLElement} view
 * @param {string} part one or several, with spaces between */
export function light(view, part) {
  const wanted = part.split(" ");
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (view.querySelectorAll("[data-of]"))) {
    const parts = String(each.dataset.of).split(" ");
    each.toggleAttribute(
      "data-lit",
      wanted.some((name) => parts.includes(name)),
    );
  }
}

/** Where the picture is larger than its place, as on a phone, scroll it to the parts that are brought out.
 * @param {HTMLElement} picture */
export function showLit(picture) {
  const lit = [...picture.querySelectorAll("[data-lit]")].map((each) => each.getBoundingClientRect());
  if (!lit.length || picture.scrollHeight <= picture.clientHeight) return;
  const place = picture.getBoundingClientRect();
  const above = Math.min(...lit.map(({ top }) => top)) - EDGE - place.top;
  const below = Math.max(...lit.map(({ bottom }) => bottom)) + EDGE - place.bottom;
  const by = below > 0 ? Math.min(below, above) : Math.min(0, above);
  if (by) picture.scrollBy({ top: by, behavior: isStill() ? "instant" : "smooth" });
}

// The door to the model that reads handwriting, on the first screen, and the way back.

import { h } from "../../shared/dom.js";
import { drawnText } from "../../shared/pad/drawn.js";

/** @param {import("../page.js").Page} page
 * @returns {HTMLElement | null} nothing where all models read the same */
export function doorOf(page) {
  const { t, written, isPicture } = page;
  const other = written.models.find(({ reads }) => (reads === "picture") !== isPicture);
  if (!other) return null;
  const opening = written.openings[other.name];
  return h(
    "button",
    { class: "page-door", onclick: () => page.desk?.turnTo(other.name) },
    isPicture ? "" : drawnText({ text: opening.text, says: opening.translation }),
    h("span", {}, isPicture ? t.door_back : t.door),
  );
}

// Another model, or another entry of the history: the page shows nothing of the one before under the new name.

import { fetchStored } from "../stage/shown.js";
import { drawLeft, readAddress } from "./restoring.js";

/**
 * Another model is chosen: the translation before is none of its own. A decoder-only model goes on from other texts than those
 * that are translated.
 * @param {any} page
 */
export function toOtherModel(page) {
  const { choices, model } = page;
  page.head = undefined;
  if (model.main === page.spoken) page.drawBelow();
  else {
    Object.assign(choices, { text: page.written.openings[model.name].text, kind: model.main });
    page.desk.input.value = choices.text;
    page.speak();
    page.drawWords();
  }
  page.show();
  page.level?.arrange();
  fetchStored(page);
}

/**
 * The reader has gone back or forward.
 * @param {any} page
 */
export function restore(page) {
  const before = [page.language, page.spoken];
  readAddress(page);
  page.speak();
  page.choices.text ||= page.written.openings[page.model.name]?.text ?? "";
  if (String([page.language, page.spoken]) !== String(before)) page.drawWords();
  drawLeft(page);
  page.desk?.take(page.choices);
  page.level?.open(page.choices.level, { isRestored: true });
  page.show();
}

// Another model, or another entry of the history: the page shows nothing of the one before under the new name.

import { fetchStored } from "../stage/shown.js";
import { isPictureText, pictureOfText } from "../../shared/pad/picture.js";
import { drawLeft, readAddress } from "./restoring.js";

/** @import { Page } from "../page.js" */

/** Whether there is something to read, and the model reads such a thing: a picture or a text. @param {Page} page */
export const isRead = ({ choices, isPicture }) =>
  Boolean(choices.text) && isPictureText(choices.text) === isPicture && (!isPicture || pictureOfText(choices.text));

/** Another model is chosen: the translation before is none of its own. A decoder-only model goes on from other texts
 * than those that are translated, and some models read pictures: what each kind has read before comes back.
 * @param {Page} page */
export function toOtherModel(page) {
  const { choices, model, sources } = page;
  page.head = undefined;
  if (model.variant === page.spoken) page.drawBelow();
  else {
    sources.set(page.spoken, choices.text);
    const text = sources.get(model.variant) ?? page.written.openings[model.name].text;
    Object.assign(choices, { text, kind: model.main });
    page.speak();
    page.drawWords();
  }
  page.show();
  page.level?.arrange();
  fetchStored(page);
}

/** The reader has gone back or forward. @param {Page} page */
export function restore(page) {
  const before = [page.language, page.spoken];
  readAddress(page);
  page.speak();
  if (!isRead(page)) page.choices.text = page.written.openings[page.model.name]?.text ?? "";
  if (String([page.language, page.spoken]) !== String(before)) page.drawWords();
  drawLeft(page);
  page.desk?.take(page.choices);
  page.level?.open(page.choices.level, { isRestored: true });
  page.show();
}

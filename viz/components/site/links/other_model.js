// Updates the page for another model or another entry of the history.

import { fetchStored } from "../stage/shown.js";
import { isPictureText, pictureOfText } from "../../shared/pad/picture.js";
import { drawUnsupported, readAddress } from "./restoring.js";

/** @import { Page } from "../page.js" */

/** Whether there is a text or picture that the model can read. @param {Page} page */
export const isRead = ({ choices, isPicture }) =>
  Boolean(choices.text) && isPictureText(choices.text) === isPicture && (!isPicture || pictureOfText(choices.text));

/** Show another model. Each variant (translation, decoder-only, pictures) has its last text, which is restored.
 * @param {Page} page */
export function toOtherModel(page) {
  const { choices, model, sources } = page;
  page.head = undefined;
  if (model.variant === page.variant) page.drawBelow();
  else {
    sources.set(page.variant, choices.text);
    const text = sources.get(model.variant) ?? page.written.openings[model.name].text;
    Object.assign(choices, { text, kind: model.main });
    page.setLanguage();
    page.drawWords();
  }
  page.show();
  page.level?.arrange();
  fetchStored(page);
}

/** Restore the address after Back or Forward. @param {Page} page */
export function restore(page) {
  const before = [page.language, page.variant];
  readAddress(page);
  page.setLanguage();
  if (!isRead(page)) page.choices.text = page.written.openings[page.model.name]?.text ?? "";
  if (String([page.language, page.variant]) !== String(before)) page.drawWords();
  drawUnsupported(page);
  page.desk?.restore(page.choices);
  page.level?.open(page.choices.level, { isRestored: true });
  page.show();
}

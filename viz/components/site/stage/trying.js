// What the buttons under the sentence do, before the model is there too.

import { headAt, unchanged } from "../links/choices.js";

/** @import { Page } from "../page.js" */
/** @typedef {Pick<Page, "choices" | "desk" | "remember" | "show">} Changed the part of the page that a change is made on */

/** Switch off a head that is worth it.
 * @param {Changed & Pick<Page, "stage" | "head" | "model">} page @param {[number, number]} head
 * @param {{isKept?: boolean}} [how] whether the address has it: not where the page does it by itself */
export function switchOff(page, head, { isKept = true } = {}) {
  page.stage.pause();
  page.head = head;
  Object.assign(page.choices, { kind: page.model.main, heads: [head] });
  const off = [headAt(head, page.model.main)];
  if (isKept && page.desk?.about) return page.desk.change({ off });
  Object.assign(page.choices, { off, pins: [] });
  if (isKept) page.remember(false);
  const asked = page.desk?.ask(); // what is shown until it is answered is stored
  page.show();
  return asked;
}

/** @param {Changed} page */
export function undo(page) {
  if (page.desk?.about) return page.desk.undo();
  Object.assign(page.choices, unchanged());
  page.remember(false);
  return page.show();
}

/** The box for a sentence, with what is in it selected; or the pad. @param {Pick<Page, "own">} page */
export function ownSentence({ own }) {
  /** @type {HTMLTextAreaElement | HTMLCanvasElement | null} */
  const box = own.querySelector("textarea, canvas");
  box?.focus();
  if (box instanceof HTMLTextAreaElement) box.select();
}

// The actions of the buttons below the sentence; they work before the model has loaded, too.

import { headAt, unchanged } from "./links/choices.js";
import { throwWithReload } from "./version.js";

/** @import { Page } from "./page.js" */

/** @typedef {Pick<Page, "choices" | "desk" | "remember" | "show">} ChangeablePage */

/** Switch the offered head off.
 * @param {ChangeablePage & Pick<Page, "stage" | "head" | "model">} page @param {[number, number]} head
 * @param {{isInAddress?: boolean}} [how] false where the page does it automatically */
export function switchOff(page, head, { isInAddress = true } = {}) {
  page.stage.pause();
  page.head = head;
  Object.assign(page.choices, { kind: page.model.main, heads: [head] });
  const off = [headAt(head, page.model.main)];
  if (isInAddress && page.desk?.about) return page.desk.change({ off });
  Object.assign(page.choices, { off, pins: [] });
  if (isInAddress) page.remember(false);
  const computing = page.desk?.compute();
  page.show(); // the stored translation, until the computed one arrives
  return computing;
}

/** @param {ChangeablePage} page */
export function undo(page) {
  if (page.desk?.about) return page.desk.undo();
  Object.assign(page.choices, unchanged());
  page.remember(false);
  return page.show();
}

/** Focus the text box, with its text selected, or the pad. @param {Pick<Page, "editor">} page */
export function focusEditor({ editor }) {
  /** @type {HTMLTextAreaElement | HTMLCanvasElement | null} */
  const box = editor.querySelector("textarea, canvas");
  box?.focus();
  if (box instanceof HTMLTextAreaElement) box.select();
}

/** @param {Record<string, string>} t @param {import("../shared/share/share.js").Change | null} change */
export async function shareChange(t, change) {
  if (!change) return;
  const { default: Dialog } = await import("./share_entry.js").catch((failure) => throwWithReload(t, failure));
  new Dialog(t, change).open();
}

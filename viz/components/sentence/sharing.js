// "Share this change": the dialog with the change as a loop, its link and its picture.

import { sharedAddress } from "../shared/address.js";
import { applyPalette } from "../shared/colour.js";
import { weightsOfBase64 } from "../shared/packet.js";
import { pictureOfText } from "../shared/pad/picture.js";
import { ShareDialog } from "../shared/share/share.js";
import { surprise } from "../shared/surprise.js";
import { fill } from "../shared/text.js";
import { copyLink } from "./menu.js";

/** @import { Given, SharedScene } from "./types" */

/** @param {Given} data
 * @param {{root: HTMLElement, said: HTMLElement, pressed: HTMLElement}} where `said` is what a screen reader hears */
export function shareChange(data, { root, said, pressed }) {
  const { shared, words } = data;
  if (!shared) return copyLink(words, pressed, words.share_change, said);
  const dialog = new ShareDialog(words, {
    before: sceneOf(shared.before, data.text),
    after: sceneOf(shared.after, data.text),
    head: [0, 0], // the scenes have no other
    isOff: shared.is_off,
    title: titleOf(data),
    foot: words.share_foot,
    link: sharedAddress(window.location.href),
  });
  applyPalette(root, data.colours);
  dialog.root.addEventListener("close", () => pressed.focus());
  return dialog.open(root);
}

/** @param {SharedScene} scene @param {string} text */
function sceneOf({ source, target, target_ids: ids, weights }, text) {
  const [picture, floats] = [pictureOfText(text), weightsOfBase64(weights)];
  return { text, source: { pieces: source }, target: { pieces: target, ids }, picture, weightsOf: () => floats };
}

/** What is changed, and what becomes of the words. @param {Given} data */
function titleOf({ shared, verdict, words }) {
  const [before, after] = [verdict?.before, verdict?.after].map((said) => said?.words.join(said.joiner) ?? "");
  const told = surprise(before, [[0, 0, after]]);
  const [changes, head] = [shared?.changes ?? "", shared?.only_head];
  if (!told) return changes;
  return fill(head ? words.share_without : words.share_title, { ...told, changes, head });
}

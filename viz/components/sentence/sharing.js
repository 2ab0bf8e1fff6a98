// Opens the dialog "Share this change" with the app's data.

import { sharedAddress } from "../shared/address.js";
import { applyPalette } from "../shared/colour.js";
import { weightsOfBase64 } from "../shared/packet.js";
import { pictureOfText } from "../shared/pad/picture.js";
import { ShareDialog } from "../shared/share/share.js";
import { surprise } from "../shared/surprise.js";
import { fill } from "../shared/text.js";
import { copyLink } from "./menu.js";

/** @import { StageData, SharedScene } from "./types" */

/** @param {StageData} data
 * @param {{root: HTMLElement, liveRegion: HTMLElement, button: HTMLElement}} elements */
export function shareChange(data, { root, liveRegion, button }) {
  const { shared, words } = data;
  if (!shared) return copyLink(words, button, words.share_change, liveRegion);
  const dialog = new ShareDialog(words, {
    before: sceneOf(shared.before, data),
    after: sceneOf(shared.after, data),
    head: [0, 0], // the scenes contain only one head
    isOff: shared.is_off,
    title: titleOf(data),
    foot: words.share_foot,
    link: sharedAddress(window.location.href),
  });
  applyPalette(root, data.colours);
  dialog.root.addEventListener("close", () => button.focus());
  return dialog.open(root);
}

/** @param {SharedScene} scene @param {StageData} data */
function sceneOf({ source, target, target_ids: ids, weights }, { text, strip }) {
  const [picture, floats] = [pictureOfText(text), weightsOfBase64(weights)];
  return { text, source: { pieces: source }, target: { pieces: target, ids }, picture, strip, weightsOf: () => floats };
}

/** The intervention and the words that it replaces. @param {StageData} data */
function titleOf({ shared, verdict, words }) {
  const [before, after] = [verdict?.before, verdict?.after].map((spoken) => spoken?.words.join(spoken.joiner) ?? "");
  const replaced = surprise(before, [[0, 0, after]]);
  const [changes, head] = [shared?.changes ?? "", shared?.only_head];
  if (!replaced) return changes;
  return fill(head ? words.share_without : words.share_title, { ...replaced, changes, head });
}

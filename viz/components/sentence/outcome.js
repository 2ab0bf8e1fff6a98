// Below the translation: a head to switch off; after an intervention its effect, the next actions, and the dialog that shares
// it.

import { sharedAddress } from "../shared/address.js";
import { applyPalette } from "../shared/colour.js";
import { surprise, diffWords } from "../shared/diff.js";
import { focusedIn, h } from "../shared/dom.js";
import { weightsOfBase64 } from "../shared/packet.js";
import { pictureOfText } from "../shared/pad/picture.js";
import { ShareDialog } from "../shared/share/share.js";
import { NextActions } from "../shared/stage/next_actions.js";
import { fill, percent } from "../shared/text.js";
import { copyLink } from "./menu.js";

/** @import { ChangingHeads, StageData, SharedScene } from "./types" */

/** A smaller change of a probability is not reported. */
const MIN_CHANGE = 0.005;

export class Outcome {
  line = h("p", { class: "verdict" });
  /** @type {ChangingHeads | null} as measured since the page was drawn */ measured = null;
  /** @type {StageData | null} the data on screen */ data = null;

  /** @param {ConstructorParameters<typeof NextActions>[1] & {moveFocus: () => void}} on `moveFocus` is called when the
   *   button that had the focus is removed and no other takes its place */
  constructor(on) {
    this.on = on;
    this.actions = new NextActions({}, on);
    this.root = h("div", { class: "outcome" }, this.line, this.actions.root);
  }

  /** @param {StageData} data
   * @returns {string | undefined} the announcement for a screen reader; undefined without an intervention */
  draw(data) {
    this.data = data;
    const { words, has_outcome: hasPlace } = data;
    const effect = data.verdict && verdict(data.verdict.before, data.verdict.after, words);
    const hadFocus = this.root.contains(focusedIn(this.root));
    this.line.replaceChildren(...(effect?.nodes ?? []));
    this.line.lang = this.line.childElementCount ? data.target_language : data.language;
    this.root.hidden = !effect && !hasPlace;
    this.root.toggleAttribute("data-has-place", hasPlace);
    const offer = effect ? null : this.#suggestion(data);
    const labels = { ...words, undo: words.undo_change };
    this.actions.draw({ isChanged: Boolean(effect) && hasPlace, offer, words: labels, first: data.surprise?.first });
    if (hadFocus && !this.root.contains(focusedIn(this.root))) this.on.moveFocus();
    return effect?.announcement;
  }

  /** "Switch off 2·1: te becomes vous", if the heads were measured for this sentence. @param {StageData} data */
  #suggestion({ surprise: sent }) {
    if (!sent) return null;
    const { text, changing } = this.measured?.of === sent.of ? this.measured : sent;
    return surprise(text, changing);
  }

  /** Offer heads that were measured after the page was drawn; their place is reserved, so that nothing moves.
   * @param {ChangingHeads | null} measured */
  offer(measured) {
    this.measured = measured;
    const isAwaited =
      measured && this.data?.surprise?.of === measured.of && !this.actions.root.querySelector(".way-surprise");
    if (this.data && isAwaited) this.draw(this.data);
  }
}

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

/** @typedef {{words: string[], shares: (number | null)[], joiner: string}} Spoken the words of a translation, the
 * probability of each, and the separator between two words */

/**
 * Describe the effect.
 * @param {Spoken} before
 * @param {Spoken} after
 * @param {Record<string, string>} words verdict_same, verdict_probability, verdict_said and verdict_nothing
 * @returns {{nodes: Node[], announcement: string}} `announcement` is for a screen reader
 */
export function verdict(before, after, words) {
  const text = (/** @type {Spoken} */ spoken) => spoken.words.join(spoken.joiner);
  if (text(before) !== text(after))
    return {
      nodes: markRemoved(before, after),
      announcement: fill(words.verdict_said, { before: text(before), after: text(after) }),
    };
  const announcement = describeProbability(before, after, words);
  return { nodes: [document.createTextNode(announcement)], announcement };
}

/** The largest change of a word's probability, where the words are the same.
 * @param {Spoken} before @param {Spoken} after @param {Record<string, string>} words @returns {string} */
function describeProbability(before, after, words) {
  const changes = after.words.map((_, place) => Math.abs((after.shares[place] ?? 0) - (before.shares[place] ?? 0)));
  const largest = changes.indexOf(Math.max(...changes));
  if (!(changes[largest] >= MIN_CHANGE)) return words.verdict_same;
  const [was, now] = [before.shares[largest] ?? 0, after.shares[largest] ?? 0];
  const digits = Math.round(was * 100) === Math.round(now * 100) ? 1 : 0;
  return fill(words.verdict_probability, {
    word: after.words[largest],
    before: percent(was, digits),
    after: percent(now, digits),
  });
}

/** The new translation with the removed words struck out in their places. @param {Spoken} before @param {Spoken} after */
function markRemoved(before, after) {
  const [old, now] = diffWords(before.words, after.words);
  /** @type {Node[]} */
  const nodes = [];
  const put = (/** @type {Node} */ node) =>
    nodes.push(...(nodes.length && after.joiner ? [document.createTextNode(after.joiner)] : []), node);
  let place = 0;
  const strike = () => {
    while (place < old.length && old[place].isChanged) put(h("del", {}, old[place++].word));
  };
  for (const { word, isChanged } of now) {
    if (!isChanged) {
      strike();
      place += 1;
    } else strike();
    put(isChanged ? h("ins", {}, word) : document.createTextNode(word));
  }
  strike();
  return nodes;
}

// Buttons below the sentence: a head to switch off; after a change Undo, Share and another sentence.

import { focusedIn, h } from "../dom.js";
import { fill } from "../text.js";

/** @typedef {{layer: number, head: number, before: string, after: string}} WordChange a head, the words that its removal
 *   replaces, and the new words */

export class NextActions {
  root = h("div", { class: "stage-ways" });

  /** @param {Record<string, string>} words undo, share_change, try_own and surprise
   * @param {{switchOff: (head: [number, number]) => void, undo: () => void, editSentence: () => void, share: (button:
   *   HTMLElement) => void}} on */
  constructor(words, on) {
    this.on = on;
    this.t = words;
  }

  /** @param {{isChanged: boolean, offer: WordChange | null, words?: Record<string, string>, first?: number}} what `first`
   *   is the number of the first layer and head on screen */
  draw({ isChanged, offer, words = this.t, first = 0 }) {
    this.t = words;
    const name = JSON.stringify([isChanged, offer, words.undo]);
    if (this.root.dataset.drawn === name) return;
    this.root.dataset.drawn = name;
    const hadFocus = this.root.contains(focusedIn(this.root));
    this.root.replaceChildren(...(isChanged ? this.#afterChange() : offer ? [this.#offerButton(offer, first)] : []));
    if (hadFocus) this.root.querySelector("button")?.focus({ preventScroll: true });
  }

  #afterChange() {
    const { t, on } = this;
    const share = this.#button("share_change", t.share_change, () => on.share(share));
    return [this.#button("undo", t.undo, on.undo), share, this.#button("try_own", t.try_own, on.editSentence)];
  }

  /** @param {WordChange} offer @param {number} first */
  #offerButton({ layer, head, before, after }, first) {
    const label = fill(this.t.surprise, { head: `${layer + first}·${head + first}`, before, after });
    return this.#button("surprise", label, () => this.on.switchOff([layer, head]));
  }

  /** @type {(name: string, label: string, onclick: () => void) => HTMLElement} */
  #button = (name, label, onclick) => h("button", { class: `way way-${name}`, "data-name": name, onclick }, label);
}

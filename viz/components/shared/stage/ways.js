// What stands under the sentence: a change that is worth trying, and once something is changed the ways on from there.

import { focusedIn, h } from "../dom.js";
import { fill } from "../text.js";

/** @typedef {{layer: number, head: number, before: string, after: string}} Told a head, the words that go without it, and
 *   those that come */

export class Ways {
  root = h("div", { class: "stage-ways" });

  /** @param {Record<string, string>} words undo, share_change, try_own and surprise
   * @param {{switchOff: (head: [number, number]) => void, undo: () => void, own: () => void, share: (pressed:
   *   HTMLElement) => void}} on */
  constructor(words, on) {
    this.on = on;
    this.t = words;
  }

  /** @param {{isChanged: boolean, told: Told | null, words?: Record<string, string>, first?: number}} what `first` is the
   *   number that counting begins with */
  draw({ isChanged, told, words = this.t, first = 0 }) {
    this.t = words;
    const name = JSON.stringify([isChanged, told, words.undo]);
    if (this.root.dataset.drawn === name) return;
    this.root.dataset.drawn = name;
    const hadFocus = this.root.contains(focusedIn(this.root));
    this.root.replaceChildren(...(isChanged ? this.#onward() : told ? [this.#offer(told, first)] : []));
    if (hadFocus) this.root.querySelector("button")?.focus({ preventScroll: true });
  }

  #onward() {
    const { t, on } = this;
    const share = this.#button("share_change", t.share_change, () => on.share(share));
    return [this.#button("undo", t.undo, on.undo), share, this.#button("try_own", t.try_own, on.own)];
  }

  /** @param {Told} told @param {number} first */
  #offer({ layer, head, before, after }, first) {
    const said = fill(this.t.surprise, { head: `${layer + first}·${head + first}`, before, after });
    return this.#button("surprise", said, () => this.on.switchOff([layer, head]));
  }

  /** @type {(name: string, said: string, act: () => void) => HTMLElement} */
  #button = (name, said, act) => h("button", { class: `way way-${name}`, "data-name": name, onclick: act }, said);
}

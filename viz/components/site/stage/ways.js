// What stands under the sentence: a change that is worth trying, and once something is changed the ways on from there.

import { h } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";

/** @import { Told } from "./worth.js" */

export class Ways {
  /**
   * @param {Record<string, string>} words
   * @param {{switchOff: (head: [number, number]) => void, undo: () => void, own: () => void,
   *   share: () => void}} on
   */
  constructor(words, on) {
    this.on = on;
    this.t = words;
    this.root = h("div", { class: "stage-ways site-desk" });
  }

  /**
   * @param {{isChanged: boolean, told: Told | null, words?: Record<string, string>}} what
   */
  draw({ isChanged, told: found, words = this.t }) {
    this.t = words;
    const name = JSON.stringify([isChanged, found, words.undo]);
    if (this.root.dataset.drawn === name) return;
    this.root.dataset.drawn = name;
    const hadFocus = this.root.contains(document.activeElement);
    this.root.replaceChildren(...(isChanged ? this.#onward() : found ? [this.#offer(found)] : []));
    if (hadFocus) this.root.querySelector("button")?.focus({ preventScroll: true });
  }

  #onward() {
    const { on } = this;
    return [
      this.#button("undo", this.t.undo, on.undo),
      this.#button("share_change", this.t.share_change, on.share),
      this.#button("try_own", this.t.try_own, on.own),
    ];
  }

  /** @param {Told} found */
  #offer({ layer, head, before, after }) {
    const said = fill(this.t.surprise, { head: `${layer}·${head}`, before, after });
    return this.#button("surprise", said, () => this.on.switchOff([layer, head]));
  }

  /**
   * @param {string} name
   * @param {string} said
   * @param {() => void} act
   */
  #button(name, said, act) {
    return h("button", { type: "button", class: `site-quiet way way-${name}`, "data-name": name, onclick: act }, said);
  }
}

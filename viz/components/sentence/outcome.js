// What stands under the translation: a change that is worth trying, and once something is changed what it did, with the
// ways on from there.

import { focusedIn, h } from "../shared/dom.js";
import { Ways } from "../shared/stage/ways.js";
import { surprise } from "../shared/surprise.js";
import { verdict } from "../shared/verdict.js";

/** @import { Found, Given } from "./types" */

export class Outcome {
  line = h("p", { class: "verdict" });
  /** @type {Found | null} what was measured while the page stands there */ found = null;
  /** @type {Given | null} what is on screen */ data = null;

  /** @param {ConstructorParameters<typeof Ways>[1] & {leave: () => void}} on `leave` gives the focus away, where no button
   *   stands in the place of the one that had it */
  constructor(on) {
    this.on = on;
    this.ways = new Ways({}, on);
    this.root = h("div", { class: "outcome" }, this.line, this.ways.root);
  }

  /** Draw it.
   * @param {Given} data
   * @returns {string | undefined} what a screen reader is told of the change; undefined where nothing is changed */
  draw(data) {
    this.data = data;
    const { words, has_outcome: hasPlace } = data;
    const found = data.verdict && verdict(data.verdict.before, data.verdict.after, words);
    const hadFocus = this.root.contains(focusedIn(this.root));
    this.line.replaceChildren(...(found?.nodes ?? []));
    this.line.lang = this.line.childElementCount ? data.target_language : data.language;
    this.root.hidden = !found && !hasPlace;
    this.root.toggleAttribute("data-has-place", hasPlace);
    const told = found ? null : this.#worthTrying(data);
    const named = { ...words, undo: words.undo_change };
    this.ways.draw({ isChanged: Boolean(found) && hasPlace, told, words: named, first: data.surprise?.first });
    if (hadFocus && !this.root.contains(focusedIn(this.root))) this.on.leave();
    return found?.said;
  }

  /** "Switch off 2·1: te becomes vous", where that was measured for this sentence. @param {Given} data */
  #worthTrying({ surprise: given }) {
    if (!given) return null;
    const { text, changing } = this.found?.of === given.of ? this.found : given;
    return surprise(text, changing);
  }

  /** Offer what was measured while the page stands there; the offer has its place, so that nothing moves.
   * @param {Found | null} found */
  offer(found) {
    this.found = found;
    const isAwaited = found && this.data?.surprise?.of === found.of && !this.ways.root.querySelector(".way-surprise");
    if (this.data && isAwaited) this.draw(this.data);
  }
}

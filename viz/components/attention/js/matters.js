// The heads without which the translation changes: asked for with a button, or measured while the reader rests; pulsing
// once they are known, and told in a sentence.

import { h } from "../../shared/dom.js";
import { surprise } from "../../shared/surprise.js";
import { fill } from "../../shared/text.js";
import { headsOfKind } from "./data/unpack.js";
import { pickOf } from "./picks.js";

const REST = 1500; // milliseconds without a key or the pointer, after which a layer may be measured unasked
const BUSY = 12_000; // the same where the server was busy with others; twice as long each time it still is
const STIRS = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"];

/** @import { Explorer } from "./explorer.js" */
/** @import { Head, Kind } from "./types" */
/** @typedef {{of?: string, kind: Kind, isAsked: boolean, isQuiet: boolean, isSlow: boolean, done: number, layers: number, text: string,
 * changing: [number, number, string][]}} Measured */

export class Matters {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ resting;
  /** How often in turn the server was busy with others. */ declined = 0;

  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.button = h("button", { class: "plain", onclick: () => explorer.ask("matters") }, explorer.strings.matters_ask);
    this.said = h("span", { role: "status" });
    this.root = h("p", { class: "hint matters" }, this.button, this.said);
    this.rings = h("div", { class: "rings", "aria-hidden": "true" });
    const stir = () => {
      if (this.explorer.root.isConnected && this.explorer.parts.grid.matters === this) return this.#rest();
      clearTimeout(this.resting);
      for (const name of STIRS) window.removeEventListener(name, stir);
      return undefined;
    };
    for (const name of STIRS) window.addEventListener(name, stir, { passive: true });
  }

  /** Ask for the next layer once the reader has rested, as long as the server has nothing else to do. */
  #rest() {
    clearTimeout(this.resting);
    const { measured, explorer } = this;
    if (!measured || measured.isAsked || measured.isSlow || measured.done === measured.layers) return;
    this.resting = setTimeout(
      () => {
        if (document.hidden || !explorer.root.isConnected) return;
        this.declined = measured.isQuiet ? 0 : this.declined + 1;
        explorer.ask("matters_quietly");
      },
      measured.isQuiet ? REST : BUSY * 2 ** this.declined,
    );
  }

  /** What was measured for the kind on screen; null where nothing is offered. */
  get measured() {
    const { matters, state } = this.explorer;
    return matters && matters.kind === state.kind ? matters : null;
  }

  /** The translation without a head, where it is another one.
   * @param {Head} head */
  without([layer, head]) {
    return this.measured?.changing.find(([l, n]) => l === layer && n === head)?.[2] ?? null;
  }

  /** What a head does for the sentence, in words, where that was measured.
   * @param {Head} head */
  picks(head) {
    const { measured, explorer } = this;
    const without = explorer.views.length === 1 && measured?.kind === "cross" ? this.without(head) : null;
    return measured && without !== null ? pickOf(explorer.view, head, measured.text, without) : null;
  }

  show() {
    const { explorer, measured } = this;
    const { strings } = explorer;
    this.root.hidden = !measured;
    const isWhole = Boolean(measured && measured.done === measured.layers);
    this.button.hidden = isWhole || Boolean(measured?.isAsked);
    this.said.replaceChildren(...(!measured || !this.button.hidden ? [] : this.#sentence(measured, isWhole, strings)));
    this.#rest();
    const { grid, card } = explorer.parts;
    const isKnown = isWhole || measured?.isAsked;
    const places = grid.order.filter((head) => isKnown && this.without(head) !== null && !explorer.isOff(...head));
    this.rings.replaceChildren(
      ...places.map((head) => {
        const [x, y] = grid.boxOf(head);
        const size = `${grid.size + 6}px`;
        return h("div", { style: { left: `${x - 3}px`, top: `${y - 3}px`, width: size, height: size } });
      }),
    );
    explorer.root.toggleAttribute("data-matter", places.length > 0);
    card.showWithout();
  }

  /** @type {(measured: Measured, isWhole: boolean, strings: Explorer["strings"]) => (string | HTMLElement)[]} */
  #sentence(measured, isWhole, strings) {
    const heads = headsOfKind(this.explorer.view, measured.kind).heads;
    const total = measured.layers * heads;
    if (!isWhole) return [fill(strings.matters_running, { done: measured.done * heads, total })];
    if (!measured.changing.length) return [fill(strings.matters_none, { total })];
    const found = fill(strings.matters_some, { n: measured.changing.length, total });
    const example = this.#example(measured, strings);
    return example ? [`${found} `, example] : [found];
  }

  /** The change that is told most shortly: the fewest words.
   * A press switches that head off.
   * @type {(measured: Measured, strings: Explorer["strings"]) => string | HTMLElement} */
  #example({ text, changing }, strings) {
    const told = surprise(text, changing);
    if (!told) return "";
    const { firstIndex } = this.explorer;
    const { before, after } = told;
    const name = `${told.layer + firstIndex}·${told.head + firstIndex}`;
    const said = fill(strings.matters_example, { head: name, before, after });
    const { packet, isOff } = this.explorer;
    if (!packet.actions?.includes("switch_off") || isOff.call(this.explorer, told.layer, told.head)) return said;
    const act = () => {
      this.explorer.chooseHead([told.layer, told.head]);
      this.explorer.ask("switch_off");
    };
    return h("button", { class: "plain surprise", title: strings.do_switch_off, onclick: act }, said);
  }
}

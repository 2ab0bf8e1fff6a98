// The heads whose removal changes the translation: measured on request, or while the reader is idle; then marked by rings
// in the grid and summarized in a sentence.

import { diffWords, surprise, splitBoth } from "../../shared/diff.js";
import { h } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { headsOfKind } from "./data/unpack.js";

/** @import { Explorer } from "./explorer.js" */
/** @import { Head, Kind, Units, View } from "./types" */

const IDLE_DELAY = 1500; // milliseconds without input before a layer is measured automatically
const BUSY_DELAY = 12_000; // the same after the server was busy; doubled each time that it is still busy
const ACTIVITY_EVENTS = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"];

/** @typedef {{of?: string, kind: Kind, isAsked: boolean, isQuiet: boolean, isSlow: boolean, done: number, layers: number, text: string,
 * changing: [number, number, string][]}} Measured */

export class Matters {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ idleTimer;
  /** Count of consecutive refusals by a busy server. */ declined = 0;

  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.button = h(
      "button",
      { class: "plain", onclick: () => explorer.requestAction("matters") },
      explorer.strings.matters_ask,
    );
    this.status = h("span", { role: "status" });
    this.root = h("p", { class: "hint matters" }, this.button, this.status);
    this.rings = h("div", { class: "rings", "aria-hidden": "true" });
    const life = new AbortController();
    const onActivity = () => {
      if (explorer.root.isConnected && explorer.parts.grid.matters === this) return this.#scheduleMeasurement();
      clearTimeout(this.idleTimer);
      return life.abort();
    };
    for (const name of ACTIVITY_EVENTS)
      window.addEventListener(name, onActivity, { passive: true, signal: life.signal });
  }

  /** Request the measurement of the next layer when the reader is idle and the server is not busy. */
  #scheduleMeasurement() {
    clearTimeout(this.idleTimer);
    const { measured, explorer } = this;
    if (!measured || measured.isAsked || measured.isSlow || measured.done === measured.layers) return;
    this.idleTimer = setTimeout(
      () => {
        if (document.hidden || !explorer.root.isConnected) return;
        this.declined = measured.isQuiet ? 0 : this.declined + 1;
        explorer.requestAction("matters_quietly");
      },
      measured.isQuiet ? IDLE_DELAY : BUSY_DELAY * 2 ** this.declined,
    );
  }

  /** The measurement for the kind on screen, or null. */
  get measured() {
    const { matters, state } = this.explorer;
    return matters && matters.kind === state.kind ? matters : null;
  }

  /** The translation without a head, if it differs.
   * @param {Head} head */
  without([layer, head]) {
    return this.measured?.changing.find(([l, n]) => l === layer && n === head)?.[2] ?? null;
  }

  /** The source word that a head picks for a target word, if it was measured.
   * @param {Head} head */
  picks(head) {
    const { measured, explorer } = this;
    const ablated = explorer.views.length === 1 && measured?.kind === "cross" ? this.without(head) : null;
    return measured && ablated !== null ? pickOf(explorer.view, head, measured.text, ablated) : null;
  }

  show() {
    const { explorer, measured } = this;
    const { strings } = explorer;
    this.root.hidden = !measured;
    const isComplete = Boolean(measured && measured.done === measured.layers);
    this.button.hidden = isComplete || Boolean(measured?.isAsked);
    this.status.replaceChildren(
      ...(!measured || !this.button.hidden ? [] : this.#sentence(measured, isComplete, strings)),
    );
    this.#scheduleMeasurement();
    const { grid, card } = explorer.parts;
    const isKnown = isComplete || measured?.isAsked;
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

  /** @type {(measured: Measured, isComplete: boolean, strings: Explorer["strings"]) => (string | HTMLElement)[]} */
  #sentence(measured, isComplete, strings) {
    const heads = headsOfKind(this.explorer.view, measured.kind).heads;
    const total = measured.layers * heads;
    if (!isComplete) return [fill(strings.matters_running, { done: measured.done * heads, total })];
    if (!measured.changing.length) return [fill(strings.matters_none, { total })];
    const summary = fill(strings.matters_some, { n: measured.changing.length, total });
    const example = this.#example(measured, strings);
    return example ? [`${summary} `, example] : [summary];
  }

  /** The change of the fewest words, as a button that switches its head off.
   * @type {(measured: Measured, strings: Explorer["strings"]) => string | HTMLElement} */
  #example({ text, changing }, strings) {
    const change = surprise(text, changing);
    if (!change) return "";
    const { firstIndex, packet } = this.explorer;
    const { layer, head, before, after } = change;
    const name = `${layer + firstIndex}·${head + firstIndex}`;
    const label = fill(strings.matters_example, { head: name, before, after });
    if (!packet.actions?.includes("switch_off") || this.explorer.isOff(layer, head)) return label;
    const onclick = () => {
      this.explorer.chooseHead([layer, head]);
      this.explorer.requestAction("switch_off");
    };
    return h("button", { class: "plain surprise", title: strings.do_switch_off, onclick }, label);
  }
}

/**
 * The source word with the largest weight at the first target word that changes without the head.
 * @param {View} view of the translation with all heads
 * @param {Head} head of cross-attention
 * @param {string} text of that translation
 * @param {string} ablated the translation without the head
 * @returns {{seen: string, said: string} | null} null if the weight is on a special token, or the units are not the text's
 */
function pickOf(view, [layer, head], text, ablated) {
  const change = surprise(text, [[layer, head, ablated]]);
  const [queries, keys] = [view.predicted.in("words"), view.source.in("words")];
  const word = change && unitOf(queries, text, ablated);
  if (!change || word === null || keys.picture) return null;
  const weights = headsOfKind(view, "cross")
    .read(layer, head)
    .subarray(queries.members[word][0] * view.source.length);
  const seen = keys.members.map((pieces) => pieces.reduce((sum, piece) => sum + weights[piece], 0));
  const largest = seen.indexOf(Math.max(...seen));
  return keys.special[largest] ? null : { seen: keys.texts[largest], said: change.before };
}

/** The unit with the first changed word of a text; null if the units do not spell the text.
 * @param {Units} units @param {string} text @param {string} ablated */
function unitOf({ texts, special }, text, ablated) {
  const withoutSpaces = (/** @type {string} */ part) => part.replace(/\s/gu, "");
  const pieces = texts.map((piece, at) => (special[at] ? "" : withoutSpaces(piece)));
  if (pieces.join("") !== withoutSpaces(text)) return null;
  const [words] = diffWords(...splitBoth(text, ablated));
  const before = words
    .slice(
      0,
      words.findIndex(({ isChanged }) => isChanged),
    )
    .map(({ word }) => word);
  let remaining = before.join("").length;
  return pieces.findIndex((piece) => (remaining -= piece.length) < 0);
}

// The large card: the head on screen and how to read it, the view itself, and the head's metrics.

import { focusFirst, focusedIn, h } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { HeadCards } from "./cards.js";
import { InWords } from "./in_words.js";
import { explain } from "./words.js";
import { Whereabouts } from "./whereabouts.js";
import { LinksTable, WeightsTable } from "./table.js";
import { ContextBar, actionButtons, chipsOf, readAs } from "./controls/context.js";

/** Whether the reader has opened the numbers, for cards that are drawn later while the page is open.
 * @type {{ isOpen?: boolean }} */
const numbers = {};

export class MainCard {
  /** @param {import("./explorer.js").Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.title = h("h3", {});
    this.subtitle = h("span", { class: "soft" });
    this.actions = h("div", { class: "actions" });
    this.inWords = new InWords(explorer);
    this.picks = h("span", { class: "picks" });
    this.without = h("p", { class: "without" });
    this.how = h("p", { class: "hint" });
    this.readAs = h("p", { class: "hint read-as" });
    this.chips = h("div", { class: "chips" });
    this.context = new ContextBar(explorer, this.chips);
    this.cards = new HeadCards(explorer);
    this.links = new LinksTable(explorer);
    this.weights = new WeightsTable(explorer);
    this.whereabouts = new Whereabouts(explorer);
    this.numbers = h(
      "details",
      { class: "numbers", open: numbers.isOpen ?? !explorer.packet.isMounted },
      h("summary", {}, explorer.strings.numbers),
      this.how,
      this.cards.root,
      this.links.root,
      this.weights.root,
    );
    this.numbers.addEventListener("toggle", () => (numbers.isOpen = this.numbers.open));
    this.live = h("div", { class: "hidden-text", "aria-live": "polite" });
    this.root = h(
      "section",
      { class: "card main" },
      h("header", {}, this.title, this.picks, this.subtitle, this.actions),
      this.inWords.root,
      this.without,
      this.readAs,
      this.context.root,
      this.whereabouts.root,
      h("div", { class: "panes" }, ...explorer.panes.map((pane) => pane.root)),
      this.numbers,
      this.live,
    );
  }

  /** What shows the head on screen, part by part. */
  parts() {
    return [
      () => this.#head(),
      () => this.whereabouts.show(),
      () => this.explorer.panes.forEach((pane) => pane.show()),
      () => this.inWords.show(),
      () => this.showWithout(),
      () => this.cards.show(),
      () => this.links.show(),
      () => this.weights.show(),
    ];
  }

  /** The map as a table, or the map again. */
  toggleTable() {
    this.numbers.open = true;
    this.weights.toggle(() => focusFirst(this.explorer.panes[0].drawing?.root));
  }

  #head() {
    const { explorer } = this;
    const { state, strings } = explorer;
    this.title.textContent = explorer.headsName();
    explain(this.subtitle, strings[state.kind]);
    const { how, notes } = readAs(explorer);
    this.how.textContent = how;
    this.readAs.textContent = notes;
    this.readAs.hidden = !notes;
    const focused = focusedIn(this.actions);
    const act = focused && this.actions.contains(focused) ? (focused.dataset.act ?? "") : null;
    this.actions.replaceChildren(...actionButtons(explorer));
    if (act !== null) this.#focusAction(act);
    this.chips.replaceChildren(...chipsOf(explorer));
    this.context.show();
    this.live.textContent = `${explorer.headsName()}, ${strings[state.kind]}`;
  }

  /** The button that has taken the place of one that had the focus. @param {string} act */
  #focusAction(act) {
    const now = /** @type {Record<string, string>} */ ({ switch_off: "switch_on", switch_on: "switch_off" })[act];
    const place = [act, now].map((name) => `[data-act="${name}"]`).join();
    /** @type {HTMLElement | null} */ (this.actions.querySelector(place))?.focus();
  }

  /** The translation without the head on screen, where that was measured and is another one. */
  showWithout() {
    const { explorer } = this;
    const { state, strings } = explorer;
    const [head] = state.heads;
    const isAsked = state.heads.length === 1 && !explorer.isOff(...head);
    const text = isAsked ? explorer.parts.grid.matters.without(head) : null;
    this.without.hidden = text === null;
    this.without.textContent = text === null ? "" : fill(strings.matters_without, { text });
    const picked = isAsked && explorer.parts.grid.matters.picks(head);
    this.picks.hidden = !picked;
    this.picks.textContent = picked ? fill(strings.picks, picked) : "";
  }
}

// The parts around the panes, which are rebuilt when the words, the controls or the number of panes change: toolbar, grid of
// heads, and the main card with the chosen head, how to read it, its view and its metrics.

import { focusFirst, focusedIn, h } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { HeadCards, Tooltip, LinksTable, WeightsTable } from "./cards.js";
import { ContextBar, actionButtons, chipsOf, readAs } from "./controls/context.js";
import { KeyHelp } from "./controls/keyboard.js";
import { Toolbar } from "./controls/toolbar.js";
import { HeadGrid } from "./grid.js";
import { InWords } from "./in_words.js";
import { Minimap } from "./minimap.js";
import { explain } from "./words.js";

/** Whether the reader has opened the numbers; later cards of the page use it.
 * @type {{ isOpen?: boolean }} */
const numbers = {};

class MainCard {
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
    this.minimap = new Minimap(explorer);
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
      this.minimap.root,
      h("div", { class: "panes" }, ...explorer.panes.map((pane) => pane.root)),
      this.numbers,
      this.live,
    );
  }

  /** Functions that draw the parts of the card. */
  parts() {
    return [
      () => this.#head(),
      () => this.minimap.show(),
      () => this.explorer.panes.forEach((pane) => pane.show()),
      () => this.inWords.show(),
      () => this.showWithout(),
      () => this.cards.show(),
      () => this.links.show(),
      () => this.weights.show(),
    ];
  }

  /** Open or close the table of weights. */
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

  /** Focus the action's button, or its opposite that replaced it. @param {string} act */
  #focusAction(act) {
    const opposite = /** @type {Record<string, string>} */ ({ switch_off: "switch_on", switch_on: "switch_off" })[act];
    const selector = [act, opposite].map((name) => `[data-act="${name}"]`).join();
    /** @type {HTMLElement | null} */ (this.actions.querySelector(selector))?.focus();
  }

  /** Show the translation without the chosen head, if it was measured and differs. */
  showWithout() {
    const { explorer } = this;
    const { state, strings } = explorer;
    const [head] = state.heads;
    const isApplicable = state.heads.length === 1 && !explorer.isOff(...head);
    const text = isApplicable ? explorer.parts.grid.matters.without(head) : null;
    this.without.hidden = text === null;
    this.without.textContent = text === null ? "" : fill(strings.matters_without, { text });
    const picked = isApplicable && explorer.parts.grid.matters.picks(head);
    this.picks.hidden = !picked;
    this.picks.textContent = picked ? fill(strings.picks, picked) : "";
  }
}

export class Parts {
  /** @param {import("./explorer.js").Explorer} explorer */
  constructor(explorer) {
    this.tooltip = new Tooltip();
    this.grid = new HeadGrid(explorer);
    this.toolbar = new Toolbar(explorer);
    this.help = new KeyHelp(explorer);
    this.card = new MainCard(explorer);
    this.strip = h("div", { class: "strips" }, ...explorer.panes.map((pane) => pane.sentences.root));
    explorer.root.replaceChildren(
      this.strip,
      this.toolbar.root,
      h("div", { class: "desk" }, this.grid.root, this.card.root),
      this.tooltip.root,
      this.help.root,
    );
  }
}

// The large card: the head on screen and how to read it, the view itself, and the head's metrics.

import { h } from "../../shared/dom.js";
import { HeadCards } from "./cards.js";
import { LinksTable } from "./table.js";
import { ContextBar, actionButtons, chipsOf, readAs } from "./toolbar.js";

export class MainCard {
  constructor(explorer) {
    this.explorer = explorer;
    this.title = h("h3", {});
    this.subtitle = h("span", { class: "soft" });
    this.actions = h("div", { class: "actions" });
    this.readAs = h("p", { class: "hint read-as" });
    this.chips = h("div", { class: "chips" });
    this.context = new ContextBar(explorer, this.chips);
    this.cards = new HeadCards(explorer);
    this.links = new LinksTable(explorer);
    this.live = h("div", { class: "hidden-text", "aria-live": "polite" });
    this.root = h(
      "section",
      { class: "card main" },
      h("header", {}, this.title, this.subtitle, this.actions),
      this.readAs,
      this.context.root,
      h("div", { class: "panes" }, ...explorer.panes.map((pane) => pane.root)),
      this.cards.root,
      this.links.root,
      this.live,
    );
  }

  show() {
    const { explorer } = this;
    const { state, strings } = explorer;
    this.title.textContent = explorer.headsName();
    this.subtitle.textContent = strings[state.kind];
    this.readAs.textContent = readAs(explorer);
    this.actions.replaceChildren(...actionButtons(explorer));
    this.chips.replaceChildren(...chipsOf(explorer));
    this.context.show();
    this.live.textContent = `${explorer.headsName()}, ${strings[state.kind]}`;
    explorer.panes.forEach((pane) => pane.show());
    this.cards.show();
    this.links.show();
  }
}

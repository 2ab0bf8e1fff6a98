// The parts around the panes. They are rebuilt when the words, the controls or the number of panes change.

import { h } from "../../shared/dom.js";
import { Tooltip } from "./cards.js";
import { KeyHelp } from "./controls/keyboard.js";
import { Toolbar } from "./controls/toolbar.js";
import { HeadGrid } from "./grid.js";
import { MainCard } from "./main_card.js";

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

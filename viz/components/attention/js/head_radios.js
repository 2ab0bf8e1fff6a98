// The heads for the keyboard and for screen readers: a radio group over the thumbnails.

import { focusedIn, h } from "../../shared/dom.js";
import { sameHead } from "./data/state.js";

/** @import { HeadGrid } from "./grid.js" */

export class HeadRadios {
  root = h("div", { class: "grid-radios", role: "radiogroup" });
  /** @type {HTMLElement[]} in the order of the thumbnails */ radios = [];

  /** @param {HeadGrid} grid */
  constructor(grid) {
    this.grid = grid;
    grid.base.canvas.addEventListener("focus", () => this.focus()); // after a click the arrow keys continue from the head
  }

  /** Lay the radio buttons over the thumbnails. @param {string} label of the group */
  show(label) {
    const { grid } = this;
    const { explorer, order, size } = grid;
    this.root.setAttribute("aria-label", label);
    if (this.radios.length !== order.length) {
      this.radios = order.map(() => h("div", { class: "grid-radio", role: "radio" }));
      this.root.replaceChildren(...this.radios);
    }
    this.radios.forEach((radio, place) => {
      const head = order[place];
      const off = explorer.isOff(...head) ? `, ${explorer.strings.head_is_off}` : "";
      radio.setAttribute("aria-label", `${explorer.headName(head)}${off}`);
      const [x, y] = grid.boxOf(head);
      for (const [side, pixels] of Object.entries({ left: x, top: y, width: size, height: size }))
        radio.style.setProperty(side, `${pixels}px`);
    });
    this.choose();
  }

  /** Mark the chosen head; it is the Tab stop, and takes the focus if the group has it. */
  choose() {
    const { order, explorer } = this.grid;
    const [chosen] = explorer.state.heads;
    const focused = focusedIn(this.root);
    const hasFocus = focused !== null && this.root.contains(focused);
    this.radios.forEach((radio, place) => {
      const isChosen = Boolean(order[place]) && sameHead(order[place], chosen);
      radio.setAttribute("aria-checked", String(isChosen));
      radio.tabIndex = isChosen ? 0 : -1;
      if (isChosen && hasFocus && radio !== focused) radio.focus({ preventScroll: true });
    });
  }

  focus() {
    this.radios.find((radio) => radio.tabIndex === 0)?.focus({ preventScroll: true });
  }
}

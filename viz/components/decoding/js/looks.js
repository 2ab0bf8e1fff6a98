/* Which head is looked at: a small grid, one row a layer, inked by how sharply each head looks at this step. */

import { childrenOf, closest, h } from "../../shared/dom.js";
import { fill, percent } from "../../shared/text.js";

export class HeadPicker {
  constructor(words, kind, onPick) {
    this.words = words;
    this.onPick = onPick;
    this.root = h("div", { class: "picker" });
    this.mean = h("button", { class: "mean", type: "button" }, words.mean_heads);
    this.mean.addEventListener("click", () => onPick(-1, -1));
    this.name = h("span", { class: "head-name" });
    this.grid = h("div", { class: "head-grid", role: "grid", "aria-label": words[`heads_${kind}`] });
    this.grid.addEventListener("click", (event) => {
      const cell = closest(event, "button");
      if (cell) onPick(Number(cell.dataset.layer), Number(cell.dataset.head));
    });
    this.grid.addEventListener("keydown", (event) => this.#walk(event));
    this.root.append(this.grid, h("div", { class: "picker-words" }, this.name, this.mean));
  }

  draw({ layers, heads, first, look, sharpness, isAveraged }) {
    this.grid.style.setProperty("--heads", heads);
    this.grid.toggleAttribute("data-small", layers * heads > 48);
    if (this.grid.children.length !== layers * heads) {
      this.grid.replaceChildren(
        ...Array.from({ length: layers * heads }, (_, at) =>
          h("button", {
            type: "button",
            "data-layer": Math.floor(at / heads),
            "data-head": isAveraged ? -1 : at % heads,
          }),
        ),
      );
    }
    const shown = (value) => value + first;
    const nameOf = (layer, head) =>
      head < 0
        ? fill(this.words.mean_layer, { layer: shown(layer) })
        : fill(this.words.one_head, { layer: shown(layer), head: shown(head) });
    childrenOf(this.grid).forEach((cell, at) => {
      const layer = Math.floor(at / heads),
        head = isAveraged ? -1 : at % heads;
      const isChosen = layer === look.layer && head === look.head;
      cell.style.setProperty("--weight", sharpness[at].toFixed(3));
      cell.setAttribute("aria-pressed", String(isChosen));
      cell.setAttribute("tabindex", isChosen || (look.layer < 0 && at === 0) ? "0" : "-1");
      cell.title = fill(this.words.head_help, { head: nameOf(layer, head), most: percent(sharpness[at]) });
      cell.setAttribute("aria-label", nameOf(layer, head));
    });
    this.name.textContent = look.layer < 0 ? this.words.all_heads : nameOf(look.layer, look.head);
    this.mean.hidden = look.layer < 0;
  }

  #walk(event) {
    const cells = childrenOf(this.grid),
      at = cells.indexOf(event.target);
    const wide = Number(this.grid.style.getPropertyValue("--heads"));
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -wide, ArrowDown: wide }[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = cells[at + step];
    if (next) {
      this.onPick(Number(next.dataset.layer), Number(next.dataset.head));
      next.focus();
    }
  }
}

// Tables of the strongest links and of all weights, for screen readers and for exact numbers.

import { tokenName } from "./data/names.js";
import { h } from "../../shared/dom.js";
import { fixed } from "../../shared/text.js";
import { exactNumber } from "./data/state.js";
import { strongest } from "./data/transform.js";

/** @import { Explorer } from "./explorer.js" */

const MAX_CELLS = 20_000; // of a table that is drawn quickly

export class LinksTable {
  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    const { strings } = explorer;
    this.body = h("tbody", {});
    const head = h(
      "tr",
      {},
      ...["from", "to", "weight"].map((name) => h("th", { scope: "col" }, strings[`table_${name}`])),
    );
    this.table = h(
      "table",
      { class: "links" },
      h("caption", { class: "hidden-text" }, strings.strongest_links),
      h("thead", {}, head),
      this.body,
    );
    this.summary = h("summary", {}, strings.strongest_links);
    this.root = h("details", { class: "links-details" }, this.summary, this.table);
  }

  show() {
    const { panes, view, state, strings } = this.explorer;
    const [{ matrix }] = panes;
    this.summary.textContent = strings[view.kinds.get(state.kind)?.long ? "strongest_links_long" : "strongest_links"];
    const links = matrix.broken.length ? [] : strongest(absolute(matrix), 12);
    this.body.replaceChildren(
      ...links.map(([row, column]) => {
        const value = matrix.values[row * matrix.columns + column];
        return h(
          "tr",
          {},
          h("td", {}, h("bdi", {}, tokenName(matrix.queries, row, strings))),
          h("td", {}, h("bdi", {}, tokenName(matrix.keys, column, strings))),
          h("td", { class: "number" }, matrix.isExact ? exactNumber(value) : `≈ ${fixed(value, 3)}`),
        );
      }),
    );
  }
}

/** All weights of the map as a table, built when it is opened. */
export class WeightsTable {
  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.table = h("table", { class: "links weights" });
    this.scroller = h("div", { class: "weights-scroller", tabindex: "0", role: "region" }, this.table);
    this.summary = h("summary", {});
    this.root = h("details", { class: "weights-details" }, this.summary, this.scroller);
    this.root.addEventListener("toggle", () => this.show());
  }

  /** Open and focus the table, or close it. @param {() => void} onClose moves the focus back */
  toggle(onClose) {
    this.root.open = !this.root.open;
    this.show();
    if (!this.root.open) return onClose();
    this.scroller.scrollIntoView({ block: "nearest" });
    return this.scroller.focus();
  }

  show() {
    const { panes, strings } = this.explorer;
    const [{ matrix, label }] = panes;
    this.root.hidden = matrix.broken.length > 0 || matrix.rows * matrix.columns > MAX_CELLS;
    this.summary.textContent = strings.as_table;
    this.scroller.setAttribute("aria-label", label);
    if (this.root.hidden || !this.root.open) return this.table.replaceChildren();
    const cells = (/** @type {number} */ row) =>
      Array.from({ length: matrix.columns }, (_, column) => {
        const value = matrix.values[row * matrix.columns + column];
        return h("td", { class: "number" }, matrix.isHidden(row, column) ? "–" : fixed(value, 3));
      });
    const header = (/** @type {string} */ scope, /** @type {string} */ text) => h("th", { scope }, h("bdi", {}, text));
    const names = Array.from({ length: matrix.columns }, (_, column) =>
      header("col", tokenName(matrix.keys, column, strings)),
    );
    return this.table.replaceChildren(
      h("caption", { class: "hidden-text" }, label),
      h("thead", {}, h("tr", {}, h("td", {}), ...names)),
      h(
        "tbody",
        {},
        ...Array.from({ length: matrix.rows }, (_, row) =>
          h("tr", {}, header("row", tokenName(matrix.queries, row, strings)), ...cells(row)),
        ),
      ),
    );
  }
}

/** A difference by its absolute values. @param {import("./types").Matrix} matrix */
function absolute(matrix) {
  return matrix.isSigned ? { ...matrix, values: matrix.values.map((value) => Math.abs(value) || 0) } : matrix;
}

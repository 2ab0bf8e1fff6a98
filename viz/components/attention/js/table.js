// The strongest links as a table: for screen readers, and for anyone who wants the numbers.

import { h } from "../../shared/dom.js";
import { fixed } from "../../shared/text.js";
import { exactNumber } from "./data/state.js";
import { strongest } from "./data/transform.js";

export class LinksTable {
  /** @param {import("./explorer.js").Explorer} explorer */
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
    const links = matrix.broken.length ? [] : strongest(signless(matrix), 12);
    this.body.replaceChildren(
      ...links.map(([row, column]) => {
        const value = matrix.values[row * matrix.columns + column];
        return h(
          "tr",
          {},
          h("td", {}, h("bdi", {}, matrix.queries.texts[row])),
          h("td", {}, h("bdi", {}, matrix.keys.texts[column])),
          h("td", { class: "number" }, matrix.isExact ? exactNumber(value) : `≈ ${fixed(value, 3)}`),
        );
      }),
    );
  }
}

/** A difference by its size. @param {import("./types").Matrix} matrix */
function signless(matrix) {
  return matrix.isSigned ? { ...matrix, values: matrix.values.map((value) => Math.abs(value) || 0) } : matrix;
}

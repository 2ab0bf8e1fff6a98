// The map for the keyboard and for screen readers: an ARIA grid that contains only the focusable cell.

import { tokenName } from "../words.js";
import { ARROWS, focusedIn, h } from "../../../shared/dom.js";
import { clamp, fill } from "../../../shared/text.js";
import { cellSummary, shortPercent } from "../cards.js";

/** @import { MapView } from "../views/map.js" */
/** @typedef {[row: number, column: number]} Cell */

const PAGE = 10; // rows of Page Up and Page Down

/** The move of each key, in rows and columns. @type {Record<string, Cell>} */
const MOVES = { ...ARROWS, PageUp: [-PAGE, 0], PageDown: [PAGE, 0], Home: [0, -Infinity], End: [0, Infinity] };

export class MapCells {
  /** @type {Cell} */ at = [0, 0];
  /** Key of the present cell element. */ name = "";
  cell = h("div", {});
  root = h("div", { class: "map-cells", role: "grid", "aria-readonly": "true" });

  /** @param {MapView} map */
  constructor(map) {
    this.map = map;
    this.root.addEventListener("keydown", (event) => this.#key(event));
    this.root.addEventListener("focusin", () => this.#point());
    this.root.addEventListener("focusout", () => map.explorer.point(null));
  }

  /** Update the grid after the map was drawn. */
  show() {
    const { pane } = this.map;
    const { matrix } = pane;
    this.root.hidden = !matrix.rows || !matrix.columns;
    if (this.root.hidden) return;
    this.root.setAttribute("aria-label", pane.label);
    this.root.setAttribute("aria-rowcount", String(matrix.rows));
    this.root.setAttribute("aria-colcount", String(matrix.columns));
    this.#show([clamp(this.at[0], 0, matrix.rows - 1), clamp(this.at[1], 0, matrix.columns - 1)]);
  }

  focus() {
    this.cell.focus({ preventScroll: true });
  }

  /** Show a cell as a new element, so that a screen reader reads it when it gets the focus. @param {Cell} at */
  #show(at) {
    const [row, column] = (this.at = at);
    const { layout } = this.map;
    const label = this.#labelOf(at);
    const name = [row, column, label].join();
    if (name !== this.name) {
      const hadFocus = focusedIn(this.root) === this.cell;
      const attributes = { "aria-label": label, "aria-colindex": column + 1 };
      const cell = h("div", { class: "map-cell", role: "gridcell", tabindex: "0", ...attributes });
      this.root.replaceChildren(h("div", { role: "row", "aria-rowindex": row + 1 }, cell));
      Object.assign(this, { cell, name });
      if (hadFocus) this.focus();
    }
    const [left, top] = [Math.round(layout.x(column)), Math.round(layout.y(row))];
    const [width, height] = [layout.pitchX, layout.pitchY].map((pitch) => Math.max(4, Math.round(pitch)));
    for (const [side, pixels] of Object.entries({ left, top, width, height }))
      this.cell.style.setProperty(side, `${pixels}px`);
  }

  /** "voir looks at see: 100%", or the reason why there is no weight. @param {Cell} at */
  #labelOf([row, column]) {
    const { pane, explorer } = this.map;
    const { matrix } = pane;
    if (matrix.isSigned || matrix.isHidden(row, column))
      return cellSummary(explorer, pane, row, column)
        .map(([text]) => text)
        .join(", ");
    return fill(explorer.strings.words_many, {
      query: tokenName(matrix.queries, row, explorer.strings),
      key: tokenName(matrix.keys, column, explorer.strings),
      share: shortPercent(matrix.values[row * matrix.columns + column]),
    });
  }

  #point() {
    const [row, column] = this.at;
    this.map.explorer.point({ pane: this.map.pane, row, column, fromMap: this.map, isAnnounced: true });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { explorer, pane } = this.map;
    const { rows, columns } = pane.matrix;
    const [row, column] = this.at;
    const move = MOVES[event.key];
    const [down, across] = move ?? [0, 0];
    const isWhole = event.ctrlKey || event.metaKey; // Ctrl with Home or End: the first or last cell of the map
    if (event.altKey || (isWhole && Number.isFinite(across))) return;
    if (move) {
      const next = /** @type {Cell} */ ([
        clamp(row + (isWhole ? across : down), 0, rows - 1),
        clamp(column + across, 0, columns - 1),
      ]);
      this.map.scrollTo(next);
      this.#show(next);
      this.#point();
    } else if (event.key === "Enter" || event.key === " ") explorer.pin(pane, "q", row, event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

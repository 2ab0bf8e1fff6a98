// One sentence above the map: what a token attends to, for the token under the pointer, a pinned one, or an example.

import { tokenName } from "./words.js";
import { h } from "../../shared/dom.js";
import { partsOf } from "../../shared/text.js";
import { shortPercent } from "./cards.js";
import { headsOfKind } from "./data/unpack.js";

/** @import { Pane } from "./pane.js" */
/** @import { Matrix } from "./types" */
/** @typedef {[row: number, column: number]} Cell */
/** @typedef {Pick<Matrix, "rows" | "columns" | "values"> & Record<"queries" | "keys", {texts: string[], special: boolean[]}>} Named */

/** @type {(units: Named["queries"], at: number) => boolean} */
const isWord = ({ texts, special }, at) => /[\p{L}\p{N}]/u.test(texts[at]) && !special[at];

export class InWords {
  /** @param {import("./explorer.js").Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.root = h("p", { class: "in-words", role: "status" });
  }

  show() {
    const { explorer } = this;
    const [pane] = explorer.panes;
    const { matrix } = pane;
    this.root.hidden = matrix.isSigned || matrix.broken.length > 0 || !matrix.rows || !matrix.columns;
    this.root.setAttribute("aria-live", explorer.hovering?.isAnnounced ? "off" : "polite");
    if (this.root.hidden) return undefined;
    const hover = pane.hover();
    const { state, view, strings } = explorer;
    if (headsOfKind(view, state.kind).long && !(hover && hover.row !== null && hover.column !== null)) {
      return this.root.replaceChildren(strings.long_words); // a row's strongest weight may be outside the window
    }
    const [row, column] = this.#cell(pane, matrix);
    /** @type {Record<string, HTMLElement>} */
    const values = {
      query: h("strong", { dir: "auto" }, tokenName(matrix.queries, row, strings)),
      key: h("strong", { dir: "auto" }, tokenName(matrix.keys, column, strings)),
      share: h("strong", {}, shortPercent(matrix.values[row * matrix.columns + column])),
    };
    const parts = partsOf(strings[this.#template()]);
    return this.root.replaceChildren(...parts.map((part, place) => (place % 2 ? values[part] : part)));
  }

  #template() {
    const { state, view } = this.explorer;
    if (state.heads.length > 1) return "words_many";
    if (this.explorer.isOff(...state.heads[0])) return "words_off";
    if (state.kind === "encoder_self" || !view.hasTwoMeanings) return "words_reading";
    return state.rows === "fed" ? "words_after" : "words_writing";
  }

  /** Row and column of the sentence. @type {(pane: Pane, matrix: Matrix) => Cell} */
  #cell(pane, matrix) {
    const hover = pane.hover();
    const { row: overRow, column: overColumn } = hover ?? { row: null, column: null };
    const row = overRow ?? (overColumn === null ? (pane.pinned("q")[0] ?? null) : null);
    const column = overColumn ?? (row === null ? (pane.pinned("k")[0] ?? null) : null);
    const isComputed = column !== null && !(row !== null && matrix.isBeyond?.(row, column));
    if (row !== null) return [row, isComputed ? column : strongestOf(matrix, (r) => r === row)[1]];
    if (column !== null) return strongestOf(matrix, (_, c) => c === column);
    return exampleCell(matrix);
  }
}

/** The example cell: a large weight between two different words.
 * @type {(matrix: Named) => Cell} */
export function exampleCell(matrix) {
  /** @type {(row: number, column: number) => boolean} */
  const areDifferentWords = (row, column) => {
    const { queries, keys } = matrix;
    return isWord(queries, row) && isWord(keys, column) && queries.texts[row] !== keys.texts[column];
  };
  // By the weight in steps of 0.05; among equal ones by the length of the word: "wonderful" before "a".
  /** @type {(row: number, column: number, value: number) => number} */
  const rank = (row, _, value) => Math.round(value * 20) + Math.min(matrix.queries.texts[row].length, 50) / 100;
  return cellAmong(matrix, areDifferentWords, rank) ?? strongestOf(matrix, () => true);
}

/** The cell with the largest weight among those that match; [0, 0] if none is a number.
 * @type {(matrix: Named, matches: (row: number, column: number) => boolean) => Cell} */
function strongestOf(matrix, matches) {
  return cellAmong(matrix, matches, (_row, _column, value) => value) ?? [0, 0];
}

/** The cell with the largest rank among those that match, or null.
 * @type {(matrix: Named, matches: (row: number, column: number) => boolean,
 *   rank: (row: number, column: number, value: number) => number) => Cell | null} */
function cellAmong(matrix, matches, rank) {
  /** @type {Cell | null} */
  let best = null;
  let highest = -Infinity;
  for (let row = 0; row < matrix.rows; row++)
    for (let column = 0; column < matrix.columns; column++) {
      const height = rank(row, column, matrix.values[row * matrix.columns + column]);
      if (matches(row, column) && height > highest) [best, highest] = [[row, column], height];
    }
  return best;
}

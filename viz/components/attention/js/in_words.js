// One sentence over the map: where the head looks, for the word under the pointer, a pinned one, or the clearest.

import { h } from "../../shared/dom.js";
import { shortPercent } from "./cards.js";

const isWord = (text) => /[\p{L}\p{N}]/u.test(text) && !text.startsWith("<");

export class InWords {
  constructor(explorer) {
    this.explorer = explorer;
    this.root = h("p", { class: "in-words" });
  }

  show() {
    const { explorer } = this;
    const [pane] = explorer.panes;
    const { matrix } = pane;
    this.root.hidden = matrix.isSigned || matrix.broken.length > 0 || !matrix.rows || !matrix.columns;
    if (this.root.hidden) return;
    const [row, column] = this.#cell(pane, matrix);
    const filled = {
      query: h("strong", { dir: "auto" }, matrix.queries.texts[row]),
      key: h("strong", { dir: "auto" }, matrix.keys.texts[column]),
      share: h("strong", {}, shortPercent(matrix.values[row * matrix.columns + column])),
    };
    const parts = explorer.strings[this.#template()].split(/\{(\w+)\}/);
    this.root.replaceChildren(...parts.map((part, place) => (place % 2 ? filled[part] : part)));
  }

  #template() {
    const { state, view } = this.explorer;
    if (state.heads.length > 1) return "words_many";
    if (state.kind === "encoder_self" || !view.hasTwoMeanings) return "words_reading";
    return state.rows === "fed" ? "words_after" : "words_writing";
  }

  /** Row and column of which the sentence speaks. */
  #cell(pane, matrix) {
    const hover = pane.hover();
    const none = [null, null];
    const [overRow, overColumn] = hover ? [hover.row, hover.column] : none;
    const row = overRow ?? (overColumn === null ? (pane.pinned("q")[0] ?? null) : null);
    const column = overColumn ?? (row === null ? (pane.pinned("k")[0] ?? null) : null);
    if (row !== null) return [row, column ?? strongestOf(matrix, (r) => r === row)[1]];
    if (column !== null) return strongestOf(matrix, (_, c) => c === column);
    const isTelling = (r, c) => {
      const [query, key] = [matrix.queries.texts[r], matrix.keys.texts[c]];
      return isWord(query) && isWord(key) && query !== key;
    };
    return strongestOf(matrix, isTelling) ?? strongestOf(matrix, () => true);
  }
}

/** The cell with the largest weight among some. */
function strongestOf(matrix, isAsked) {
  /** @type {number[] | null} */
  let best = null;
  for (let row = 0; row < matrix.rows; row++)
    for (let column = 0; column < matrix.columns; column++) {
      const value = matrix.values[row * matrix.columns + column];
      if (isAsked(row, column) && (!best || value > matrix.values[best[0] * matrix.columns + best[1]]))
        best = [row, column];
    }
  return best;
}

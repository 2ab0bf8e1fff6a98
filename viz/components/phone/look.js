// The second screen in the act "look": the sentence, its translation and one attention map.

import { fitState, pinnedUnits } from "../attention/js/data/state.js";
import { inkOf, matrixOf } from "../attention/js/data/transform.js";
import { h } from "../shared/dom.js";
import { clamp, fill } from "../shared/text.js";
import { mapGrid } from "./experiment.js";

const MAX_TOKENS_ON_WALL = 16; // rows and columns that are readable from the last row of seats

/**
 * @import { Head, Packet, State } from "../attention/js/types"
 * @import { ScreenContext, Words } from "./types"
 */

/** The teacher's view for the last row. @param {ScreenContext & {packet: Packet, attention: Words}} context */
export function lookView({ packet, shown, words, attention, language }) {
  const [view] = packet.views;
  const state = fitState(shown.state ?? {}, view, packet.defaults);
  const matrix = matrixOf(view, state);
  const [marked = -1] = pinnedUnits(state.pins, "q", matrix.queries);
  const [rows, columns] = [indexesAround(matrix.rows, marked), indexesAround(matrix.columns, -1)];
  const inked = inkOf(matrix, state);
  const at = (/** @type {number} */ i, /** @type {number} */ j) => matrix.values[i * matrix.columns + j];
  const grid = mapGrid({
    ink: rows.map((i) => columns.map((j) => (matrix.isHidden(i, j) ? 0 : inked(at(i, j), i)))),
    weights: rows.map((i) => columns.map((j) => at(i, j))),
    rows: rows.map((i) => matrix.queries.texts[i]),
    columns: columns.map((j) => matrix.keys.texts[j]),
    kind: state.kind,
    marked: rows.indexOf(marked),
  });
  const isCut = rows.length < matrix.rows || columns.length < matrix.columns;
  const notes = [shown.note?.[language], isCut && fill(words.cut, { n: MAX_TOKENS_ON_WALL })].filter(Boolean);
  return h(
    "div",
    { class: "experiment of-maps look" },
    h("div", { class: "about" }, h("p", {}, shown.sentence), h("p", {}, shown.text)),
    notes.map((note) => h("p", { class: "note" }, note)),
    h("ul", { class: "changes" }, ...(shown.changes?.[language] ?? []).map((change) => h("li", {}, change))),
    h("p", { class: "which" }, `${whichHeads(state, packet, attention)} · ${attention[state.kind]}`),
    h("div", { class: "picture-of" }, grid),
  );
}

/** The heads by name, or how many there are. @type {(state: State, packet: Packet, attention: Words) => string} */
function whichHeads({ heads, combine }, { firstIndex }, attention) {
  const [[layer, head]] = heads;
  if (heads.length === 1) return fill(attention.head_name, { layer: layer + firstIndex, head: head + firstIndex });
  return fill(attention[combine === "max" ? "heads_max" : "heads_mean"], { count: heads.length });
}

/** At most MAX_TOKENS_ON_WALL consecutive indexes that include the marked one. @type {(n: number, marked: number) => number[]} */
function indexesAround(n, marked) {
  const count = Math.min(n, MAX_TOKENS_ON_WALL);
  const first = clamp(marked - Math.floor(count / 2), 0, n - count);
  return Array.from({ length: count }, (_, i) => first + i);
}

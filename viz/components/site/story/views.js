// What the picture shows at each screen after the first: pieces, vectors, one head, a feed-forward network.

import { h } from "../../shared/dom.js";
import { fill, fixed, percent, spoken } from "../../shared/text.js";
import { named, strip } from "./strip.js";
import { strongestOf } from "./values.js";

const UNITS = 6;

/** @typedef {import("./values.js").Found} Found */
/** @typedef {{t: Record<string, string>, palettes: any}} Around */

/**
 * @param {Found} found
 * @param {Around} around
 */
export function drawPieces({ trace, at }, { t }) {
  const pieces = trace.source.pieces.map((/** @type {string} */ piece, /** @type {number} */ place) =>
    h(
      "li",
      { class: place === at.key ? "story-chosen" : "" },
      h("span", { class: piece.startsWith("▁") ? "story-begins" : "" }, spoken(piece, t)),
      h("small", { "data-of": "ids" }, trace.read[place]),
    ),
  );
  return [h("ol", { class: "story-pieces", "data-of": "pieces", "aria-label": t.view_pieces }, pieces)];
}

/**
 * @param {Found} found
 * @param {Around} around
 */
export function drawEmbedding({ trace, at, embedding }, { t, palettes }) {
  const { row, scale, position, sum, neighbours } = embedding;
  const word = spoken(trace.source.pieces[at.key], t);
  const near = neighbours.map(({ piece, cosine }) => barOf(spoken(piece, t), cosine, fixed(cosine)));
  return [
    named(
      "row sum",
      `${fill(t.view_row, { word })} × ${fixed(scale, 0)}`,
      row.map((x) => x * scale),
      palettes,
    ),
    named("position sum", fill(t.view_position, { place: at.key }), position, palettes),
    named("sum", t.view_sum, sum, palettes),
    h("div", { class: "story-near", "data-of": "near" }, h("h3", {}, t.view_near), h("ol", {}, near)),
  ];
}

/**
 * A word, a bar as long as a share, and what it says.
 * @param {string} word
 * @param {number} share from 0 to 1
 * @param {string} said
 * @param {string} [more]
 */
function barOf(word, share, said, more = "") {
  const bar = h("span", { class: "story-bar" });
  bar.style.setProperty("--share", String(Math.max(0, share)));
  return h(
    "li",
    {},
    h("span", { class: "story-word" }, word),
    bar,
    h("span", { class: "n" }, said),
    more && h("small", {}, more),
  );
}

/**
 * One head as a table: a row for each key, with its score, its weight and its value; the query above, the result below.
 * @param {Found} found
 * @param {Around} around
 */
export function drawHead({ trace, at, inside }, { t, palettes }) {
  const k = inside.query.length;
  const partOf = (/** @type {Float32Array} */ all, /** @type {number} */ key) => all.subarray(key * k, (key + 1) * k);
  const head = h(
    "tr",
    {},
    h("th", {}, ""),
    ...[
      ["keys", t.view_keys],
      ["scores", t.view_scores],
      ["weights", t.view_weights],
      ["values", t.view_values],
    ].map(([part, name]) => h("th", { scope: "col", "data-of": part }, name)),
  );
  const rows = trace.source.pieces.map((/** @type {string} */ piece, /** @type {number} */ key) => {
    const weight = h("span", { class: "story-bar" });
    weight.style.setProperty("--share", String(inside.weights[key]));
    return h(
      "tr",
      { class: key === at.key ? "story-chosen" : "" },
      h("th", { scope: "row" }, spoken(piece, t)),
      h(
        "td",
        { "data-of": "keys" },
        strip(partOf(inside.key, key), { palettes, label: `${t.view_keys}: ${spoken(piece, t)}` }),
      ),
      h("td", { "data-of": "scores", class: "n" }, fixed(inside.scores[key])),
      h("td", { "data-of": "weights" }, weight, h("span", { class: "n" }, percent(inside.weights[key]))),
      h(
        "td",
        { "data-of": "values" },
        strip(partOf(inside.value, key), { palettes, label: `${t.view_values}: ${spoken(piece, t)}` }),
      ),
    );
  });
  const said = spoken(trace.target.pieces[at.step], t);
  return [
    named("query", fill(t.view_query, { word: said }), inside.query, palettes),
    h("table", { class: "story-head" }, h("thead", {}, head), h("tbody", {}, rows)),
    named("mixed", t.view_mixed, inside.mixed, palettes),
  ];
}

/**
 * @param {Found} found
 * @param {Around} around
 */
export function drawUnits({ feedForward: { before, hidden, added }, units }, { t, palettes }) {
  const best = strongestOf(hidden, UNITS).filter((unit) => hidden[unit] > 0);
  const top = hidden[best[0]] || 1;
  const lines = best.map((unit) =>
    barOf(`${unit}`, hidden[unit] / top, fixed(hidden[unit]), units ? units.words[unit].replaceAll(" ", ", ") : ""),
  );
  const after = before.map((x, i) => x + added[i]);
  const all = h(
    "figure",
    { class: "story-vector", "data-of": "units" },
    h("figcaption", {}, fill(t.view_units, { n: fixed(hidden.length, 0) })),
    strip(
      hidden.map((x) => x / top),
      { palettes, scale: "weight", label: fill(t.view_units, { n: hidden.length }) },
    ),
  );
  return [
    named("units after", t.view_before, before, palettes),
    all,
    h(
      "div",
      { class: "story-strongest", "data-of": "strongest units" },
      h("h3", {}, units ? `${t.view_strongest}: ${t.view_excited}` : t.view_strongest),
      h("ol", {}, lines),
    ),
    named("added", t.view_added, added, palettes),
    named("after", t.view_after, after, palettes),
  ];
}

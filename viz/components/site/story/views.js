// The pictures of vectors: an embedding, one head and its softmax, a feed-forward network. A vector is one row of cells, blue
// above zero and red below it, with the value under the pointer as a tooltip.

import { paint, readTheme } from "../../inside/js/numbers.js";
import { h, context2d, svg } from "../../shared/dom.js";
import { clamp, formatFixed, fill, percent, spoken } from "../../shared/text.js";
import { strongestOf } from "./values.js";

/** @import { Theme, Header } from "../../inside/js/numbers.js" */
/** @import { Child } from "../../shared/dom.js" */
/** @import { Results } from "./values.js" */

const UNITS = 6;
const LABEL_DISTANCE = 0.12; // between two labelled peaks, as a share of the width
const EXACT = 1e5; // larger powers of e are written in scientific notation
const MAX_LABELS = 4; // of peaks

/** The tooltip, shared by all strips of the page. */
const tooltip = h("output", { class: "story-said", hidden: true });

/**
 * @param {ArrayLike<number>} values
 * @param {{theme: Theme, label: string, reference?: ArrayLike<number>}} how `reference` are
 *   the values that scale the colours, by default `values`
 * @returns {HTMLCanvasElement}
 */
function strip(values, { theme, label, reference = values }) {
  const canvas = h("canvas", { class: "strip", width: values.length, height: 1, role: "img", "aria-label": label });
  const colour = paint({ values: Float32Array.from(reference), scale: "signed" }, theme);
  const pen = context2d(canvas);
  const image = pen.createImageData(values.length, 1);
  Array.from(values).forEach((value, i) => image.data.set([...colour(value), 255], 4 * i));
  pen.putImageData(image, 0, 0);
  addTooltip(canvas, (share) => {
    const place = clamp(Math.floor(share * values.length), 0, values.length - 1);
    return `${place}: ${formatFixed(values[place])}`;
  });
  return canvas;
}

/** Show a tooltip for the position of the mouse or finger in an element.
 * @param {Element} node
 * @param {(share: number) => string} textOf called with the horizontal position, from 0 to 1 */
function addTooltip(node, textOf) {
  const hide = () => (tooltip.hidden = true);
  const show = (/** @type {Event} */ event) => {
    const { clientX } = /** @type {PointerEvent} */ (event);
    const { left, top, width } = node.getBoundingClientRect();
    if (!tooltip.isConnected) document.body.append(tooltip);
    tooltip.textContent = textOf((clientX - left) / width);
    tooltip.hidden = false;
    Object.assign(tooltip.style, { left: `${clamp(clientX, 60, innerWidth - 60)}px`, top: `${top - 6}px` });
  };
  for (const name of /** @type {const} */ (["pointermove", "pointerdown"])) node.addEventListener(name, show);
  for (const name of /** @type {const} */ (["pointerleave", "pointercancel"])) node.addEventListener(name, hide);
}

/** A strip with a caption.
 * @param {string} part name by which paragraphs highlight it
 * @param {string} name @param {ArrayLike<number>} values @param {Theme} theme */
const named = (part, name, values, theme) =>
  h(
    "figure",
    { class: "story-vector", "data-of": part },
    h("figcaption", {}, name),
    strip(values, { theme, label: name }),
  );

const PEAK = 40; // height of the tallest peak

/** @typedef {{t: Record<string, string>, theme: Theme}} Around */

/** The colours of strips, read once per screen. @param {Header["palettes"]} palettes */
export const themeOf = (palettes) => readTheme(document.documentElement, { palettes, kind: "cross", presenter: false });

/** Yields the parts of a picture, as all generators here do; the page may yield to the browser at each, and at null.
 * @param {Results} found @param {Around} around */
export function* drawEmbedding({ trace, at, embedding }, { t, theme }) {
  const { row, scale, position, sum, neighbours } = embedding;
  const word = spoken(trace.source.pieces[at.key], t);
  const near = neighbours.map(({ piece, cosine }) => barOf(spoken(piece, t), cosine, formatFixed(cosine)));
  yield named(
    "row sum",
    `${fill(t.view_row, { word })} × ${formatFixed(scale, 0)}`,
    row.map((x) => x * scale),
    theme,
  );
  yield named("position sum", fill(t.view_position, { place: at.key }), position, theme);
  yield named("sum", t.view_sum, sum, theme);
  yield h("div", { class: "story-near", "data-of": "near" }, h("h3", {}, t.view_near), h("ol", {}, near));
}

/**
 * A word, a bar, and its number.
 * @param {string} word
 * @param {number} share length of the bar, from 0 to 1
 * @param {string} number
 * @param {string} [more]
 */
function barOf(word, share, number, more = "") {
  return h(
    "li",
    {},
    h("span", { class: "story-word" }, word),
    h("span", { class: "story-bar", style: { "--share": Math.max(0, share) } }),
    h("span", { class: "n" }, number),
    more && h("small", {}, more),
  );
}

/** A table with a row for each key.
 * @param {Results} found @param {Record<string, string>} t
 * @param {[part: string, name: Child, cell: (key: number) => Child][]} columns @param {Child} [foot] */
function* tableOf({ trace, at }, t, columns, foot) {
  const head = columns.map(([part, name]) => h("th", { scope: "col", "data-of": part }, name));
  const rows = [];
  for (const [key, piece] of trace.source.pieces.entries()) {
    yield null;
    const cells = columns.map(([part, , cell]) => h("td", { "data-of": part }, cell(key)));
    const name = h("th", { scope: "row" }, spoken(piece, t));
    rows.push(h("tr", { class: key === at.key ? "story-chosen" : "" }, name, cells));
  }
  const top = h("thead", {}, h("tr", {}, h("th", {}, ""), head));
  return h("table", { class: "story-head" }, top, h("tbody", {}, rows), foot);
}

/** @param {string} text */
const numeral = (text) => h("span", { class: "n" }, text);

/** @param {number} weight */
function weightBar(weight) {
  const bar = h("span", { class: "story-bar", style: { "--share": weight } });
  return h("span", { class: "story-weight" }, bar, numeral(percent(weight)));
}

/** One head: the query, and a table with vector, score, weight and value of each key.
 * @param {Results} found @param {Around} around */
export function* drawHead(found, { t, theme }) {
  const { trace, at, inside } = found;
  const stripOf = (/** @type {Float32Array} */ all, /** @type {string} */ name) => (/** @type {number} */ key) =>
    strip(rowOf(all, key, inside), { theme, label: `${name}: ${spoken(trace.source.pieces[key], t)}` });
  const target = spoken(trace.target.pieces[at.step], t);
  yield named("query", fill(t.view_query, { word: target }), inside.query, theme);
  yield yield* tableOf(found, t, [
    ["keys", t.view_keys, stripOf(inside.key, t.view_keys)],
    ["scores", t.view_scores, (key) => numeral(formatFixed(inside.scores[key]))],
    ["weights", t.view_weights, (key) => weightBar(inside.weights[key])],
    ["values", t.view_values, stripOf(inside.value, t.view_values)],
  ]);
  yield named("mixed", t.view_mixed, inside.mixed, theme);
}

/** The row of a key.
 * @param {Float32Array} all (S * K)
 * @param {number} key @param {{query: Float32Array}} head */
const rowOf = (all, key, { query: { length } }) => all.subarray(key * length, (key + 1) * length);

/** The softmax of the same head: score, e^score, weight, and weighted value of each key, with the sums in the last row.
 * @param {Results} found @param {Around} around */
export function* drawSoftmax(found, { t, theme }) {
  const { trace, inside } = found;
  const raised = Array.from(inside.scores, Math.exp);
  const portion = (/** @type {number} */ key) => rowOf(inside.value, key, inside).map((x) => x * inside.weights[key]);
  const stripOf = (/** @type {Float32Array} */ values, /** @type {string} */ label) =>
    strip(values, { theme, label, reference: inside.mixed });
  const sums = [
    h("th", { scope: "row" }, t.view_sums),
    h("td", { "data-of": "scores" }, ""),
    h("td", { "data-of": "weights" }, numeral(powerOf(raised.reduce((sum, x) => sum + x, 0)))),
    h("td", { "data-of": "weights" }, weightBar(1)),
    h("td", { "data-of": "mixed" }, stripOf(inside.mixed, t.view_mixed)),
  ];
  const table = yield* tableOf(
    found,
    t,
    [
      ["scores", t.view_scores, (key) => numeral(formatFixed(inside.scores[key]))],
      ["weights", h("span", {}, "e", h("sup", {}, t.view_scores)), (key) => numeral(powerOf(raised[key]))],
      ["weights", t.view_weights, (key) => weightBar(inside.weights[key])],
      ["values", t.view_portions, (key) => stripOf(portion(key), `${t.view_portions}: ${trace.source.pieces[key]}`)],
    ],
    h("tfoot", {}, h("tr", {}, sums)),
  );
  table.classList.add("story-softmax");
  yield table;
}

/** A power of e; a very large one in scientific notation. @param {number} x */
function powerOf(x) {
  if (x < EXACT) return formatFixed(x, x < 100 ? 2 : 0);
  const power = Math.floor(Math.log10(x));
  const raised = [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `${formatFixed(x / 10 ** power, 1)}·10${raised}`;
}

/** @param {Results} found @param {Around} around */
export function* drawUnits({ feedForward: { before, hidden, added }, units }, { t, theme }) {
  const best = strongestOf(hidden, UNITS).filter((unit) => hidden[unit] > 0);
  const top = hidden[best[0]] || 1;
  const lines = best.map((unit) =>
    barOf(
      `${unit}`,
      hidden[unit] / top,
      formatFixed(hidden[unit]),
      units ? units.words[unit].replaceAll(" ", ", ") : "",
    ),
  );
  const after = before.map((x, i) => x + added[i]);
  yield named("units after", t.view_before, before, theme);
  const name = fill(t.view_units, { n: formatFixed(hidden.length, 0) });
  const all = h("figure", { class: "story-vector", "data-of": "units" }, h("figcaption", {}, name));
  all.append(peaks(hidden, best, name));
  yield all;
  yield h(
    "div",
    { class: "story-strongest", "data-of": "strongest units" },
    h("h3", {}, units ? t.view_excited : t.view_strongest),
    h("ol", {}, lines),
  );
  yield named("added", t.view_added, added, theme);
  yield named("after", t.view_after, after, theme);
}

/** Hidden units as peaks side by side; the strongest have labels.
 * @param {Float32Array} hidden @param {number[]} best @param {string} label */
function peaks(hidden, best, label) {
  const top = hidden[best[0]] || 1;
  const n = hidden.length;
  const lines = Array.from(hidden, (x, i) => (x > 0 ? `M${i + 0.5} ${PEAK}v${-Math.max(1, (x / top) * PEAK)}` : ""));
  const path = svg("path", { d: lines.join(""), "vector-effect": "non-scaling-stroke" });
  const how = { viewBox: `0 0 ${n} ${PEAK}`, preserveAspectRatio: "none", role: "img", "aria-label": label };
  const picture = svg("svg", how, path);
  addTooltip(picture, (share) => {
    const near = activeNear(hidden, Math.floor(share * n));
    return `${near}: ${formatFixed(hidden[near])}`;
  });
  /** @type {number[]} */
  const labelled = [];
  for (const unit of best)
    if (labelled.length < MAX_LABELS && labelled.every((other) => Math.abs(other - unit) > LABEL_DISTANCE * n))
      labelled.push(unit);
  const names = labelled.map((unit) => h("small", { style: { "--at": (unit + 0.5) / n } }, unit));
  return h("div", { class: "story-peaks" }, names, picture);
}

/** The active unit that is nearest to a place. @param {Float32Array} hidden @param {number} place */
const activeNear = (hidden, place) =>
  [...hidden.keys()]
    .filter((unit) => hidden[unit] > 0)
    .reduce((best, unit) => (Math.abs(unit - place) < Math.abs(best - place) ? unit : best), -hidden.length);

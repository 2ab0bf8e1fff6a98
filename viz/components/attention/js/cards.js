// The numbers of a head: its metrics as cards, the tooltips of cells and heads, and tables of the strongest links and of all
// weights, for screen readers and for exact numbers.

import { h } from "../../shared/dom.js";
import { briefly, clamp, fill, formatFixed, percent } from "../../shared/text.js";
import { exactNumber } from "./data/state.js";
import { strongest } from "./data/transform.js";
import { headsOfKind } from "./data/unpack.js";
import { tokenName } from "./words.js";

/** @import { Explorer } from "./explorer.js" */
/** @import { Pane } from "./pane.js" */
/** @import { Head, Metric, Metrics } from "./types" */

const MAX_CELLS = 20_000; // of a table that is drawn quickly

/** @typedef {[text: string, look: string][]} Lines of the tooltip */

export class Tooltip {
  constructor() {
    this.root = h("div", { class: "tooltip", role: "status", hidden: true });
  }

  /** Show lines under a point of the window.
   * @param {Lines} lines
   * @param {number} x
   * @param {number} y */
  show(lines, x, y) {
    this.root.replaceChildren(...lines.map(([text, name]) => h("div", { class: name, dir: "auto" }, text)));
    this.root.hidden = false;
    const box = this.root.getBoundingClientRect();
    const origin = this.root.offsetParent?.getBoundingClientRect() ?? { left: 0, top: 0 };
    const left = clamp(x - box.width / 2, 8, document.documentElement.clientWidth - box.width - 8);
    const below = y + box.height + 4 < window.innerHeight;
    const top = below ? y : y - box.height - 44;
    this.root.style.translate = `${Math.round(left - origin.left)}px ${Math.round(top - origin.top)}px`;
  }

  hide() {
    this.root.hidden = true;
  }
}

/** The tooltip of a cell: both tokens, the exact weight, and the share of removed sinks.
 * @type {(explorer: Explorer, pane: Pane, row: number, column: number) => Lines} */
export function cellSummary(explorer, pane, row, column) {
  const { strings, state } = explorer;
  const { matrix } = pane;
  const value = matrix.values[row * matrix.columns + column];
  const tokens = `${tokenName(matrix.queries, row, strings)} → ${tokenName(matrix.keys, column, strings)}`;
  /** @type {Lines} */
  const lines = [[tokens, "strong"]];
  if (matrix.isHidden(row, column)) {
    const reason = matrix.isBeyond?.(row, column) ? "not_computed" : "not_yet";
    lines.push([strings[matrix.isSigned ? "no_counterpart" : reason], "soft"]);
    return lines;
  }
  const number = matrix.isExact ? exactNumber(value) : `≈ ${formatFixed(value, 3)}`;
  lines.push([matrix.isSigned && value > 0 ? `+${number}` : number, "number"]);
  lines.push([explorer.headsName(), "soft"]);
  if (matrix.removed) lines.push([fill(strings.row_removed, { share: shortPercent(matrix.removed[row]) }), "soft"]);
  else if (matrix.isSink[column] && state.sinks === "greyed") lines.push([strings.is_sink, "soft"]);
  return lines;
}

/** The tooltip of a head in the grid. @type {(explorer: Explorer, head: Head) => Lines} */
export function headSummary(explorer, head) {
  const { strings, state, view } = explorer;
  /** @type {Lines} */
  const lines = [[explorer.headName(head), "strong"]];
  const label = view.labels[state.kind]?.[head[0]]?.[head[1]];
  if (label) lines.push([labelText(explorer, label), "earned"]);
  for (const [name, value] of metricRows(explorer, view.metrics[state.kind], head))
    lines.push([`${name}  ${value}`, "soft"]);
  const ablated = explorer.parts.grid.matters.without(head);
  if (ablated !== null) lines.push([fill(strings.matters_without, { text: ablated }), "earned"]);
  if (explorer.isOff(...head)) lines.push([strings.head_is_off, "soft"]);
  return lines;
}

/** @type {(explorer: Explorer, label: [name: string, value: number]) => string} */
function labelText(explorer, [name, value]) {
  return `${explorer.strings[`label_${name}`]} · ${formatFixed(value)}`;
}

/** @param {number} share */
export function shortPercent(share) {
  return percent(share, share < 0.0995 && share > 0 ? 1 : 0);
}

/** A metric in few characters. @param {number} value */
export function shortMetric(value) {
  const digits = Math.abs(value) >= 10 ? 0 : Math.abs(value) >= 1 ? 1 : 2;
  return briefly(value.toFixed(digits)).replace("-", "−");
}

/** "+1.5", "−0.3", and "0.0" without a sign. @type {(value: number, digits: number) => string} */
function formatSigned(value, digits) {
  const size = Math.abs(value);
  return (Number(size.toFixed(digits)) === 0 ? "" : value > 0 ? "+" : "−") + formatFixed(size, digits);
}

/** The metrics that are defined for a head: label, formatted value and name of each.
 * @type {(explorer: Explorer, metrics: Metrics | undefined, head: Head) => [words: string, value: string, name: string][]} */
function metricRows(explorer, metrics, [layer, head]) {
  const { strings, state, packet } = explorer;
  /** @type {Record<Metric["unit"], (value: number) => string>} */
  const format = {
    bits: (x) => fill(strings.bits, { n: formatFixed(x) }),
    tokens: (x) => formatSigned(x, 1),
    share: shortPercent,
    weight: (x) => formatFixed(x, 3),
    index: (x) => formatFixed(x),
    log_prob: (x) => `${formatSigned(x, 2)} log p`,
  };
  const shown = packet.metrics.filter(({ cards }) => cards.includes(state.kind === "cross" ? "cross" : "self"));
  return shown.flatMap(({ name, unit }) => {
    const value = metrics?.[name]?.[layer]?.[head] ?? null;
    return value === null ? [] : [[strings[`metric_${name}`], format[unit](value), name]];
  });
}

/** The row of metrics below the view. */
export class HeadCards {
  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.label = h("div", { class: "earned-label" });
    this.list = h("dl", { class: "cards" });
    this.root = h("div", { class: "head-cards" }, this.label, this.list);
  }

  show() {
    const { explorer } = this;
    const { state, view, strings } = explorer;
    const [head] = state.heads;
    const label = view.labels[state.kind]?.[head[0]]?.[head[1]];
    // When several heads are combined, the metrics are those of the first.
    const isCombined = state.heads.length > 1;
    const labels = [isCombined && explorer.headName(head), label && labelText(explorer, label)].filter(Boolean);
    this.label.textContent = labels.join(" · ");
    this.label.hidden = !labels.length;
    const byName = (/** @type {Metrics | undefined} */ metrics) =>
      new Map(metricRows(explorer, metrics, head).map(([, value, name]) => [name, value]));
    const corpus = byName(view.corpus[state.kind]);
    const second = byName(explorer.views[1]?.metrics[state.kind]);
    const cards = metricRows(explorer, view.metrics[state.kind], head).map(([name, value, key]) =>
      this.#card(name, value, strings[`about_${key}`], [
        corpus.has(key) ? fill(strings.on_set, { value: corpus.get(key) }) : "",
        second.has(key) ? fill(strings.on_second, { value: second.get(key) }) : "",
      ]),
    );
    const isPart = Boolean(headsOfKind(view, state.kind).long); // the strongest may be outside the window
    const strongestLink = isCombined || isPart ? null : this.#strongest();
    if (strongestLink) cards.push(strongestLink);
    this.list.replaceChildren(...cards);
  }

  /** @type {(name: string, value: string, about: string, remarks: string[]) => HTMLElement} */
  #card(name, value, about, remarks) {
    return h(
      "div",
      { class: "metric", title: about },
      h("dt", {}, name),
      h(
        "dd",
        {},
        value,
        remarks.filter(Boolean).map((remark) => h("small", {}, remark)),
      ),
    );
  }

  #strongest() {
    const { matrix } = this.explorer.panes[0];
    const [best] = matrix.isSigned ? [] : strongest(matrix, 1);
    if (!best) return null;
    const [row, column] = best;
    const { strings } = this.explorer;
    return h(
      "div",
      { class: "metric wide" },
      h("dt", {}, strings.metric_strongest),
      h(
        "dd",
        {},
        h("bdi", {}, tokenName(matrix.queries, row, strings)),
        " → ",
        h("bdi", {}, tokenName(matrix.keys, column, strings)),
      ),
    );
  }
}

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
          h("td", { class: "number" }, matrix.isExact ? exactNumber(value) : `≈ ${formatFixed(value, 3)}`),
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
        return h("td", { class: "number" }, matrix.isHidden(row, column) ? "–" : formatFixed(value, 3));
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

// The grid of thumbnails of all heads, from which a head is chosen.

import { HeadRadios } from "./head_radios.js";
import { explain } from "./words.js";
import { css } from "../../shared/colour.js";
import { h, pointIn } from "../../shared/dom.js";
import { clamp, fill } from "../../shared/text.js";
import { headSummary, shortMetric } from "./cards.js";
import { Surface } from "./controls/controls.js";
import { Matters } from "./matters.js";
import { CanvasPainter } from "./picture/painter.js";
import { sameHead } from "./data/state.js";
import { headsOfKind } from "./data/unpack.js";
import { thumbMatrix, thumbnail } from "./picture/thumbnail.js";

/** Milliseconds of drawing per frame: below 50 a page feels immediate; less during animations. */
const SLICE = { whole: 40, gradual: 6 };
const THUMB = { gap: 7, caption: 16, bar: 3, minSize: 22, maxSize: 104 };

/** @import { Explorer } from "./explorer.js" */
/** @import { Head, Metrics } from "./types" */

export class HeadGrid {
  /** Pixels of the row and column of numbers; 0 without them. */ axis = 0;
  /** Width that was measured before drawing. */ room = 0;
  /** Reused buffer for the weights of one head. */ decoded = new Float32Array();
  /** Heads per row. */ across = 1;
  /** Pixels of a thumbnail, of its caption, and from one thumbnail to the next. */ size = 0;
  caption = 0;
  pitchX = 1;
  pitchY = 1;
  /** @type {Head[]} in drawing order; empty before the first drawing */ order = [];
  isSorted = false;
  /** @type {string | null} the metric whose bars are drawn */ barMetric = null;
  /** @type {number | null} */ hovered = null;
  /** Count of drawings; an older drawing in progress stops. */ generation = 0;

  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.base = new Surface("grid-base", { tabindex: "-1", "aria-hidden": "true" });
    this.over = new Surface("grid-over", { "aria-hidden": "true" });
    this.matters = new Matters(explorer);
    this.radios = new HeadRadios(this);
    this.stage = h("div", { class: "stage" }, this.base.canvas, this.over.canvas, this.matters.rings, this.radios.root);
    this.scroller = h("div", { class: "grid-scroller" }, this.stage);
    this.sort = h("select", { class: "sort", onchange: () => explorer.update({ sort: this.sort.value }) });
    this.subtitle = h("span", { class: "soft" });
    this.hint = h("p", { class: "hint" });
    this.root = h(
      "section",
      { class: "card heads" },
      h(
        "header",
        {},
        h("h3", {}, explorer.strings.all_heads),
        this.subtitle,
        h("label", { class: "sort-label" }, explorer.strings.sort_by, " ", this.sort),
      ),
      this.scroller,
      this.matters.root,
      this.hint,
    );
    this.stage.addEventListener("pointermove", (event) => this.#hover(this.#hit(event)));
    this.stage.addEventListener("pointerleave", () => this.#hover(null));
    this.stage.addEventListener("click", (event) => {
      const place = this.#hit(event);
      if (place !== null) explorer.chooseHead(this.order[place], event.shiftKey || event.metaKey || event.ctrlKey);
    });
  }

  /** All heads of the kind on screen. */
  get heads() {
    return headsOfKind(this.explorer.view, this.explorer.state.kind);
  }

  /** Metric of one head, or null. @type {(name: string, head: Head) => number | null} */
  metric(name, [layer, head]) {
    return this.explorer.view.metrics[this.explorer.state.kind]?.[name]?.[layer]?.[head] ?? null;
  }

  show() {
    const { state, strings, view, packet } = this.explorer;
    const available = view.metrics[state.kind] ?? {};
    const names = packet.metrics.map(({ name }) => name).filter((name) => available[name]);
    this.sort.replaceChildren(
      ...["order", ...names].map((name) =>
        h("option", { value: name, selected: name === state.sort }, strings[`sort_${name}`]),
      ),
    );
    this.sort.value = available[state.sort] ? state.sort : "order";
    this.barMetric = available[state.sort] ? state.sort : null;
    this.order = this.#ordered(available[state.sort]);
    this.isSorted = this.sort.value !== "order";
    explain(this.subtitle, fill(strings[this.isSorted ? "grid_sorted" : "grid_order"], { kind: strings[state.kind] }));
    this.hint.textContent = this.barMetric
      ? fill(strings.grid_hint, { metric: strings[`bar_${this.barMetric}`] })
      : strings[(this.heads.long ?? this.heads.sketch) ? "grid_hint_long" : "grid_hint_plain"];
    this.draw();
  }

  /** A metric's unit, scale and order. @param {string} metric */
  #metricOf(metric) {
    return this.explorer.packet.metrics.find(({ name }) => name === metric);
  }

  /** All heads, sorted by a metric if there is one. @param {Metrics[string] | undefined} values */
  #ordered(values) {
    /** @type {Head[]} */
    const all = [];
    for (let layer = 0; layer < this.heads.layers; layer++)
      for (let head = 0; head < this.heads.heads; head++) all.push([layer, head]);
    if (!values) return all;
    const key = (/** @type {Head} */ [layer, head]) => values[layer]?.[head] ?? -Infinity;
    const sign = this.#metricOf(this.explorer.state.sort)?.ascending ? 1 : -1;
    return all.sort((a, b) => sign * (key(a) - key(b)));
  }

  /** @param {number} width */
  #layout(width) {
    const { theme } = this.explorer;
    this.axis = this.isSorted ? 0 : theme.small * 2.2;
    const fitting = Math.floor(width / (58 * (theme.size / 13)));
    this.across = this.isSorted ? Math.max(1, Math.min(this.order.length, fitting)) : this.heads.heads;
    const room = (width - this.axis) / this.across - THUMB.gap;
    this.size = Math.floor(clamp(room, THUMB.minSize, THUMB.maxSize * (theme.size / 13)));
    this.caption = this.size >= 40 ? THUMB.caption * (theme.small / 11) : 2;
    this.pitchX = this.size + THUMB.gap;
    this.pitchY = this.size + this.caption + THUMB.bar + THUMB.gap;
    const rows = Math.ceil(this.order.length / this.across);
    return { width: this.axis + this.across * this.pitchX, height: this.axis * 0.8 + rows * this.pitchY };
  }

  /** The position of the thumbnail at a place. @type {(place: number) => [x: number, y: number]} */
  #box(place) {
    return [
      this.axis + (place % this.across) * this.pitchX + 2,
      this.axis * 0.8 + Math.floor(place / this.across) * this.pitchY + 2,
    ];
  }

  /** The position of a head's thumbnail. @param {Head} head */
  boxOf(head) {
    return this.#box(this.order.findIndex((other) => sameHead(other, head)));
  }

  /** The place under the pointer. @type {(event: MouseEvent) => number | null} */
  #hit(event) {
    const [x, y] = pointIn(event, this.base.canvas);
    const column = Math.floor((x - this.axis) / this.pitchX);
    const row = Math.floor((y - this.axis * 0.8) / this.pitchY);
    const place = row * this.across + column;
    return column >= 0 && column < this.across && row >= 0 && this.order[place] ? place : null;
  }

  measure() {
    this.room = this.scroller.clientWidth;
  }

  draw() {
    const { state, strings } = this.explorer;
    const width = this.room || this.scroller.clientWidth || 480;
    const box = this.#layout(width);
    this.base.resize(box.width, box.height);
    this.over.resize(box.width, box.height);
    if (!this.isSorted) this.#axes(this.#painter());
    this.radios.show(
      fill(strings.grid_label, { kind: strings[state.kind], layers: this.heads.layers, heads: this.heads.heads }),
    );
    const generation = ++this.generation;
    const slice = (/** @type {number} */ place) => {
      if (generation !== this.generation) return;
      const until = performance.now() + SLICE[this.explorer.isGradual ? "gradual" : "whole"];
      while (place < this.order.length && performance.now() < until) this.#thumb(place++);
      if (place < this.order.length) requestAnimationFrame(() => slice(place));
      else this.explorer.settled("grid");
    };
    slice(0);
    this.matters.show();
    this.point();
  }

  #painter() {
    return new CanvasPainter(this.base.context, this.explorer.theme);
  }

  /** @param {CanvasPainter} painter */
  #axes(painter) {
    const { theme, firstIndex } = this.explorer;
    const options = { size: theme.small, fill: theme.soft };
    for (let head = 0; head < this.heads.heads; head++) {
      painter.text(String(head + firstIndex), this.axis + head * this.pitchX + 2 + this.size / 2, this.axis * 0.35, {
        ...options,
        align: "center",
      });
    }
    for (let layer = 0; layer < this.heads.layers; layer++) {
      painter.text(
        String(layer + firstIndex),
        this.axis * 0.6,
        this.axis * 0.8 + layer * this.pitchY + 2 + this.size / 2,
        { ...options, align: "right" },
      );
    }
  }

  /** @param {number} place */
  #thumb(place) {
    const { theme, state, firstIndex } = this.explorer;
    const [layer, head] = this.order[place];
    const [x, y] = this.#box(place);
    const { size } = this;
    const painter = this.#painter();
    if (this.decoded.length !== this.heads.size) this.decoded = new Float32Array(this.heads.size);
    const matrix = thumbMatrix(this.explorer, [layer, head], this.decoded);
    const centred = { size: theme.small, fill: theme.soft, align: /** @type {const} */ ("center") };
    if (!matrix) painter.text(this.heads.long?.missing.has(layer) ? "·" : "NaN", x + size / 2, y + size / 2, centred);
    else {
      painter.clip(x, y, size, size, () =>
        painter.image(
          thumbnail(matrix, state, theme, state.kind, Math.ceil(size * (window.devicePixelRatio || 1))),
          x,
          y,
          size,
          size,
        ),
      );
    }
    painter.rect(x + 0.5, y + 0.5, size - 1, size - 1, { stroke: theme.line, radius: 2 });
    if (this.explorer.isOff(layer, head)) {
      painter.rect(x, y, size, size, { fill: theme.panel, alpha: 0.7 });
      painter.curve([x + 4, y + size - 4, x + 4, y + size - 4, x + size - 4, y + 4, x + size - 4, y + 4], {
        stroke: theme.soft,
        lineWidth: 1.5,
      });
    }
    if (this.barMetric) this.#bar(painter, x, y + size + 2, this.barMetric, [layer, head]);
    if (this.caption < 10) return;
    const label = `${layer + firstIndex}·${head + firstIndex}`;
    const middle = y + size + THUMB.bar + this.caption / 2 + 2;
    painter.text(label, x, middle, { size: theme.small * 0.95, fill: theme.soft });
    const value = this.barMetric ? this.metric(this.barMetric, [layer, head]) : null;
    if (value !== null && size >= 46) {
      painter.text(shortMetric(value), x + size, middle, { size: theme.small * 0.95, fill: theme.ink, align: "right" });
    }
  }

  /** @type {(painter: CanvasPainter, x: number, y: number, metric: string, head: Head) => void} */
  #bar(painter, x, y, metric, head) {
    const { theme, state } = this.explorer;
    const value = this.metric(metric, head);
    if (value === null) return;
    const [low, high] = this.#metricOf(metric)?.scale ?? this.#range(metric);
    const share = high > low ? clamp((value - low) / (high - low), 0, 1) : 0;
    painter.rect(x, y, this.size, THUMB.bar, { fill: theme.line, radius: 1.5 });
    if (share > 0)
      painter.rect(x, y, Math.max(2, share * this.size), THUMB.bar, { fill: css(theme.hue(state.kind)), radius: 1.5 });
  }

  /** The range of a metric without a fixed scale. @param {string} metric */
  #range(metric) {
    const { view, state } = this.explorer;
    const all = (view.metrics[state.kind]?.[metric] ?? []).flat().filter((value) => value !== null);
    return [Math.min(0, ...all), Math.max(...all)];
  }

  /** Redraw the outlines of the chosen heads and of the one under the pointer. */
  point() {
    const { theme, state } = this.explorer;
    this.radios.choose();
    this.over.clear();
    const painter = new CanvasPainter(this.over.context, theme);
    const hue = css(theme.hue(state.kind));
    this.order.forEach((head, place) => {
      const at = state.heads.findIndex((chosen) => sameHead(chosen, head));
      const [x, y] = this.#box(place);
      if (at >= 0) {
        const stroke = state.heads.length > 1 ? theme.categories[at % theme.categories.length] : hue;
        painter.rect(x - 1.5, y - 1.5, this.size + 3, this.size + 3, { stroke, lineWidth: 2.5, radius: 4 });
      } else if (place === this.hovered) {
        painter.rect(x - 0.5, y - 0.5, this.size + 1, this.size + 1, { stroke: theme.soft, lineWidth: 1.5, radius: 3 });
      }
    });
  }

  /** @param {number | null} place */
  #hover(place) {
    if (place === this.hovered) return;
    this.hovered = place;
    this.point();
    const { tooltip } = this.explorer.parts;
    if (place === null) return tooltip.hide();
    const [x, y] = this.#box(place);
    const box = this.base.canvas.getBoundingClientRect();
    tooltip.show(
      headSummary(this.explorer, this.order[place]),
      box.left + x + this.size / 2,
      box.top + y + this.size + 8,
    );
  }
}

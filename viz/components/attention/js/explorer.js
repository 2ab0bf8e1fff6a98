// The explorer: one state, one pointer, and every view following both.

import { css } from "../../shared/colour.js";
import { h, oneByOne } from "../../shared/dom.js";
import { clamp, fill } from "../../shared/text.js";
import { subtract } from "./data/align.js";
import { StageBridge } from "./data/bridge.js";
import { Tooltip } from "./cards.js";
import { readTheme } from "./picture/colour.js";
import { HeadGrid } from "./grid.js";
import { KeyHelp, handleKey } from "./controls/keyboard.js";
import { MainCard } from "./main_card.js";
import { Pane } from "./pane.js";
import { drawGradually, fillScreen } from "./controls/presenting.js";
import { Reporter } from "./data/reporter.js";
import { carryPins, fitState, nearestHeads, sameHead, togglePin } from "./data/state.js";
import { Toolbar } from "./controls/toolbar.js";
import { matrixOf } from "./data/transform.js";

// Fields whose change leaves the overview of all heads as it is.
const QUIET = ["pins", "zoom", "window", "together", "view", "orientation", "heads", "combine"];

export class Explorer {
  /** @type {import("./types").Packet} */ packet;
  /** @type {import("./types").View[]} */ views;
  /** @type {Record<string, string>} */ strings;
  /** @type {import("./types").State} */ state;
  /** @type {number} */ firstIndex;
  /** @type {import("./pane.js").Pane[]} */ panes;
  /** @type {import("./pane.js").Target | null} */ hovering;
  /** @type {boolean} */ isPresenting;
  /** @type {boolean} Whether it is being drawn for the first time, part by part. */ isGradual = false;
  /** @type {number | undefined} */ viewTop;
  /** @type {import("./matters.js").Measured | null} */ matters = null;
  /** @type {any} */ theme;

  constructor(parent, report) {
    this.reporter = new Reporter(this, report);
    this.root = h("div", { class: "regard" });
    parent.append(this.root);
    this.hovering = null;
    this.remembered = {};
    this.resizer = new ResizeObserver(() => this.#resized());
    this.resizer.observe(this.root);
    this.themer = new MutationObserver(() => this.refreshTheme());
    this.themer.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ["class", "style", "data-theme"],
    });
    this.root.addEventListener("keydown", (event) => handleKey(this, event));
    this.bridge = new StageBridge(this);
  }

  /** Show a packet; without a state, the reader's choices stay if it has them. @type {import("./types").Load} */
  load(packet, { state = null, isPresenting = false, isGradual = false } = {}) {
    const isFirst = !this.state;
    Object.assign(this, { views: packet.views, strings: packet.strings, packet, firstIndex: packet.firstIndex });
    const kept = this.#isSameText(packet) ? this.state : { ...this.state, pins: [], zoom: null, window: null };
    this.state = fitState(state ?? kept ?? {}, this.views[0], packet.defaults);
    this.isPresenting = isPresenting;
    this.texts = textsOf(this.views[0]);
    this.hovering = null;
    if (isFirst || this.builtFor !== this.#buildKey() || this.panes.length !== this.#paneCount()) this.#build();
    if (isFirst && isGradual) return drawGradually(this);
    this.measure();
    this.refreshTheme();
    if (isFirst) this.bridge.begin();
    return undefined;
  }

  /** What the toolbar needs: words, the available weightings, and the page's actions. */
  #buildKey() {
    return JSON.stringify([this.strings, this.view.weightings, this.packet.actions]);
  }

  /** Whether a new packet is about the same tokens; pins and zoom only make sense for those. */
  #isSameText(packet) {
    return textsOf(packet.views[0]) === this.texts;
  }

  #paneCount() {
    return this.views.length > 1 && !this.isSubtracting ? 2 : 1;
  }

  get view() {
    return this.views[0];
  }

  /** Whether the heads of both views correspond: models with different layers or heads can only be shown side by side. */
  get canSubtract() {
    const [one, other] = this.views.map((view) => view.kinds.get(this.state.kind));
    return Boolean(one && other) && one.layers === other.layers && one.heads === other.heads;
  }

  get isSubtracting() {
    return this.canSubtract && this.state.compare === "difference";
  }

  /** The chosen heads as a view has them: the nearest, where it has fewer. */
  headsIn(view) {
    const heads = view.kinds.get(this.state.kind);
    return heads ? nearestHeads(this.state.heads, heads) : [];
  }

  #build() {
    this.builtFor = this.#buildKey();
    this.panes = Array.from({ length: this.#paneCount() }, (_, place) => new Pane(this, place));
    this.tooltip = new Tooltip();
    this.grid = new HeadGrid(this);
    this.toolbar = new Toolbar(this);
    this.help = new KeyHelp(this);
    this.card = new MainCard(this);
    this.strip = h("div", { class: "strips" }, ...this.panes.map((pane) => pane.sentences.root));
    this.root.replaceChildren(
      this.strip,
      this.toolbar.root,
      h("div", { class: "desk" }, this.grid.root, this.card.root),
      this.tooltip.root,
      this.help.root,
    );
  }

  /** Read the colours again; Streamlit changes them without calling us. Printing is always on white. */
  refreshTheme({ isPrinting = false } = {}) {
    const paper = isPrinting ? "#ffffff" : undefined;
    this.theme = readTheme(getComputedStyle(this.root), this.packet.palettes, this.isPresenting, paper);
    return this.refresh();
  }

  /** Change the state, redraw, and report to Python a moment later. */
  update({ isPresenting = this.isPresenting, ...patch }, { isReported = true } = {}) {
    const before = this.state;
    const next = { ...before, ...patch };
    if (patch.kind && patch.kind !== before.kind) {
      this.remembered[before.kind] = before.heads;
      next.heads = patch.heads ?? this.remembered[patch.kind] ?? before.heads;
      next.pins = patch.pins ?? carryPins(before.pins, before.kind, patch.kind);
      next.zoom = patch.zoom ?? null;
      next.window = patch.window ?? null;
    }
    if (patch.window && !patch.pins) Object.assign(next, { pins: [], zoom: null }); // they name places in the window
    if (patch.unit && patch.unit !== before.unit) next.zoom = null;
    this.state = fitState(next, this.view, this.packet.defaults);
    if (isReported) this.reporter.tell();
    const changed = Object.keys(next).filter((name) => JSON.stringify(next[name]) !== JSON.stringify(before[name]));
    const isTurned = isPresenting !== this.isPresenting;
    this.isPresenting = isPresenting;
    if (!changed.length && !isTurned) return undefined;
    this.hovering = null;
    this.tooltip.hide();
    if (isTurned) return this.refreshTheme();
    if (this.panes.length !== this.#paneCount()) this.#build();
    return this.refresh({ grid: !changed.every((name) => QUIET.includes(name)) });
  }

  /** Enter or leave presenter mode; the page stores it, because the page's type gets larger too. */
  present(isPresenting) {
    this.update({ isPresenting }, { isReported: false });
    this.ask(isPresenting ? "present" : "end_presenting");
  }

  /** Request an action from the page that needs Python. */
  ask(name) {
    const [[layer, head]] = this.state.heads;
    this.reporter.ask({ name, kind: this.state.kind, layer, head });
  }

  refresh({ grid = true } = {}) {
    if (!this.theme) return undefined; // the first drawing is on its way
    const { state } = this;
    const matrices = this.views.map((view) =>
      view.kinds.has(state.kind) ? matrixOf(view, state, this.headsIn(view)) : null,
    );
    const [first, second] = matrices;
    for (const pane of this.panes)
      pane.matrix = this.isSubtracting ? subtract(first, second) : (matrices[pane.place] ?? first);
    fillScreen(this);
    // Read all widths before writing: a read between two writes would make the browser lay out the whole page again.
    this.panes.forEach((pane) => pane.map.measure());
    grid ||= !this.grid.order;
    if (grid) this.grid.measure();
    this.root.style.setProperty("--hue", css(this.theme.hue(state.kind)));
    this.root.style.setProperty("--on-hue", this.theme.onHue);
    this.root.style.setProperty("--panel", this.theme.panel);
    this.root.style.setProperty("--line", this.theme.line);
    this.root.style.setProperty("--soft", this.theme.soft);
    this.root.dataset.kind = state.kind;
    this.strip.hidden = !this.packet.showSentence || state.view === "text" || this.isPresenting;
    const parts = [
      () => this.toolbar.show(),
      ...this.card.parts(),
      () => (grid ? this.grid.show() : this.grid.point()),
      () => this.bridge.shade(),
      () => this.settled("main"),
    ];
    if (this.isGradual) return oneByOne(parts, () => this.root.isConnected);
    for (const part of parts) part();
    return undefined;
  }

  /** Set what the pointer is on; drawn once in the next frame. */
  point(target) {
    const same = (a, b) => a === b || (a && b && a.pane === b.pane && a.row === b.row && a.column === b.column);
    if (same(target, this.hovering)) return;
    this.hovering = target;
    if (!target) this.tooltip.hide();
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.panes.forEach((pane) => pane.point());
      this.card.inWords.show();
      this.bridge.shade();
      this.settled("point");
    });
  }

  pin(pane, side, unit) {
    if (pane.matrix.isSigned) return;
    const [first] = this.panes;
    const own = first.counterpart(pane, side, unit);
    if (own !== null) this.update({ pins: togglePin(this.state.pins, side, own, first.unitsOf(side)) });
  }

  /** Choose only this head, or add it to the set or remove it. */
  chooseHead(head, extend) {
    const { heads } = this.state;
    if (!extend) return this.update({ heads: [head] });
    const rest = heads.filter((each) => !sameHead(each, head));
    this.update({ heads: rest.length === heads.length ? [...heads, head] : rest.length ? rest : heads });
  }

  /** Move the chosen head through the grid. */
  move(layers, steps) {
    const heads = this.view.kinds.get(this.state.kind);
    const [[layer, head]] = this.state.heads;
    this.update({ heads: [[clamp(layer + layers, 0, heads.layers - 1), clamp(head + steps, 0, heads.heads - 1)]] });
  }

  isOff(layer, head) {
    return this.view.off.some(([kind, l, hh]) => kind === this.state.kind && l === layer && hh === head);
  }

  headName([layer, head]) {
    return fill(this.strings.head_name, { layer: layer + this.firstIndex, head: head + this.firstIndex });
  }

  headsName() {
    const { heads, combine } = this.state;
    if (heads.length === 1) return this.headName(heads[0]);
    if (this.state.view === "lines") return fill(this.strings.heads_count, { count: heads.length });
    return fill(this.strings[combine === "max" ? "heads_max" : "heads_mean"], { count: heads.length });
  }

  describeMap(pane) {
    return fill(this.strings.map_label, {
      head: this.headsName(),
      kind: this.strings[this.state.kind],
      rows: pane.matrix.rows,
      columns: pane.matrix.columns,
    });
  }

  /** Height for the view, so that its point is seen without scrolling. */
  roomForView() {
    if (this.isPresenting) return Math.max(360, window.innerHeight - 210);
    this.viewTop ??= Math.max(0, this.panes[0].root.getBoundingClientRect().top);
    return clamp(window.innerHeight - this.viewTop - 110, 380, 760);
  }

  #resized() {
    const { clientWidth } = this.root;
    if (!this.state || clientWidth === this.lastWidth || !clientWidth) return;
    this.measure();
    this.refresh();
  }

  /** Remember how wide the explorer is, and lay it out for that. */
  measure() {
    this.lastWidth = this.root.clientWidth;
    this.root.classList.toggle("narrow", this.lastWidth < 760);
    this.root.classList.toggle("small", this.lastWidth < 560);
  }

  /** Mark the element as drawn, for code that waits for it. */
  settled(what) {
    this.root.dataset[`drawn${what[0].toUpperCase()}${what.slice(1)}`] = String(Math.round(performance.now()));
  }

  destroy() {
    this.resizer.disconnect();
    this.themer.disconnect();
    this.bridge.destroy();
    this.reporter.stop();
    document.documentElement.removeAttribute("data-controls");
    this.root.remove();
  }
}

function textsOf(view) {
  return JSON.stringify([view.source.texts, view.predicted.texts]);
}

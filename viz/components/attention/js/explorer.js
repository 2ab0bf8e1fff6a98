// The explorer: one state and one pointer target, from which all its views are drawn.

/** @import { Head, Kind, Opening, Packet, Send, Side, State, Target, View } from "./types" */
/** @import { Measured } from "./matters.js" */

import { h, runInTurn } from "../../shared/dom.js";
import { clamp, fill } from "../../shared/text.js";
import { subtract, matrixOf } from "./data/transform.js";
import { StageBridge } from "./data/bridge.js";
import { handleKey } from "./controls/keyboard.js";
import { Pane } from "./pane.js";
import { Parts } from "./parts.js";
import { colourRoot, drawGradually, fillScreen, followPage, themeOf } from "./controls/presenting.js";
import { Reporter, changedState, clickedPins, nearestHeads, sameHead } from "./data/state.js";
import { headsOfKind } from "./data/unpack.js";
import { fitShown, headView } from "./views/views.js";

// Fields that do not affect the thumbnails of the heads.
const FIELDS_WITHOUT_GRID = ["pins", "zoom", "window", "together", "view", "orientation", "heads", "combine"];

export class Explorer {
  /** @type {Pane[] | undefined} */ #panes;
  /** @type {Parts | undefined} */ #parts;
  /** @type {Target | null} */ hovering = null;
  /** Whether the first drawing happens in several tasks, and whether it has begun. */
  isGradual = false;
  isBegun = true;
  /** @type {number | undefined} */ viewTop;
  /** @type {number | null} the requested frame that draws the pointer target */ frame = null;
  /** @type {Measured | null} */ matters = null;
  /** @type {Partial<Record<Kind, Head[]>>} the last chosen heads of each kind */ remembered = {};
  lastWidth = 0;

  /** Show a packet in an element.
   * @param {Element} parent @param {Send} send @param {Packet} packet @param {Opening} [how] */
  constructor(parent, send, packet, { state, isPresenting = false, isGradual = false } = {}) {
    this.reporter = new Reporter(this, send);
    this.bridge = new StageBridge(this);
    this.packet = packet;
    this.state = fitShown(state ?? {}, packet.views[0], packet.defaults);
    this.isPresenting = isPresenting;
    this.root = h("div", { class: "regard" });
    parent.append(this.root);
    this.theme = themeOf(this);
    this.builtFor = this.#buildKey();
    this.stopFollowing = followPage(this);
    this.root.addEventListener("keydown", (event) => handleKey(this, event));
    if (isGradual) drawGradually(this);
    else {
      this.measure();
      this.refreshTheme();
      this.bridge.begin();
    }
  }

  /** Show another packet; without a state, the reader's choices remain.
   * @type {(packet: Packet, how?: Omit<Opening, "isGradual">) => void} */
  load(packet, { state, isPresenting = false } = {}) {
    // Pins and zoom are valid only for the same tokens.
    const isSameText = textsOf(packet.views[0]) === textsOf(this.view);
    const current = isSameText ? this.state : { ...this.state, pins: [], zoom: null, window: null };
    this.packet = packet;
    this.state = fitShown(state ?? current, this.view, packet.defaults);
    this.isPresenting = isPresenting;
    this.hovering = null;
    if (this.builtFor !== this.#buildKey() || this.panes.length !== this.#paneCount()) this.#rebuild();
    this.measure();
    this.refreshTheme();
  }

  /** The toolbar is rebuilt when this changes: words, available weightings, and the page's actions. */
  #buildKey() {
    return JSON.stringify([this.strings, this.view.weightings, this.packet.actions]);
  }

  #paneCount() {
    return this.views.length > 1 && !this.isSubtracting ? 2 : 1;
  }

  get views() {
    return this.packet.views;
  }

  get view() {
    return this.views[0];
  }

  get strings() {
    return this.packet.strings;
  }

  get firstIndex() {
    return this.packet.firstIndex;
  }

  /** Whether both views have the same layers and heads, and no picture is cut into strips of two widths; other views can
   * only be shown side by side. */
  get canSubtract() {
    const { views, state } = this;
    const [first, second] = views.map((view) => view.kinds.get(state.kind));
    const hasOtherStrips = state.kind !== "decoder_self" && views[0].source.strip !== views[1]?.source.strip;
    return first !== undefined && first.layers === second?.layers && first.heads === second.heads && !hasOtherStrips;
  }

  get isSubtracting() {
    return this.canSubtract && this.state.compare === "difference";
  }

  /** The chosen heads in a view; the nearest if it has fewer. @param {View} view */
  headsIn(view) {
    const heads = view.kinds.get(this.state.kind);
    return heads ? nearestHeads(this.state.heads, heads) : [];
  }

  /** The matrix of a pane: its view's weights, the first view's if it lacks the kind, or the difference of both.
   * @param {number} place */
  matrixFor(place) {
    const [first, second] = this.views;
    const matrix = (/** @type {View} */ view) => matrixOf(view, this.state, this.headsIn(view));
    if (this.isSubtracting) return subtract(matrix(first), matrix(second));
    const view = this.views[place];
    return matrix(view.kinds.has(this.state.kind) ? view : first);
  }

  /** Built on first access, as the other parts are, so that the first drawing can build them in separate tasks. */
  get panes() {
    return (this.#panes ??= Array.from({ length: this.#paneCount() }, (_, place) => new Pane(this, place)));
  }

  get parts() {
    return (this.#parts ??= new Parts(this));
  }

  #rebuild() {
    this.builtFor = this.#buildKey();
    this.#panes = this.#parts = undefined;
  }

  /** Read the colours again; Streamlit changes them without calling us. Printing is always on white. */
  refreshTheme({ isPrinting = false } = {}) {
    this.theme = themeOf(this, isPrinting);
    return this.refresh();
  }

  /** Change the state, redraw, and report to Python a moment later.
   * @param {Partial<State> & {isPresenting?: boolean}} change
   * @param {{isReported?: boolean}} [how] */
  update({ isPresenting = this.isPresenting, ...patch }, { isReported = true } = {}) {
    const before = this.state;
    const next = changedState(before, patch, this.remembered);
    this.state = fitShown(next, this.view, this.packet.defaults);
    if (isReported) this.reporter.schedule();
    const oldValues = new Map(Object.entries(before));
    const changed = Object.entries(next)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(oldValues.get(name)))
      .map(([name]) => name);
    const modeChanges = isPresenting !== this.isPresenting;
    this.isPresenting = isPresenting;
    if (!changed.length && !modeChanges) return undefined;
    this.hovering = null;
    this.parts.tooltip.hide();
    if (modeChanges) return this.refreshTheme();
    if (this.panes.length !== this.#paneCount()) this.#rebuild();
    return this.refresh({ grid: !changed.every((name) => FIELDS_WITHOUT_GRID.includes(name)) });
  }

  /** Enter or leave presenter mode; the page stores it, because the page's type gets larger too. @param {boolean} isPresenting */
  present(isPresenting) {
    this.update({ isPresenting }, { isReported: false });
    this.requestAction(isPresenting ? "present" : "end_presenting");
  }

  /** Request an action from the page that needs Python. @param {string} name */
  requestAction(name) {
    const [[layer, head]] = this.state.heads;
    this.reporter.requestAction({ name, kind: this.state.kind, layer, head });
  }

  refresh({ grid: withGrid = true } = {}) {
    if (!this.isBegun) return undefined; // the first drawing follows
    const { state } = this;
    const { grid, toolbar, card, strip } = this.parts; // built before anything is measured
    for (const pane of this.panes) pane.invalidate();
    fillScreen(this);
    // Read all widths before writing: a read between two writes would force a layout of the whole page.
    this.panes.forEach((pane) => pane.measure());
    const redrawsGrid = withGrid || !grid.order.length;
    if (redrawsGrid) grid.measure();
    colourRoot(this);
    strip.hidden = !this.packet.showSentence || headView(state).showsSentences || this.isPresenting;
    const parts = [
      () => toolbar.show(),
      ...card.parts(),
      () => (redrawsGrid ? grid.show() : grid.point()),
      () => this.bridge.shade(),
      () => this.settled("main"),
    ];
    if (this.isGradual) return runInTurn(parts, () => this.root.isConnected);
    for (const part of parts) part();
    return undefined;
  }

  /** Set the pointer target; it is drawn in the next frame. @param {Target | null} target */
  point(target) {
    const current = this.hovering;
    if (target === current) return;
    if (target?.pane === current?.pane && target?.row === current?.row && target?.column === current?.column) return;
    this.hovering = target;
    if (!target) this.parts.tooltip.hide();
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.panes.forEach((pane) => pane.point());
      this.parts.card.inWords.show();
      this.bridge.shade();
      this.settled("point");
    });
  }

  /** Pin a row or column; with Shift, in addition to the pinned ones.
   * @type {(pane: Pane, side: Side, unit: number, isAdded?: boolean) => void} */
  pin(pane, side, unit, isAdded = false) {
    if (pane.matrix.isSigned) return;
    const [first] = this.panes;
    const place = first.counterpart(pane, side, unit);
    if (place !== null) this.update({ pins: clickedPins(this.state.pins, side, place, first.unitsOf(side), isAdded) });
  }

  /** Choose only this head, or with `extend` add or remove it. @type {(head: Head, extend?: boolean) => void} */
  chooseHead(head, extend) {
    const { heads } = this.state;
    const rest = heads.filter((other) => !sameHead(other, head));
    const several = rest.length === heads.length ? [...heads, head] : rest.length ? rest : heads;
    this.update({ heads: extend ? several : [head] });
  }

  /** Move the chosen head through the grid. @type {(layers: number, steps: number) => void} */
  move(layers, steps) {
    const heads = headsOfKind(this.view, this.state.kind);
    const [[layer, head]] = this.state.heads;
    this.update({ heads: [[clamp(layer + layers, 0, heads.layers - 1), clamp(head + steps, 0, heads.heads - 1)]] });
  }

  /** @type {(layer: number, head: number) => boolean} */
  isOff(layer, head) {
    return this.view.off.some(([kind, l, hh]) => kind === this.state.kind && l === layer && hh === head);
  }

  /** @param {Head} head */
  headName([layer, head]) {
    return fill(this.strings.head_name, { layer: layer + this.firstIndex, head: head + this.firstIndex });
  }

  headsName() {
    const { heads, combine } = this.state;
    if (heads.length === 1) return this.headName(heads[0]);
    if (!headView(this.state).combinesHeads) return fill(this.strings.heads_count, { count: heads.length });
    return fill(this.strings[combine === "max" ? "heads_max" : "heads_mean"], { count: heads.length });
  }

  /** Height of the view that fits on the screen. */
  roomForView() {
    if (this.isPresenting) return Math.max(360, window.innerHeight - 210);
    this.viewTop ??= Math.max(0, this.panes[0].root.getBoundingClientRect().top);
    return clamp(window.innerHeight - this.viewTop - 110, 380, 760);
  }

  /** Lay out again after a change of width. */
  resized() {
    const { clientWidth } = this.root;
    if (clientWidth === this.lastWidth || !clientWidth) return;
    this.measure();
    this.refresh();
  }

  /** Measure the width, and set the classes for narrow layouts. */
  measure() {
    this.lastWidth = this.root.clientWidth;
    this.root.classList.toggle("narrow", this.lastWidth < 760);
    this.root.classList.toggle("small", this.lastWidth < 560);
  }

  /** Set a data attribute with the time of the drawing; tests wait for it. @param {string} what */
  settled(what) {
    this.root.dataset[`drawn${what[0].toUpperCase()}${what.slice(1)}`] = String(Math.round(performance.now()));
  }

  destroy() {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.stopFollowing();
    this.bridge.destroy();
    this.reporter.flush();
    document.documentElement.removeAttribute("data-controls");
    this.root.remove();
  }
}

/** @param {View} view */
function textsOf(view) {
  return JSON.stringify([view.source.texts, view.predicted.texts]);
}

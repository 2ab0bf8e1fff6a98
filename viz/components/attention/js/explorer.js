// The explorer: one state, one pointer, and every view following both.

/** @import { Head, Kind, Opening, Packet, Send, Side, State, Target, View } from "./types" */
/** @import { Measured } from "./matters.js" */

import { h, runInTurn } from "../../shared/dom.js";
import { clamp, fill } from "../../shared/text.js";
import { subtract } from "./data/align.js";
import { StageBridge } from "./data/bridge.js";
import { handleKey } from "./controls/keyboard.js";
import { Pane } from "./pane.js";
import { Parts } from "./parts.js";
import { colourRoot, drawGradually, fillScreen, followPage, themeOf } from "./controls/presenting.js";
import { Reporter } from "./data/reporter.js";
import { changedState, clickedPins, nearestHeads, sameHead } from "./data/state.js";
import { matrixOf } from "./data/transform.js";
import { headsOfKind } from "./data/unpack.js";
import { fitShown, headView } from "./views/views.js";

// Fields whose change leaves the overview of all heads as it is.
const QUIET = ["pins", "zoom", "window", "together", "view", "orientation", "heads", "combine"];

export class Explorer {
  /** @type {Pane[] | undefined} */ #panes;
  /** @type {Parts | undefined} */ #parts;
  /** @type {Target | null} */ hovering = null;
  /** Whether it is being drawn for the first time, part by part, and whether that has begun. */
  isGradual = false;
  isBegun = true;
  /** @type {number | undefined} */ viewTop;
  /** @type {number | null} the frame in which what is pointed at will be drawn */ frame = null;
  /** @type {Measured | null} */ matters = null;
  /** @type {Partial<Record<Kind, Head[]>>} the heads that were chosen last of each kind */ remembered = {};
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
    this.leave = followPage(this);
    this.root.addEventListener("keydown", (event) => handleKey(this, event));
    if (isGradual) drawGradually(this);
    else {
      this.measure();
      this.refreshTheme();
      this.bridge.begin();
    }
  }

  /** Show another packet; without a state, the reader's choices stay.
   * @type {(packet: Packet, how?: Omit<Opening, "isGradual">) => void} */
  load(packet, { state, isPresenting = false } = {}) {
    // Pins and zoom only make sense for the same tokens.
    const isSameText = textsOf(packet.views[0]) === textsOf(this.view);
    const kept = isSameText ? this.state : { ...this.state, pins: [], zoom: null, window: null };
    this.packet = packet;
    this.state = fitShown(state ?? kept, this.view, packet.defaults);
    this.isPresenting = isPresenting;
    this.hovering = null;
    if (this.builtFor !== this.#buildKey() || this.panes.length !== this.#paneCount()) this.#rebuild();
    this.measure();
    this.refreshTheme();
  }

  /** What the toolbar needs: words, the available weightings, and the page's actions. */
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

  /** Whether the heads of both views correspond: models with different layers or heads can only be shown side by side. */
  get canSubtract() {
    const [one, other] = this.views.map((view) => view.kinds.get(this.state.kind));
    return one !== undefined && one.layers === other?.layers && one.heads === other.heads;
  }

  get isSubtracting() {
    return this.canSubtract && this.state.compare === "difference";
  }

  /** The chosen heads as a view has them: the nearest, where it has fewer. @param {View} view */
  headsIn(view) {
    const heads = view.kinds.get(this.state.kind);
    return heads ? nearestHeads(this.state.heads, heads) : [];
  }

  /** What a pane draws: its view's weights, those of the first view where it has none, or the difference of both.
   * @param {number} place */
  matrixFor(place) {
    const [first, second] = this.views;
    const matrix = (/** @type {View} */ view) => matrixOf(view, this.state, this.headsIn(view));
    if (this.isSubtracting) return subtract(matrix(first), matrix(second));
    const own = this.views[place];
    return matrix(own.kinds.has(this.state.kind) ? own : first);
  }

  /** Made when they are first asked for, as the parts around them: a first drawing asks in a task for each. */
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
    if (isReported) this.reporter.tell();
    const former = new Map(Object.entries(before));
    const changed = Object.entries(next)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(former.get(name)))
      .map(([name]) => name);
    const isTurned = isPresenting !== this.isPresenting;
    this.isPresenting = isPresenting;
    if (!changed.length && !isTurned) return undefined;
    this.hovering = null;
    this.parts.tooltip.hide();
    if (isTurned) return this.refreshTheme();
    if (this.panes.length !== this.#paneCount()) this.#rebuild();
    return this.refresh({ grid: !changed.every((name) => QUIET.includes(name)) });
  }

  /** Enter or leave presenter mode; the page stores it, because the page's type gets larger too. @param {boolean} isPresenting */
  present(isPresenting) {
    this.update({ isPresenting }, { isReported: false });
    this.ask(isPresenting ? "present" : "end_presenting");
  }

  /** Request an action from the page that needs Python. @param {string} name */
  ask(name) {
    const [[layer, head]] = this.state.heads;
    this.reporter.ask({ name, kind: this.state.kind, layer, head });
  }

  refresh({ grid: withGrid = true } = {}) {
    if (!this.isBegun) return undefined; // the first drawing is on its way
    const { state } = this;
    const { grid, toolbar, card, strip } = this.parts; // on the page before anything is measured
    for (const pane of this.panes) pane.forget();
    fillScreen(this);
    // Read all widths before writing: a read between two writes would make the browser lay out the whole page again.
    this.panes.forEach((pane) => pane.measure());
    const isWhole = withGrid || !grid.order.length;
    if (isWhole) grid.measure();
    colourRoot(this);
    strip.hidden = !this.packet.showSentence || headView(state).showsSentences || this.isPresenting;
    const parts = [
      () => toolbar.show(),
      ...card.parts(),
      () => (isWhole ? grid.show() : grid.point()),
      () => this.bridge.shade(),
      () => this.settled("main"),
    ];
    if (this.isGradual) return runInTurn(parts, () => this.root.isConnected);
    for (const part of parts) part();
    return undefined;
  }

  /** Set what the pointer is on; drawn once in the next frame. @param {Target | null} target */
  point(target) {
    const now = this.hovering;
    if (target === now) return;
    if (target?.pane === now?.pane && target?.row === now?.row && target?.column === now?.column) return;
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

  /** Pin a row or column instead of those that are pinned; with Shift, beside them.
   * @type {(pane: Pane, side: Side, unit: number, isAdded?: boolean) => void} */
  pin(pane, side, unit, isAdded = false) {
    if (pane.matrix.isSigned) return;
    const [first] = this.panes;
    const own = first.counterpart(pane, side, unit);
    if (own !== null) this.update({ pins: clickedPins(this.state.pins, side, own, first.unitsOf(side), isAdded) });
  }

  /** Choose only this head, or add it to the set or remove it. @type {(head: Head, extend?: boolean) => void} */
  chooseHead(head, extend) {
    const { heads } = this.state;
    const rest = heads.filter((each) => !sameHead(each, head));
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

  /** Height for the view, so that its point is seen without scrolling. */
  roomForView() {
    if (this.isPresenting) return Math.max(360, window.innerHeight - 210);
    this.viewTop ??= Math.max(0, this.panes[0].root.getBoundingClientRect().top);
    return clamp(window.innerHeight - this.viewTop - 110, 380, 760);
  }

  /** Lay it out again for another width. */
  resized() {
    const { clientWidth } = this.root;
    if (clientWidth === this.lastWidth || !clientWidth) return;
    this.measure();
    this.refresh();
  }

  /** Remember how wide the explorer is, and lay it out for that. */
  measure() {
    this.lastWidth = this.root.clientWidth;
    this.root.classList.toggle("narrow", this.lastWidth < 760);
    this.root.classList.toggle("small", this.lastWidth < 560);
  }

  /** Mark the element as drawn, for code that waits for it. @param {string} what */
  settled(what) {
    this.root.dataset[`drawn${what[0].toUpperCase()}${what.slice(1)}`] = String(Math.round(performance.now()));
  }

  destroy() {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.leave();
    this.bridge.destroy();
    this.reporter.end();
    document.documentElement.removeAttribute("data-controls");
    this.root.remove();
  }
}

/** @param {View} view */
function textsOf(view) {
  return JSON.stringify([view.source.texts, view.predicted.texts]);
}

// One sentence or model on screen: its matrix, and the views that draw it.

import { h } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { alignTexts, partnersOf } from "./data/align.js";
import { LinesView } from "./lines/lines_view.js";
import { MapView } from "./map/map_view.js";
import { pinnedUnits } from "./data/state.js";
import { SentenceLines } from "./tokens.js";

/** @import { Explorer } from "./explorer.js" */
/** @import { Focus, Matrix, Side, State, Target } from "./types" */

/** One sentence or model on screen; two when comparing. */
export class Pane {
  /** @type {Matrix | undefined} */ #matrix;

  /**
   * @param {Explorer} explorer
   * @param {number} place of its view
   */
  constructor(explorer, place) {
    this.explorer = explorer;
    this.place = place;
    this.map = new MapView(explorer, this);
    this.lines = new LinesView(explorer, this);
    this.sentences = new SentenceLines(explorer, this, "strip");
    this.prose = new SentenceLines(explorer, this, "prose");
    this.message = h("p", { class: "message", role: "alert", hidden: true });
    this.title = h("div", { class: "pane-title" });
    this.root = h("div", { class: "pane" }, this.title, this.message, this.map.root, this.lines.root, this.prose.root);
  }

  get view() {
    return this.explorer.views[this.place];
  }

  /** What is drawn: weights after all reading aids. */
  get matrix() {
    return (this.#matrix ??= this.explorer.matrixFor(this.place));
  }

  /** Compute the matrix again when it is next read. */
  forget() {
    this.#matrix = undefined;
  }

  /** What a screen reader says of its picture. */
  get label() {
    const { explorer, matrix } = this;
    const { strings, state } = explorer;
    const { rows, columns } = matrix;
    return fill(strings.map_label, { head: explorer.headsName(), kind: strings[state.kind], rows, columns });
  }

  /** What the pointer is on, in this pane's own units. */
  hover() {
    const { hovering } = this.explorer;
    if (!hovering || hovering.pane === this) return hovering;
    const { pane, row, column } = hovering;
    return { ...hovering, row: this.counterpart(pane, "q", row), column: this.counterpart(pane, "k", column) };
  }

  /** Tokens of the rows ("q") or columns ("k"). @param {Side} side */
  unitsOf(side) {
    return side === "q" ? this.matrix.queries : this.matrix.keys;
  }

  /** A row or a column as what the pointer is on. @type {(side: Side, unit: number) => Target} */
  target(side, unit) {
    return { pane: this, row: side === "q" ? unit : null, column: side === "k" ? unit : null };
  }

  /** The unit here that corresponds to one of another pane, or null.
   * @type {(pane: Pane, side: Side, unit: number | null) => number | null} */
  counterpart(pane, side, unit) {
    if (unit === null || pane === this) return unit;
    const [from, to] = [pane.unitsOf(side), this.unitsOf(side)];
    const partner = partnersOf(alignTexts(from.texts, to.texts), 0, from.length)[unit];
    return partner >= 0 ? partner : null;
  }

  /** Pinned units of one side. Pins name tokens of the first pane; the second shows their counterparts.
   * @param {Side} side */
  pinned(side) {
    if (this.matrix.isSigned) return [];
    const { panes, state } = this.explorer;
    const units = pinnedUnits(state.pins, side, panes[0].unitsOf(side));
    return units.map((unit) => this.counterpart(panes[0], side, unit)).filter((unit) => unit !== null);
  }

  /** The tokens whose attention is read: pointed first, otherwise pinned.
   * @returns {Focus | null} */
  focus() {
    const hover = this.hover();
    if (hover && hover.row !== null) return { side: "q", units: [hover.row] };
    if (hover && hover.column !== null) return { side: "k", units: [hover.column] };
    for (const side of /** @type {const} */ (["q", "k"])) {
      const units = this.pinned(side);
      if (units.length) return { side, units, isPinned: true };
    }
    return null;
  }

  show() {
    const { state, strings } = this.explorer;
    const shows = (/** @type {State["view"]} */ name) => state.view === name && !this.matrix.broken.length;
    this.message.hidden = !this.matrix.broken.length;
    if (this.matrix.broken.length) {
      this.message.textContent = fill(strings.not_numbers, {
        heads: this.matrix.broken.map((head) => this.explorer.headName(head)).join(", "),
      });
    }
    this.map.root.hidden = !shows("map");
    this.lines.root.hidden = !shows("lines");
    this.prose.root.hidden = !shows("text");
    this.title.textContent = this.explorer.panes.length > 1 ? this.#name() : "";
    if (shows("map")) this.map.show();
    if (shows("lines")) this.lines.show();
    if (shows("text")) this.prose.show();
    else if (!this.view.kinds.get(state.kind)?.long) this.sentences.show(); // thousands of tokens, which are hidden
  }

  /** The sentence, or the model if both read the same one; and the head if it is not the chosen one. */
  #name() {
    const { explorer, view } = this;
    const heads = explorer.headsIn(view);
    const isOther = JSON.stringify(heads) !== JSON.stringify(explorer.state.heads);
    const sentences = explorer.views.map((each) => each.caption.split(" → ")[0]);
    const isSame = sentences[0] === sentences[1];
    return [
      isSame ? view.caption.split(" · ").at(-1) : sentences[this.place],
      ...(isOther ? heads.map((head) => explorer.headName(head)) : []),
    ].join(" · ");
  }

  point() {
    const { state } = this.explorer;
    if (this.matrix.broken.length) return;
    if (state.view === "map") this.map.point();
    if (state.view === "lines") this.lines.point();
    (state.view === "text" ? this.prose : this.sentences).point();
  }
}

// A pane: one sentence or model on screen, with its matrix and the views that draw it.

import { focusFirst, focusedIn, h } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { counterpartOf } from "./data/transform.js";
import { pinnedUnits } from "./data/state.js";
import { SentenceLines } from "./tokens.js";
import { HEAD_VIEWS, headView } from "./views/views.js";

/** @import { Explorer } from "./explorer.js" */
/** @import { Focus, Matrix, Side, Target, ViewName } from "./types" */
/** @import { HeadDrawing } from "./views/types" */

/** One sentence or model on screen; two when comparing. */
export class Pane {
  /** @type {Matrix | undefined} */ #matrix;

  /** @param {Explorer} explorer
   * @param {number} place of its view */
  constructor(explorer, place) {
    this.explorer = explorer;
    this.place = place;
    /** @type {Map<ViewName, HeadDrawing>} */
    this.drawings = new Map(HEAD_VIEWS.map(({ name, make }) => [name, make(explorer, this)]));
    this.sentences = new SentenceLines(explorer, this, "strip");
    this.message = h("p", { class: "message", role: "alert", hidden: true });
    this.title = h("div", { class: "pane-title" });
    const roots = [...this.drawings.values()].map(({ root }) => root);
    this.root = h("div", { class: "pane" }, this.title, this.message, ...roots);
  }

  /** The present view's drawing; undefined if some weights are not numbers. */
  get drawing() {
    return this.matrix.broken.length ? undefined : this.drawings.get(headView(this.explorer.state).name);
  }

  get view() {
    return this.explorer.views[this.place];
  }

  /** The matrix that is drawn: weights after all reading aids. */
  get matrix() {
    return (this.#matrix ??= this.explorer.matrixFor(this.place));
  }

  /** Compute the matrix again on next access. */
  invalidate() {
    this.#matrix = undefined;
  }

  /** The accessible name of its drawing. */
  get label() {
    const { explorer, matrix } = this;
    const { strings, state } = explorer;
    const { rows, columns } = matrix;
    return fill(strings.map_label, { head: explorer.headsName(), kind: strings[state.kind], rows, columns });
  }

  /** The pointer target in this pane's units. */
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

  /** A row or a column as a pointer target. @type {(side: Side, unit: number) => Target} */
  target(side, unit) {
    return { pane: this, row: side === "q" ? unit : null, column: side === "k" ? unit : null };
  }

  /** The unit of this pane that corresponds to one of another pane, or null.
   * @type {(pane: Pane, side: Side, unit: number | null) => number | null} */
  counterpart(pane, side, unit) {
    if (unit === null || pane === this) return unit;
    const partner = counterpartOf(pane.unitsOf(side), this.unitsOf(side), unit);
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

  /** The tokens whose attention is shown: those under the pointer, else the pinned ones.
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
    const { drawing } = this;
    this.message.hidden = !this.matrix.broken.length;
    if (this.matrix.broken.length) {
      this.message.textContent = fill(strings.not_numbers, {
        heads: this.matrix.broken.map((head) => this.explorer.headName(head)).join(", "),
      });
    }
    const focused = focusedIn(this.root);
    const drawings = [...this.drawings.values()];
    const losesFocus = drawings.some((other) => other !== drawing && other.root.contains(focused));
    for (const other of drawings) other.root.hidden = other !== drawing;
    this.title.textContent = this.explorer.panes.length > 1 ? this.#name() : "";
    drawing?.show();
    if (losesFocus) focusFirst(drawing?.root);
    const isLong = this.view.kinds.get(state.kind)?.long; // the sentences of thousands of tokens are hidden
    if (!isLong && !headView(state).showsSentences) this.sentences.show();
  }

  /** The title: the sentence, or the model if both sentences are equal; and the head if it is not the chosen one. */
  #name() {
    const { explorer, view } = this;
    const heads = explorer.headsIn(view);
    const isOther = JSON.stringify(heads) !== JSON.stringify(explorer.state.heads);
    const sentences = explorer.views.map(({ caption }) => caption.split(" → ")[0]);
    const isSame = sentences[0] === sentences[1];
    return [
      isSame ? view.caption.split(" · ").at(-1) : sentences[this.place],
      ...(isOther ? heads.map((head) => explorer.headName(head)) : []),
    ].join(" · ");
  }

  point() {
    const { drawing } = this;
    if (!drawing) return;
    drawing.point();
    if (!headView(this.explorer.state).showsSentences) this.sentences.point();
  }

  /** Measure the widths of its drawings. */
  measure() {
    for (const drawing of this.drawings.values()) drawing.measure?.();
  }

  /** Zoom the drawings that support it; 0 shows everything. @param {number} factor */
  zoomBy(factor) {
    for (const drawing of this.drawings.values()) drawing.zoomBy?.(factor);
  }
}

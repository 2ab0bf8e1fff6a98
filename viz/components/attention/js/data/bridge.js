// Connects the explorer with the stage, a separate component: the stage sends the token under the pointer, and receives
// weights to shade its tokens.

import { handleActs, publish, subscribe, withdraw } from "../../../shared/signals.js";
import { handleEscape } from "../controls/keyboard.js";
import { profileOf, profilePeak } from "./transform.js";
import { headsOfKind } from "./unpack.js";

/** @import { Explorer } from "../explorer.js" */
/** @import { Measured } from "../matters.js" */
/** @import { Side } from "../types" */
/** @import { Shade } from "../../../sentence/types" */
/** @import { Place } from "../../../shared/signals.js" */

export class StageBridge {
  /** @type {(() => void)[]} */ cleanups = [];
  /** The shade that was published last, as JSON. */ published = "";

  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
  }

  /** Subscribe, after the first drawing. */
  begin() {
    this.cleanups = [
      subscribe("point", (at) => this.#point(at)),
      handleActs((act) => (act.do === "pin" ? this.#pin(act) : handleEscape(this.explorer))),
    ];
  }

  destroy() {
    this.cleanups.forEach((cleanup) => cleanup());
    withdraw("shade", this);
    withdraw("changing", this);
  }

  /** The sentence of the rows ("q") or columns ("k"), and the offset of the stage's tokens.
   * @param {Side} side */
  #place(side) {
    const { state, view } = this.explorer;
    const { name, shift } = this.#placeInText(side);
    return { name, shift: shift - (headsOfKind(view, state.kind).long?.window[side === "q" ? 0 : 1] ?? 0) };
  }

  /** @type {(side: Side) => {name: Place["side"], shift: number}} */
  #placeInText(side) {
    const { state, view } = this.explorer;
    const isFed = view.hasTwoMeanings && (side === "k" || state.rows === "fed");
    // The source of a decoder-only model is its input.
    if (!view.source.length) return { name: isFed || !view.hasTwoMeanings ? "source" : "target", shift: 0 };
    if (state.kind === "encoder_self" || (state.kind === "cross" && side === "k")) return { name: "source", shift: 0 };
    return { name: "target", shift: isFed ? 1 : 0 };
  }

  /** The row or column of a token of the stage, or null. @param {Place} at */
  #unitAt({ side: name, index }) {
    const [pane] = this.explorer.panes;
    for (const side of /** @type {const} */ (["q", "k"])) {
      const place = this.#place(side);
      const unit = place.name === name ? (pane.unitsOf(side).of[index + place.shift] ?? -1) : -1;
      if (unit >= 0) return { pane, side, unit };
    }
    return null;
  }

  /** @param {Place | null} at */
  #point(at) {
    const unit = at && this.#unitAt(at);
    this.explorer.point(unit && unit.pane.target(unit.side, unit.unit));
  }

  /** @param {Place & {isAdded: boolean}} at */
  #pin(at) {
    const unit = this.#unitAt(at);
    if (unit) this.explorer.pin(unit.pane, unit.side, unit.unit, at.isAdded);
  }

  /** The tokens of the stage that are pinned. */
  #pinned() {
    const [pane] = this.explorer.panes;
    /** @type {Record<Place["side"], number[]>} */
    const pinned = { source: [], target: [] };
    for (const side of /** @type {const} */ (["q", "k"])) {
      const { name, shift } = this.#place(side);
      const { members } = pane.unitsOf(side);
      pinned[name].push(...pane.pinned(side).flatMap((unit) => members[unit].map((piece) => piece - shift)));
    }
    return pinned;
  }

  /** Publish the weights that the pointed or pinned tokens give or receive. */
  shade() {
    const { state, panes } = this.explorer;
    const [pane] = panes;
    const isReadable = !pane.matrix.isSigned && !pane.matrix.broken.length;
    const focus = isReadable ? pane.focus() : null;
    const pinned = this.#pinned();
    if (!focus) return this.#publishShade({ kind: state.kind, pinned });
    const across = focus.side === "q" ? "k" : "q";
    const [home, away] = [this.#place(focus.side), this.#place(across)];
    const profile = profileOf(pane.matrix, focus.side, focus.units, state.together);
    const peak = profilePeak(pane.matrix, profile, across, state);
    /** @type {number[]} */
    const weights = [];
    profile.forEach((weight, unit) => {
      for (const piece of pane.unitsOf(across).members[unit]) {
        if (piece >= away.shift && weight >= state.threshold) weights[piece - away.shift] = Math.max(0, weight / peak);
      }
    });
    const { members } = pane.unitsOf(focus.side);
    const indexes = focus.units.flatMap((unit) => members[unit]).map((piece) => piece - home.shift);
    this.#publishShade({
      kind: state.kind,
      pinned,
      [away.name]: Array.from(weights, (weight) => weight ?? 0),
      focus: { side: home.name, indexes },
    });
  }

  /** Publish the heads whose removal changes the translation, once all are measured. @param {Measured | null} measured */
  offer(measured) {
    if (measured?.kind !== "cross" || measured.done < measured.layers) return;
    const { of, text, changing } = measured;
    if (of) publish("changing", { of, text, changing }, this);
  }

  /** @param {Shade} detail */
  #publishShade(detail) {
    const text = JSON.stringify(detail);
    if (text === this.published) return;
    this.published = text;
    publish("shade", detail, this);
  }
}

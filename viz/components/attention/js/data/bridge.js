// Connects the explorer with the sentence stage, a separate component: it sends what is pointed at, and gets shading.

import { handleActs, publish, subscribe, withdraw } from "../../../shared/signals.js";
import { letGo } from "../controls/keyboard.js";
import { profileOf, profilePeak } from "./transform.js";
import { headsOfKind } from "./unpack.js";

/** @import { Explorer } from "../explorer.js" */
/** @import { Measured } from "../matters.js" */
/** @import { Side } from "../types" */
/** @typedef {{side: "source" | "target", index: number}} Place a token of the stage */
/**
 * What the stage is told: how dark each token is, and which are in focus.
 * @typedef {{kind: string, source?: number[], target?: number[], focus?: {side: Place["side"], indexes: number[]},
 *   pinned?: Record<Place["side"], number[]>}} Shade
 */

export class StageBridge {
  /** @type {(() => void)[]} how to stop listening */ leave = [];
  /** What was told last, as text. */ said = "";

  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
  }

  /** Listen from now on, when there is something to point at. */
  begin() {
    this.leave = [
      subscribe("point", (at) => this.#point(at)),
      handleActs((act) => (act.do === "pin" ? this.#pin(act) : letGo(this.explorer))),
    ];
  }

  destroy() {
    this.leave.forEach((leave) => leave());
    withdraw("shade", this);
    withdraw("changing", this);
  }

  /** Which sentence the rows ("q") or columns ("k") are, and how many places the stage's tokens lie before them.
   * @param {Side} side */
  #place(side) {
    const { state, view } = this.explorer;
    const { name, shift } = this.#whole(side);
    return { name, shift: shift - (headsOfKind(view, state.kind).long?.window[side === "q" ? 0 : 1] ?? 0) };
  }

  /** @type {(side: Side) => {name: Place["side"], shift: number}} */
  #whole(side) {
    const { state, view } = this.explorer;
    const isFed = view.hasTwoMeanings && (side === "k" || state.rows === "fed");
    // A decoder-only model reads what it is fed.
    if (!view.source.length) return { name: isFed || !view.hasTwoMeanings ? "source" : "target", shift: 0 };
    if (state.kind === "encoder_self" || (state.kind === "cross" && side === "k")) return { name: "source", shift: 0 };
    return { name: "target", shift: isFed ? 1 : 0 };
  }

  /** The row or column of a token of the stage; null for one that the map does not have. @param {Place} at */
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
    const found = at && this.#unitAt(at);
    this.explorer.point(found && found.pane.target(found.side, found.unit));
  }

  /** @param {Place & {isAdded: boolean}} at */
  #pin(at) {
    const found = this.#unitAt(at);
    if (found) this.explorer.pin(found.pane, found.side, found.unit, at.isAdded);
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

  /** Shade the stage by what the pointed or pinned tokens attend to, or are attended to by. */
  shade() {
    const { state, panes } = this.explorer;
    const [pane] = panes;
    const isReadable = !pane.matrix.isSigned && !pane.matrix.broken.length;
    const focus = isReadable ? pane.focus() : null;
    const pinned = this.#pinned();
    if (!focus) return this.#say({ kind: state.kind, pinned });
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
    this.#say({
      kind: state.kind,
      pinned,
      [away.name]: Array.from(weights, (weight) => weight ?? 0),
      focus: { side: home.name, indexes },
    });
  }

  /** Tell the heads without which the translation is another, once all were tried. @param {Measured | null} measured */
  offer(measured) {
    if (measured?.kind !== "cross" || measured.done < measured.layers) return;
    const { of, text, changing } = measured;
    if (of) publish("changing", { of, text, changing }, this);
  }

  /** @param {Shade} detail */
  #say(detail) {
    const text = JSON.stringify(detail);
    if (text === this.said) return;
    this.said = text;
    publish("shade", detail, this);
  }
}

// Connects the explorer with the sentence stage, a separate component: it sends what is pointed at, and gets shading.

import { follow, serveActs, tell, withdraw } from "../../../shared/signals.js";
import { letGo } from "../controls/keyboard.js";
import { profileOf, profilePeak } from "./transform.js";

export class StageBridge {
  constructor(explorer) {
    this.explorer = explorer;
    this.leave = [];
  }

  /** Listen from now on, when there is something to point at. */
  begin() {
    this.leave = [
      follow("point", (at) => this.#point(at)),
      serveActs((act) => (act.do === "pin" ? this.#pin(act) : letGo(this.explorer))),
    ];
  }

  destroy() {
    this.leave.forEach((leave) => leave());
    withdraw("shade", this);
  }

  /** Which sentence the rows ("q") or columns ("k") are, and how many places the stage's tokens lie before them. */
  #place(side) {
    const { state, view } = this.explorer;
    const { name, shift } = this.#whole(side);
    return { name, shift: shift - (view.kinds.get(state.kind).long?.window[side === "q" ? 0 : 1] ?? 0) };
  }

  #whole(side) {
    const { state, view } = this.explorer;
    const isFed = view.hasTwoMeanings && (side === "k" || state.rows === "fed");
    // A lone decoder reads what it is fed.
    if (!view.source.length) return { name: isFed || !view.hasTwoMeanings ? "source" : "target", shift: 0 };
    if (state.kind === "encoder_self" || (state.kind === "cross" && side === "k")) return { name: "source", shift: 0 };
    return { name: "target", shift: isFed ? 1 : 0 };
  }

  #units(side) {
    const { matrix } = this.explorer.panes[0];
    return side === "q" ? matrix?.queries : matrix?.keys;
  }

  /** The row or column of a token of the stage; null for one that the map does not have. */
  #unitAt({ side: name, index }) {
    const [pane] = this.explorer.panes;
    if (!pane?.matrix) return null;
    for (const side of ["q", "k"]) {
      const place = this.#place(side);
      const unit = place.name === name ? (this.#units(side).of[index + place.shift] ?? -1) : -1;
      if (unit >= 0) return { pane, side, unit };
    }
    return null;
  }

  #point(at) {
    const found = at && this.#unitAt(at);
    if (!found) return this.explorer.point(null);
    const { pane, side, unit } = found;
    return this.explorer.point({ pane, row: side === "q" ? unit : null, column: side === "k" ? unit : null });
  }

  #pin(at) {
    const found = this.#unitAt(at);
    if (found) this.explorer.pin(found.pane, found.side, found.unit);
  }

  /** Shade the stage by what the pointed or pinned tokens attend to, or are attended to by. */
  shade() {
    const { state, panes } = this.explorer;
    const [pane] = panes ?? [];
    if (!pane) return;
    const isReadable = pane.matrix && !pane.matrix.isSigned && !pane.matrix.broken.length;
    const focus = isReadable ? pane.focus() : null;
    if (!focus) return this.#say({ kind: state.kind });
    const across = focus.side === "q" ? "k" : "q";
    const [home, away] = [this.#place(focus.side), this.#place(across)];
    const profile = profileOf(pane.matrix, focus.side, focus.units, state.together);
    const peak = profilePeak(pane.matrix, profile, across, state);
    const weights = [];
    profile.forEach((weight, unit) => {
      for (const piece of this.#units(across).members[unit]) {
        if (piece >= away.shift && weight >= state.threshold) weights[piece - away.shift] = Math.max(0, weight / peak);
      }
    });
    const indexes = focus.units
      .flatMap((unit) => this.#units(focus.side).members[unit])
      .map((piece) => piece - home.shift);
    this.#say({
      kind: state.kind,
      [away.name]: Array.from(weights, (weight) => weight ?? 0),
      focus: { side: home.name, indexes },
    });
  }

  #say(detail) {
    const text = JSON.stringify(detail);
    if (text === this.said) return;
    this.said = text;
    tell("shade", detail, this);
  }
}

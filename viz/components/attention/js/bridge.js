// Connects the explorer with the sentence stage, a separate component: it sends what is pointed at, and gets shading.

import { letGo } from "./keyboard.js";
import { profileOf, profilePeak } from "./transform.js";

export class StageBridge {
  constructor(explorer) {
    this.explorer = explorer;
    this.hear = (event) => this.#heard(event.detail ?? {});
    this.repeat = () => {
      this.said = null;
      this.shade();
    };
    this.release = () => letGo(this.explorer);
    window.addEventListener("regard:point", this.hear);
    window.addEventListener("regard:release", this.release);
    window.addEventListener("regard:stage", this.repeat);
  }

  destroy() {
    window.removeEventListener("regard:point", this.hear);
    window.removeEventListener("regard:release", this.release);
    window.removeEventListener("regard:stage", this.repeat);
    this.#say({});
  }

  /** Which sentence the rows ("q") or columns ("k") are, and how many places the stage's tokens lie before them. */
  #place(side) {
    const { state, view } = this.explorer;
    const isFed = view.hasTwoMeanings && (side === "k" || state.rows === "fed");
    if (!view.source.length) return { name: isFed ? "source" : "target", shift: 0 }; // a lone decoder reads what it is fed
    if (state.kind === "encoder_self" || (state.kind === "cross" && side === "k")) return { name: "source", shift: 0 };
    return { name: "target", shift: isFed ? 1 : 0 };
  }

  #units(side) {
    const { matrix } = this.explorer.panes[0];
    return side === "q" ? matrix?.queries : matrix?.keys;
  }

  #heard({ side: name, index, pinned }) {
    const { explorer } = this;
    const [pane] = explorer.panes ?? [];
    if (!pane?.matrix) return;
    if (index === null) return void explorer.point(null);
    for (const side of ["q", "k"]) {
      const place = this.#place(side);
      const unit = place.name === name ? (this.#units(side).of[index + place.shift] ?? -1) : -1;
      if (unit < 0) continue;
      if (pinned) explorer.pin(pane, side, unit);
      else explorer.point({ pane, row: side === "q" ? unit : null, column: side === "k" ? unit : null });
      return;
    }
    explorer.point(null);
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
    window.dispatchEvent(new CustomEvent("regard:shade", { detail }));
  }
}

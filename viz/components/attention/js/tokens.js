// The two sentences as tokens: the strip above the toolbar, and in large type the text view.
// Tokens are buttons, so that they are reached by Tab and read aloud; a token is always text, never markup.

import { h } from "../../shared/dom.js";
import { profileOf, profilePeak } from "./data/transform.js";
import { Axis } from "./data/unpack.js";

/** The decoder's whole sequence: its first input token, then its predictions. */
function targetSequence(view) {
  const { fed, predicted } = view;
  const overlaps = view.hasTwoMeanings && fed.texts.slice(1).every((text, i) => text === predicted.texts[i]);
  if (!overlaps) return null;
  const join = (name) => [fed[name][0], ...predicted[name]];
  return new Axis({
    texts: join("texts"),
    words: [-1, ...predicted.words],
    sinks: join("sinks"),
    direction: predicted.direction,
    ideographic: predicted.ideographic,
  });
}

/** Where rows and columns of the current kind are in the two lines of tokens. */
class Sequence {
  constructor(view, state) {
    this.merged = targetSequence(view);
    const decoder = this.merged ?? (state.rows === "fed" ? view.fed : view.predicted);
    this.lines = [
      { name: "source", axis: view.source },
      { name: "target", axis: decoder },
    ].filter((line) => line.axis.length);
    for (const line of this.lines) line.units = line.axis.in(state.unit);
    this.shift = this.merged && state.rows === "predicted" ? 1 : 0;
    this.kind = state.kind;
  }

  /** The line whose tokens are the rows ("q") or the columns ("k"), and how far its positions are moved. */
  place(side) {
    const name = this.kind === "encoder_self" || (this.kind === "cross" && side === "k") ? "source" : "target";
    const shift = name === "target" && side === "q" ? this.shift : 0;
    return { line: this.lines.find((line) => line.name === name), shift };
  }

  /** Position in its line of a unit of the matrix, as a unit of that line. */
  locate(side, units, unit) {
    const { line, shift } = this.place(side);
    return line?.units.of[units.members[unit][0] + shift] ?? -1;
  }

  /** The matrix's unit of a token on one side, or -1. */
  resolve(side, units, line, token) {
    const place = this.place(side);
    if (place.line !== line) return -1;
    return units.of[line.units.members[token][0] - place.shift] ?? -1;
  }
}

/** @typedef {HTMLButtonElement & {shade?: string, isChosen?: boolean}} Token a button, and how it was painted last */

export class SentenceLines {
  /** @type {import("./explorer.js").Explorer} */ explorer;
  /** @type {import("./pane.js").Pane} */ pane;
  /** @type {import("./types").View} */ shown;
  /** @type {string} */ key;
  /** @type {Sequence} */ sequence;
  /** @type {Map<object, Token[]>} */ tokens;

  constructor(explorer, pane, className) {
    Object.assign(this, { explorer, pane });
    this.root = h("div", { class: `sentences ${className}` });
    this.root.addEventListener("pointerleave", () => explorer.point(null));
  }

  /** Rebuild the tokens where sentences, units or the meaning of rows have changed; otherwise the focus stays. */
  show() {
    const { explorer, pane } = this;
    const { kind, unit, rows } = explorer.state;
    const key = [kind, unit, rows].join();
    if (this.shown === pane.view && this.key === key) return this.point();
    Object.assign(this, { shown: pane.view, key });
    this.sequence = new Sequence(pane.view, explorer.state);
    this.tokens = new Map();
    this.root.replaceChildren(...this.sequence.lines.map((line) => this.#line(line)));
    this.point();
  }

  #line(line) {
    const name = this.pane.view[`${line.name}Name`] || this.explorer.strings[line.name];
    const tokens = Array.from({ length: line.units.length }, (_, at) => this.#token(line, at));
    this.tokens.set(line, tokens);
    return h(
      "div",
      { class: "sentence", role: "group", "aria-label": name },
      h("span", { class: "language" }, name),
      h(
        "div",
        { class: `tokens ${line.units.ideographic ? "ideographic" : ""}`, dir: line.units.direction },
        ...tokens,
      ),
    );
  }

  #token(line, at) {
    const { units } = line;
    const classes = ["token", units.special[at] && "special", units.continues[at] && "continues"];
    const node = h(
      "button",
      { type: "button", class: classes.filter(Boolean).join(" ") },
      h("bdi", {}, units.texts[at]),
    );
    node.addEventListener("pointerenter", () => this.#point(line, at));
    node.addEventListener("focus", () => node.matches(":focus-visible") && this.#point(line, at));
    node.addEventListener("click", (event) => this.#pin(line, at, event.shiftKey));
    return node;
  }

  /** The matrix's row or column of a token; the row if it is both. */
  #role(line, at, preferKey) {
    const { matrix } = this.pane;
    const found = {
      q: this.sequence.resolve("q", matrix.queries, line, at),
      k: this.sequence.resolve("k", matrix.keys, line, at),
    };
    const order = preferKey ? ["k", "q"] : ["q", "k"];
    const side = order.find((each) => found[each] >= 0);
    return side ? { side, unit: found[side] } : null;
  }

  #point(line, at) {
    const role = this.#role(line, at);
    if (!role) return this.explorer.point(null);
    this.explorer.point({
      pane: this.pane,
      row: role.side === "q" ? role.unit : null,
      column: role.side === "k" ? role.unit : null,
    });
  }

  #pin(line, at, preferKey) {
    const role = this.#role(line, at, preferKey);
    if (role) this.explorer.pin(this.pane, role.side, role.unit);
  }

  /** Shade what the pointed or pinned tokens attend to. */
  point() {
    if (!this.tokens) return;
    const { explorer, pane } = this;
    const focus = pane.focus();
    const shades = new Map();
    const chosen = new Set();
    const greyed = new Set();
    if (focus && pane.matrix) {
      const { matrix } = pane;
      const [own, other] = focus.side === "q" ? [matrix.queries, matrix.keys] : [matrix.keys, matrix.queries];
      const profile = profileOf(matrix, focus.side, focus.units, explorer.state.together);
      const across = focus.side === "q" ? "k" : "q";
      const { line } = this.sequence.place(across);
      const peak = profilePeak(matrix, profile, across, explorer.state);
      const inks = new Float32Array(line?.units.length ?? 0);
      profile.forEach((weight, unit) => {
        const at = this.sequence.locate(across, other, unit);
        if (at >= 0 && across === "k" && matrix.greyed && matrix.isSink[unit]) greyed.add(this.tokens.get(line)[at]);
        if (at >= 0) inks[at] = weight >= explorer.state.threshold ? Math.min(1, weight / peak) : 0;
      });
      if (line) shades.set(line, inks);
      const home = this.sequence.place(focus.side).line;
      for (const unit of focus.units) chosen.add(this.tokens.get(home)?.[this.sequence.locate(focus.side, own, unit)]);
    }
    this.#paint(shades, chosen, greyed);
  }

  #paint(shades, chosen, greyed) {
    const { theme, state } = this.explorer;
    const hues = theme.ramp(state.palette, state.kind);
    for (const [line, nodes] of this.tokens) {
      const inks = shades.get(line);
      nodes.forEach((node, at) => {
        const ink = inks ? inks[at] : 0;
        const ramp = greyed.has(node) ? theme.greys : hues;
        const shade = ink > 0.02 ? ramp.at(ink) : "";
        const isChosen = chosen.has(node);
        if (node.shade !== shade) {
          node.shade = shade;
          node.style.backgroundColor = shade;
          node.style.color = shade ? ramp.textAt(ink, theme) : "";
        }
        if (node.isChosen !== isChosen) {
          node.isChosen = isChosen;
          node.classList.toggle("chosen", isChosen);
          node.setAttribute("aria-pressed", String(isChosen));
        }
      });
    }
  }
}

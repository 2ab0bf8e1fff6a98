// The two sentences as token buttons: the strip above the toolbar, and in large type the text view.

import { focusFirst, focusedIn, h } from "../../shared/dom.js";
import { profileOf, profilePeak } from "./data/transform.js";
import { Axis } from "./data/unpack.js";

/** @import { Explorer } from "./explorer.js" */
/** @import { Pane } from "./pane.js" */
/** @import { Side, State, Units, View } from "./types" */
/** @typedef {HTMLButtonElement & {shade?: string, isChosen?: boolean}} Token a button, and its shade when it was painted last */

/** One line of tokens. */
export class Line {
  /** @type {Token[]} */ tokens = [];

  /** @param {"source" | "target"} name @param {Units} units */
  constructor(name, units) {
    this.name = name;
    this.units = units;
  }
}

/** The decoder's whole sequence: its first input token, then its predictions. @param {View} view */
function targetSequence(view) {
  const { fed, predicted } = view;
  const overlaps = view.hasTwoMeanings && fed.texts.slice(1).every((text, i) => text === predicted.texts[i]);
  if (!overlaps) return null;
  return new Axis({
    ...predicted,
    picture: "", // the target is text
    texts: [fed.texts[0], ...predicted.texts],
    words: [-1, ...predicted.words],
    sinks: [fed.sinks[0], ...predicted.sinks],
  });
}

/** Maps rows and columns of the current kind to the two lines of tokens. */
class Sequence {
  /** @param {View} view @param {State} state */
  constructor(view, state) {
    const merged = targetSequence(view);
    const decoder = merged ?? (state.rows === "fed" ? view.fed : view.predicted);
    const lines = [new Line("source", view.source.in(state.unit)), new Line("target", decoder.in(state.unit))];
    this.lines = lines.filter((line) => line.units.length);
    this.shift = merged && state.rows === "predicted" ? 1 : 0;
    this.kind = state.kind;
  }

  /** The line whose tokens are the rows ("q") or the columns ("k"), and the offset of its positions. @param {Side} side */
  place(side) {
    const name = this.kind === "encoder_self" || (this.kind === "cross" && side === "k") ? "source" : "target";
    const shift = name === "target" && side === "q" ? this.shift : 0;
    return { line: this.lines.find((line) => line.name === name), shift };
  }

  /** The unit of the line for a unit of the matrix, or -1.
   * @type {(side: Side, units: Units, unit: number) => number} */
  locate(side, units, unit) {
    const { line, shift } = this.place(side);
    return line?.units.of[units.members[unit][0] + shift] ?? -1;
  }

  /** The matrix's unit of a token on one side, or -1.
   * @type {(side: Side, units: Units, line: Line, token: number) => number} */
  resolve(side, units, line, token) {
    const place = this.place(side);
    if (place.line !== line) return -1;
    return units.of[line.units.members[token][0] - place.shift] ?? -1;
  }
}

export class SentenceLines {
  /** @type {Sequence | undefined} */ #sequence;
  /** @type {View | undefined} the drawn view */ shown;
  /** Kind, unit and rows of the drawn tokens. */ key = "";

  /** @param {Explorer} explorer @param {Pane} pane @param {string} className */
  constructor(explorer, pane, className) {
    this.explorer = explorer;
    this.pane = pane;
    this.root = h("div", { class: `sentences ${className}` });
    this.root.addEventListener("pointerleave", () => explorer.point(null));
  }

  get sequence() {
    return (this.#sequence ??= new Sequence(this.pane.view, this.explorer.state));
  }

  /** Rebuild the tokens if sentences, units or the meaning of rows have changed. */
  show() {
    const { explorer, pane } = this;
    const { kind, unit, rows } = explorer.state;
    const key = [kind, unit, rows].join();
    if (this.shown === pane.view && this.key === key) return this.point();
    this.shown = pane.view;
    this.key = key;
    this.#sequence = undefined;
    const isFocused = this.root.contains(focusedIn(this.root));
    this.root.replaceChildren(...this.sequence.lines.map((line) => this.#line(line)));
    if (isFocused) focusFirst(this.root);
    this.point();
  }

  /** @param {Line} line */
  #line(line) {
    const { sourceName, targetName } = this.pane.view;
    const name = (line.name === "source" ? sourceName : targetName) || this.explorer.strings[line.name];
    line.tokens = line.units.texts.map((_, at) => this.#token(line, at));
    return h(
      "div",
      { class: "sentence", role: "group", "aria-label": name },
      h("span", { class: "language" }, name),
      h(
        "div",
        { class: `tokens ${line.units.ideographic ? "ideographic" : ""}`, dir: line.units.direction },
        ...line.tokens,
      ),
    );
  }

  /** @type {(line: Line, at: number) => Token} */
  #token(line, at) {
    const { units } = line;
    const classes = ["token", units.special[at] && "special", units.continues[at] && "continues"];
    const node = h("button", { class: classes.filter(Boolean).join(" ") }, h("bdi", {}, units.texts[at]));
    node.addEventListener("pointerenter", () => this.#point(line, at));
    node.addEventListener("focus", () => node.matches(":focus-visible") && this.#point(line, at));
    node.addEventListener("click", (event) => this.#pin(line, at, event.shiftKey));
    return node;
  }

  /** The matrix's row or column of a token; the row if it is both.
   * @type {(line: Line, at: number) => {side: Side, unit: number} | null} */
  #role(line, at) {
    for (const side of /** @type {const} */ (["q", "k"])) {
      const unit = this.sequence.resolve(side, this.pane.unitsOf(side), line, at);
      if (unit >= 0) return { side, unit };
    }
    return null;
  }

  /** @type {(line: Line, at: number) => void} */
  #point(line, at) {
    const role = this.#role(line, at);
    this.explorer.point(role && this.pane.target(role.side, role.unit));
  }

  /** @type {(line: Line, at: number, isAdded: boolean) => void} */
  #pin(line, at, isAdded) {
    const role = this.#role(line, at);
    if (role) this.explorer.pin(this.pane, role.side, role.unit, isAdded);
  }

  /** Shade the tokens by the attention of the pointed or pinned tokens. */
  point() {
    const { explorer, pane } = this;
    const focus = pane.focus();
    /** @type {Map<Line, Float32Array>} */
    const shades = new Map();
    /** @type {Set<Token>} */
    const chosen = new Set();
    /** @type {Set<Token>} */
    const greyed = new Set();
    if (focus) {
      const { matrix } = pane;
      const profile = profileOf(matrix, focus.side, focus.units, explorer.state.together);
      const across = focus.side === "q" ? "k" : "q";
      const { line } = this.sequence.place(across);
      const peak = profilePeak(matrix, profile, across, explorer.state);
      const inks = new Float32Array(line?.units.length ?? 0);
      profile.forEach((weight, unit) => {
        const at = this.sequence.locate(across, pane.unitsOf(across), unit);
        if (!line || at < 0) return;
        if (across === "k" && matrix.greyed && matrix.isSink[unit]) greyed.add(line.tokens[at]);
        inks[at] = weight >= explorer.state.threshold ? Math.min(1, weight / peak) : 0;
      });
      if (line) shades.set(line, inks);
      const home = this.sequence.place(focus.side).line;
      for (const unit of focus.units) {
        const at = this.sequence.locate(focus.side, pane.unitsOf(focus.side), unit);
        if (home && at >= 0) chosen.add(home.tokens[at]);
      }
    }
    this.#paint(shades, chosen, greyed);
  }

  /** @type {(shades: Map<Line, Float32Array>, chosen: Set<Token>, greyed: Set<Token>) => void} */
  #paint(shades, chosen, greyed) {
    const { theme, state } = this.explorer;
    const hues = theme.ramp(state.palette, state.kind);
    for (const line of this.sequence.lines) {
      const inks = shades.get(line);
      line.tokens.forEach((node, at) => {
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

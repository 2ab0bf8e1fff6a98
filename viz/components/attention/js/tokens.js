// The two sentences as token buttons: the strip above the toolbar, and in large type the text view.

import { focusFirst, focusedIn, h } from "../../shared/dom.js";
import { profileOf, profilePeak } from "./data/transform.js";
import { Axis } from "./data/unpack.js";

/** @import { Explorer } from "./explorer.js" */
/** @import { Pane } from "./pane.js" */
/** @import { Side, State, Theme, Units, View } from "./types" */
/** @typedef {{ink: number, ramp: import("./picture/colour.js").Ramp, isChosen: boolean}} Shade of a token */
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

  /** The matrix's unit of a token on one side (rows "q" or columns "k"), or -1.
   * @type {(side: Side, units: Units, line: Line, token: number) => number} */
  resolve(side, units, line, token) {
    const name = this.kind === "encoder_self" || (this.kind === "cross" && side === "k") ? "source" : "target";
    const shift = name === "target" && side === "q" ? this.shift : 0;
    return line.name === name ? (units.of[line.units.members[token][0] - shift] ?? -1) : -1;
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

  /** The shade of each token by the attention of the pointed or pinned tokens, with threshold and sinks.
   * @type {(theme: Theme) => (line: Line, token: number) => Shade} */
  shader(theme) {
    const { explorer, pane, sequence } = this;
    const { state } = explorer;
    const hues = theme.ramp(state.palette, state.kind);
    const focus = pane.focus();
    if (!focus) return () => ({ ink: 0, ramp: hues, isChosen: false });
    const { matrix } = pane;
    const across = focus.side === "q" ? "k" : "q";
    const profile = profileOf(matrix, focus.side, focus.units, state.together);
    const peak = profilePeak(matrix, profile, across, state);
    return (line, token) => {
      const unit = sequence.resolve(across, pane.unitsOf(across), line, token);
      const weight = unit >= 0 && profile[unit] >= state.threshold ? profile[unit] : 0;
      const isGrey = across === "k" && matrix.greyed && matrix.isSink[unit];
      return {
        ink: Math.min(1, weight / peak),
        ramp: isGrey ? theme.greys : hues,
        isChosen: focus.units.includes(sequence.resolve(focus.side, pane.unitsOf(focus.side), line, token)),
      };
    };
  }

  /** Paint the shades. */
  point() {
    const { theme } = this.explorer;
    const shadeOf = this.shader(theme);
    for (const line of this.sequence.lines)
      line.tokens.forEach((node, at) => {
        const { ink, ramp, isChosen } = shadeOf(line, at);
        const shade = ink > 0.02 ? ramp.at(ink) : "";
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

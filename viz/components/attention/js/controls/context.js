// The context bar above the view: how it is read, chosen heads and pinned tokens, and the page's actions for the head.

import { childrenOf, h } from "../../../shared/dom.js";
import { keepOneStop, rove } from "../../../shared/roving.js";
import { fill, formatFixed } from "../../../shared/text.js";
import { shortPercent } from "../cards.js";
import { segmentsOf, labelSegments } from "./controls.js";
import { autoOrientation } from "../lines/lines.js";
import { pinnedUnits, togglePin } from "../data/state.js";
import { headView } from "../views/views.js";

/** @import { Explorer } from "../explorer.js" */

/** Chosen heads and pinned tokens, and how several of them are combined. */
export class ContextBar {
  /** @param {Explorer} explorer @param {HTMLElement} chips */
  constructor(explorer, chips) {
    this.explorer = explorer;
    const { strings } = explorer;
    this.combine = segmentsOf(explorer, "combine", ["mean", "max"], "small");
    this.together = segmentsOf(explorer, "together", ["mean", "sum"], "small");
    this.orientation = segmentsOf(explorer, "orientation", ["vertical", "horizontal"], "small");
    this.combineGroup = labelSegments(strings.combine, this.combine);
    this.togetherGroup = labelSegments(strings.together, this.together);
    /** @type {(name: string, sign: string, factor: number) => HTMLButtonElement} */
    const zoom = (name, sign, factor) =>
      h(
        "button",
        { title: strings[name], "aria-label": strings[name], onclick: () => explorer.panes[0].zoomBy(factor) },
        sign,
      );
    this.zoom = h(
      "div",
      { class: "segments small zooms", role: "group", "aria-label": strings.zoom },
      zoom("zoom_in", "+", 1.6),
      zoom("zoom_out", "−", 1 / 1.6),
      zoom("zoom_fit", "⤢", 0),
    );
    this.root = h(
      "div",
      { class: "context" },
      chips,
      this.combineGroup,
      this.togetherGroup,
      this.orientation.root,
      this.zoom,
    );
    rove(this.root, "button");
  }

  show() {
    const { state, view } = this.explorer;
    const { combinesHeads, combinesPins, turns, zooms } = headView(state);
    this.combine.show(state.combine);
    this.together.show(state.together);
    this.orientation.show(state.orientation === "auto" ? autoOrientation(view, state) : state.orientation);
    this.combineGroup.hidden = state.heads.length < 2 || !combinesHeads;
    this.togetherGroup.hidden = state.pins.length < 2 || !combinesPins;
    this.orientation.root.hidden = !turns;
    const { matrix } = this.explorer.panes[0];
    this.zoom.hidden = !zooms || (matrix.rows * matrix.columns < 300 && !state.zoom);
    this.root.hidden = childrenOf(this.root).every(
      (child) => child.hidden || (child.classList.contains("chips") && !child.childElementCount),
    );
    keepOneStop(this.root, "button");
  }
}

/** How to read the view, and the effect of the reading aids on its numbers. @param {Explorer} explorer */
export function readAs(explorer) {
  const { state, strings, panes, view } = explorer;
  const { matrix } = panes[0];
  const who = state.kind === "encoder_self" || !view.hasTwoMeanings ? "plain" : state.rows;
  const { combinesHeads, how: howOf } = headView(state);
  const how = strings[matrix.isSigned ? "how_difference" : howOf(state.kind, who)];
  const parts = [];
  if (state.unit === "words") parts.push(strings.how_words);
  if (matrix.removed) {
    const mean = matrix.removed.reduce((sum, share) => sum + share, 0) / Math.max(1, matrix.removed.length);
    parts.push(fill(strings.how_removed, { share: shortPercent(mean) }));
  }
  if (state.heads.length > 1 && state.combine === "max" && combinesHeads) parts.push(strings.how_max);
  if (state.threshold > 0) parts.push(fill(strings.how_threshold, { threshold: formatFixed(state.threshold) }));
  if (state.weighting !== view.weighting) parts.push(strings.computing);
  else if (state.weighting !== "raw") parts.push(strings[`weighting_about_${view.weighting}`]);
  if (view.note) parts.push(view.note);
  return { how, notes: parts.filter(Boolean).join(" ") };
}

/** The page's actions for the chosen head. @param {Explorer} explorer */
export function actionButtons(explorer) {
  const { state, strings, packet } = explorer;
  const offered = new Set(packet.actions ?? []);
  if (state.heads.length !== 1) return [];
  const isOff = explorer.isOff(...state.heads[0]);
  const button = (/** @type {string} */ name) =>
    h(
      "button",
      { class: "quiet", "data-act": name, onclick: () => explorer.requestAction(name) },
      strings[`do_${name}`],
    );
  const named = [
    ["open_head", "open_head"],
    ["switch_off", isOff ? "switch_on" : "switch_off"],
  ];
  return named.filter(([name]) => offered.has(name)).map(([, act]) => button(act));
}

/** Chips of chosen heads and pinned tokens, each removable. @param {Explorer} explorer */
export function chipsOf(explorer) {
  const { state, strings, theme, panes } = explorer;
  const { matrix } = panes[0];
  /** @type {(label: string, remove: () => void, colour?: string) => HTMLElement} */
  const chip = (label, remove, colour) =>
    h(
      "button",
      {
        class: "chip",
        title: strings.remove,
        onclick: remove,
        style: colour ? { borderColor: colour, color: colour } : {},
      },
      h("bdi", {}, label),
      h("span", { "aria-hidden": "true" }, "✕"),
    );
  const heads =
    state.heads.length < 2
      ? []
      : state.heads.map((head, at) =>
          chip(
            `${head[0] + explorer.firstIndex}·${head[1] + explorer.firstIndex}`,
            () => explorer.chooseHead(head, true),
            theme.categories[at % theme.categories.length],
          ),
        );
  const pins = matrix.isSigned
    ? []
    : /** @type {const} */ (["q", "k"]).flatMap((side) => {
        const units = panes[0].unitsOf(side);
        return pinnedUnits(state.pins, side, units).map((unit) =>
          chip(`${strings[side === "q" ? "pinned_row" : "pinned_column"]} ${units.texts[unit].slice(0, 40)}`, () =>
            explorer.update({ pins: togglePin(state.pins, side, unit, units) }),
          ),
        );
      });
  return [...heads, ...pins];
}

// One row of controls above the views, always visible: everything that changes how attention is shown.

import { childrenOf, h } from "../../../shared/dom.js";
import { keepOneStop, rove } from "../../../shared/roving.js";
import { fill, fixed } from "../../../shared/text.js";
import { shortPercent } from "../cards.js";
import { Segments } from "./controls.js";
import { autoOrientation } from "../lines/lines.js";
import { exportMenu, weightingMenu, scaleMenu, sinksMenu } from "./menus.js";
import { KINDS, pinnedUnits, togglePin } from "../data/state.js";

const EXPERT = ["rows", "unit", "sink_kinds", "scale", "curve", "palette", "threshold", "weighting"];

/** The toolbar's own buttons, which share one stop of Tab; what a menu opens has its own. */
const BUTTONS = ":scope > button, :scope > .segments button, :scope > .labelled button, :scope > .popover > button";

/** What the reader chose last, for toolbars that are drawn later. @type {{ isMoreShown?: boolean }} */
const asked = {};

/** @type {(strings: Record<string, string>, ...names: string[]) => [value: string, label: string][]} */
const choicesOf = (strings, ...names) => names.map((name) => [name, strings[name]]);

export class Toolbar {
  /** Whether rarely used controls are shown; undefined until the reader opens them or one of them is in use.
   * @type {boolean | undefined} */
  isMoreShown = asked.isMoreShown;

  constructor(explorer) {
    this.explorer = explorer;
    const { strings } = explorer;
    const update = (name) => (value) => explorer.update({ [name]: value });
    this.kind = new Segments(
      strings.kind,
      KINDS.map((kind) => [kind, strings[`short_${kind}`], strings[kind]]),
      update("kind"),
      "kinds",
    );
    this.viewing = new Segments(strings.view, choicesOf(strings, "map", "lines", "text"), update("view"));
    this.rows = new Segments(strings.rows_are, choicesOf(strings, "fed", "predicted"), update("rows"));
    this.unit = new Segments(strings.unit, choicesOf(strings, "pieces", "words"), update("unit"));
    this.compare = new Segments(strings.compare, choicesOf(strings, "side", "difference"), update("compare"));
    this.sinks = sinksMenu(explorer);
    this.scale = scaleMenu(explorer);
    this.weighting = weightingMenu(explorer);
    this.exports = exportMenu(explorer);
    this.menus = [this.sinks, this.scale, this.weighting, this.exports].map((menu) => menu.popover);
    const icon = (name, sign, act) =>
      h(
        "button",
        { type: "button", class: "plain icon", title: strings[name], "aria-label": strings[name], onclick: act },
        sign,
      );
    for (const part of [this.kind, this.viewing]) part.root.classList.add("folds-not");
    this.present = icon("presenter", "⛶", () => explorer.present(!explorer.isPresenting));
    this.present.classList.add("folds-not");
    this.rowsGroup = labelled(strings.rows_are, this.rows);
    this.kind.root.classList.add("kept");
    const menus = [this.sinks, this.scale, this.weighting].map((menu) => menu.popover.root);
    [this.rowsGroup, this.unit.root, ...menus].forEach((root) => root.classList.add("expert"));
    const fold = (name, words, act) =>
      h(
        "button",
        { type: "button", class: `plain ${name}`, onclick: act },
        words,
        h("span", { class: "caret", "aria-hidden": "true" }),
      );
    this.fold = fold("fold kept", strings.controls, () => this.unfold(!this.isUnfolded));
    this.aside = h(
      "button",
      {
        type: "button",
        class: "plain toggle",
        title: strings.about_sinks,
        onclick: () => explorer.update({ sinks: explorer.state.sinks === "removed" ? "greyed" : "removed" }),
      },
      strings.sinks_aside,
    );
    this.more = fold("more", strings.more, () => this.#showMore(!this.isMoreShown));
    this.root = h(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": strings.toolbar },
      this.kind.root,
      this.fold,
      this.viewing.root,
      this.more,
      this.aside,
      this.rowsGroup,
      this.unit.root,
      this.sinks.popover.root,
      this.scale.popover.root,
      this.weighting.popover.root,
      this.compare.root,
      h("span", { class: "spring folds-not" }),
      this.exports.popover.root,
      icon("keys", "?", () => explorer.help.toggle()),
      this.present,
    );
    rove(this.root, BUTTONS);
  }

  show() {
    const { state, view, canSubtract, isPresenting, strings } = this.explorer;
    this.kind.show(state.kind, (kind) => view.kinds.has(kind));
    this.kind.root.hidden = view.kinds.size < 2;
    this.viewing.show(state.view, (name) => name !== "text" || !view.kinds.get(state.kind).long);
    this.rows.show(state.rows);
    this.unit.show(state.unit);
    this.compare.show(state.compare);
    this.rowsGroup.hidden = state.kind === "encoder_self" || !view.hasTwoMeanings;
    this.compare.root.hidden = !canSubtract;
    this.aside.hidden = !this.explorer.panes[0].matrix?.isSink.some(Boolean);
    this.aside.classList.toggle("expert", view.kinds.size > 1 && state.sinks !== "removed");
    this.aside.setAttribute("aria-pressed", String(state.sinks === "removed"));
    for (const menu of [this.sinks, this.scale, this.weighting, this.exports]) menu.show();
    this.fold.setAttribute("aria-expanded", String(this.isUnfolded));
    this.isMoreShown ??= this.#isExpertInUse() || undefined;
    this.more.setAttribute("aria-expanded", String(Boolean(this.isMoreShown)));
    this.root.classList.toggle("simple", !this.isMoreShown);
    this.present.setAttribute("aria-pressed", String(isPresenting));
    this.present.textContent = isPresenting ? `✕ ${strings.end_presenting}` : "⛶";
    keepOneStop(this.root, BUTTONS);
  }

  #showMore(isShown) {
    asked.isMoreShown = this.isMoreShown = isShown;
    this.show();
  }

  #isExpertInUse() {
    const { state, packet } = this.explorer;
    return EXPERT.some((name) => JSON.stringify(state[name]) !== JSON.stringify(packet.defaults[name]));
  }

  get isUnfolded() {
    return this.explorer.root.classList.contains("unfolded");
  }

  /** On a phone one button opens the controls, those of the page too: it marks the root of the page. */
  unfold(isUnfolded) {
    const { packet, root } = this.explorer;
    root.classList.toggle("unfolded", isUnfolded);
    if (packet.isMounted) document.documentElement.toggleAttribute("data-controls", isUnfolded);
    this.show();
  }

  /** Close an open menu; returns whether there was one. */
  closeMenu() {
    const open = this.menus.find((menu) => menu.isOpen);
    open?.toggle(false);
    open?.button.focus();
    return Boolean(open);
  }
}

/** Chosen heads and pinned tokens, and how several of them are read: here because they only matter here. */
export class ContextBar {
  constructor(explorer, chips) {
    this.explorer = explorer;
    const { strings } = explorer;
    const update = (name) => (value) => explorer.update({ [name]: value });
    this.combine = new Segments(strings.combine, choicesOf(strings, "mean", "max"), update("combine"), "small");
    this.together = new Segments(strings.together, choicesOf(strings, "mean", "sum"), update("together"), "small");
    this.orientation = new Segments(
      strings.orientation,
      choicesOf(strings, "vertical", "horizontal"),
      update("orientation"),
      "small",
    );
    this.combineGroup = labelled(strings.combine, this.combine);
    this.togetherGroup = labelled(strings.together, this.together);
    const zoom = (name, sign, factor) =>
      h(
        "button",
        {
          type: "button",
          title: strings[name],
          "aria-label": strings[name],
          onclick: () => explorer.panes[0].map.zoomBy(factor),
        },
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
    this.combine.show(state.combine);
    this.together.show(state.together);
    this.orientation.show(state.orientation === "auto" ? autoOrientation(view, state) : state.orientation);
    this.combineGroup.hidden = state.heads.length < 2 || state.view === "lines";
    this.togetherGroup.hidden = state.pins.length < 2 || state.view === "map";
    this.orientation.root.hidden = state.view !== "lines";
    const { matrix } = this.explorer.panes[0];
    this.zoom.hidden = state.view !== "map" || (matrix.rows * matrix.columns < 300 && !state.zoom);
    this.root.hidden = childrenOf(this.root).every(
      (child) => child.hidden || (child.classList.contains("chips") && !child.childElementCount),
    );
    keepOneStop(this.root, "button");
  }
}

function labelled(label, segments) {
  return h("div", { class: "labelled" }, h("span", { class: "soft" }, label), segments.root);
}

/** How to read the view, and what the reading aids did to its numbers. */
export function readAs(explorer) {
  const { state, strings, panes, view } = explorer;
  const { matrix } = panes[0];
  const who = state.kind === "encoder_self" || !view.hasTwoMeanings ? "plain" : state.rows;
  const how = matrix.isSigned
    ? strings.how_difference
    : strings[state.view === "map" ? `how_${state.kind}_${who}` : `how_${state.view}`];
  const parts = [];
  if (state.unit === "words") parts.push(strings.how_words);
  if (matrix.removed) {
    const mean = matrix.removed.reduce((sum, share) => sum + share, 0) / Math.max(1, matrix.removed.length);
    parts.push(fill(strings.how_removed, { share: shortPercent(mean) }));
  }
  if (state.heads.length > 1 && state.combine === "max" && state.view !== "lines") parts.push(strings.how_max);
  if (state.threshold > 0) parts.push(fill(strings.how_threshold, { threshold: fixed(state.threshold) }));
  if (state.weighting !== view.weighting) parts.push(strings.computing);
  else if (state.weighting !== "raw") parts.push(strings[`weighting_about_${view.weighting}`]);
  if (view.note) parts.push(view.note);
  return { how, notes: parts.filter(Boolean).join(" ") };
}

/** The page's actions for the chosen head. */
export function actionButtons(explorer) {
  const { state, strings, packet } = explorer;
  const offered = new Set(packet.actions ?? []);
  if (state.heads.length !== 1) return [];
  const isOff = explorer.isOff(...state.heads[0]);
  const button = (name) =>
    h(
      "button",
      { type: "button", class: "quiet", "data-act": name, onclick: () => explorer.ask(name) },
      strings[`do_${name}`],
    );
  return [
    offered.has("open_head") && button("open_head"),
    offered.has("switch_off") && button(isOff ? "switch_on" : "switch_off"),
  ].filter(Boolean);
}

/** Chips of chosen heads and pinned tokens, each removable. */
export function chipsOf(explorer) {
  const { state, strings, theme, panes } = explorer;
  const { matrix } = panes[0];
  const chip = (label, remove, colour) =>
    h(
      "button",
      {
        type: "button",
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
        const units = side === "q" ? matrix.queries : matrix.keys;
        return pinnedUnits(state.pins, side, units).map((unit) =>
          chip(`${strings[side === "q" ? "pinned_row" : "pinned_column"]} ${units.texts[unit].slice(0, 40)}`, () =>
            explorer.update({ pins: togglePin(state.pins, side, unit, units) }),
          ),
        );
      });
  return [...heads, ...pins];
}

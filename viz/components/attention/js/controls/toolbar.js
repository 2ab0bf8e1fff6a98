// The toolbar above the views: all settings of how attention is shown.

import { h, svg } from "../../../shared/dom.js";
import { keepOneStop, rove } from "../../../shared/roving.js";
import { Segments, segmentsOf, labelSegments } from "./controls.js";
import { exportMenu, weightingMenu, scaleMenu, sinksMenu } from "./menus.js";
import { KINDS } from "../data/state.js";
import { HEAD_VIEWS, canShow, headView } from "../views/views.js";

/** @import { Explorer } from "../explorer.js" */
/** @import { State } from "../types" */

/** @type {(keyof State)[]} */
const EXPERT = ["rows", "unit", "sink_kinds", "scale", "curve", "palette", "threshold", "weighting"];

/** The toolbar's buttons, which share one Tab stop; controls in menus have their own. */
const BUTTONS = ":scope > button, :scope > .segments button, :scope > .labelled button, :scope > .popover > button";

/** The full-screen icon, as SVG because few fonts have the character. */
const corners = () =>
  svg(
    "svg",
    { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" },
    svg("path", {
      d: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.5,
    }),
  );

/** The reader's last choice; later toolbars of the page use it. @type {{ isMoreShown?: boolean }} */
const lastChoice = {};

export class Toolbar {
  /** Whether rarely used controls are shown; undefined until the reader opens them or one of them is in use.
   * @type {boolean | undefined} */
  isMoreShown = lastChoice.isMoreShown;

  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    const { strings } = explorer;
    this.kind = new Segments(
      strings.kind,
      KINDS.map((kind) => [kind, strings[`short_${kind}`], strings[kind]]),
      (kind) => explorer.update({ kind }),
      "kinds",
    );
    this.viewing = segmentsOf(
      explorer,
      "view",
      HEAD_VIEWS.map(({ name }) => name),
    );
    this.rows = segmentsOf(explorer, "rows", ["fed", "predicted"]);
    this.unit = segmentsOf(explorer, "unit", ["pieces", "words"]);
    this.compare = segmentsOf(explorer, "compare", ["side", "difference"]);
    this.sinks = sinksMenu(explorer);
    this.scale = scaleMenu(explorer);
    this.weighting = weightingMenu(explorer);
    this.exports = exportMenu(explorer);
    this.menus = [this.sinks, this.scale, this.weighting, this.exports].map((menu) => menu.popover);
    /** @type {(name: string, sign: string | SVGElement, act: () => void) => HTMLButtonElement} */
    const icon = (name, sign, act) =>
      h("button", { class: "plain icon", title: strings[name], "aria-label": strings[name], onclick: act }, sign);
    for (const part of [this.kind, this.viewing]) part.root.classList.add("folds-not");
    this.present = icon("presenter", corners(), () => explorer.present(!explorer.isPresenting));
    this.present.classList.add("folds-not");
    this.rowsGroup = labelSegments(strings.rows_are, this.rows);
    this.kind.root.classList.add("kept");
    const menus = [this.sinks, this.scale, this.weighting].map((menu) => menu.popover.root);
    [this.rowsGroup, this.unit.root, ...menus].forEach((root) => root.classList.add("expert"));
    /** @type {(name: string, words: string, act: () => void) => HTMLButtonElement} */
    const fold = (name, words, act) =>
      h(
        "button",
        { class: `plain ${name}`, onclick: act },
        words,
        h("span", { class: "caret", "aria-hidden": "true" }),
      );
    this.fold = fold("fold kept", strings.controls, () => this.unfold(!this.isUnfolded));
    this.aside = h(
      "button",
      {
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
      icon("keys", "?", () => explorer.parts.help.toggle()),
      this.present,
    );
    rove(this.root, BUTTONS);
  }

  show() {
    const { state, view, canSubtract, isPresenting, strings } = this.explorer;
    this.kind.show(state.kind, (kind) => view.kinds.has(kind));
    this.kind.root.hidden = view.kinds.size < 2;
    this.viewing.show(state.view, (name) => canShow(headView({ view: name }), view, state));
    this.rows.show(state.rows);
    this.unit.show(state.unit);
    this.compare.show(state.compare);
    this.rowsGroup.hidden = state.kind === "encoder_self" || !view.hasTwoMeanings;
    this.compare.root.hidden = !canSubtract;
    this.aside.hidden = !this.explorer.panes[0].matrix.isSink.some(Boolean);
    this.aside.classList.toggle("expert", view.kinds.size > 1 && state.sinks !== "removed");
    this.aside.setAttribute("aria-pressed", String(state.sinks === "removed"));
    for (const menu of [this.sinks, this.scale, this.weighting, this.exports]) menu.show();
    this.fold.setAttribute("aria-expanded", String(this.isUnfolded));
    this.isMoreShown ??= this.#isExpertInUse() || undefined;
    this.more.setAttribute("aria-expanded", String(Boolean(this.isMoreShown)));
    this.root.classList.toggle("simple", !this.isMoreShown);
    this.present.setAttribute("aria-pressed", String(isPresenting));
    this.present.replaceChildren(isPresenting ? `✕ ${strings.end_presenting}` : corners());
    keepOneStop(this.root, BUTTONS);
  }

  /** @param {boolean} isShown */
  #showMore(isShown) {
    lastChoice.isMoreShown = this.isMoreShown = isShown;
    this.show();
  }

  #isExpertInUse() {
    const { state, packet } = this.explorer;
    return EXPERT.some((name) => JSON.stringify(state[name]) !== JSON.stringify(packet.defaults[name]));
  }

  get isUnfolded() {
    return this.explorer.root.classList.contains("unfolded");
  }

  /** On a phone one button opens the controls; data-controls on the root shows those of the page too. @param {boolean} isUnfolded */
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

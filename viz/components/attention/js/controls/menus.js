// Building blocks of the explorer (canvases, segmented buttons, popovers), and the menus of less frequently used settings.

import { h, sizedContext } from "../../../shared/dom.js";
import { fixed } from "../../../shared/text.js";
import { savePicture } from "../picture/picture.js";

/** @import { Explorer } from "../explorer.js" */
/** @import { State } from "../types" */

/** A canvas that is sharp on every screen, with its size in CSS pixels. */
export class Surface {
  width = 0;
  height = 0;

  /** @param {string} className @param {Record<string, string>} [attributes] */
  constructor(className, attributes = {}) {
    this.canvas = h("canvas", { class: className, ...attributes });
    this.context = sizedContext(this.canvas, 1, 1);
  }

  /** @type {(width: number, height: number) => void} */
  resize(width, height) {
    this.width = width;
    this.height = height;
    this.clear();
  }

  clear() {
    sizedContext(this.canvas, this.width, this.height);
  }
}

/** A row of buttons of which one is pressed.
 * @template {string} Value */
export class Segments {
  /** @param {string} name @param {[value: Value, label: string, hint?: string][]} choices
   * @param {(value: Value) => void} onchoose @param {string} [className] */
  constructor(name, choices, onchoose, className = "") {
    /** @type {Map<Value, HTMLButtonElement>} */
    this.buttons = new Map(
      choices.map(([value, label, hint]) => [
        value,
        h("button", { "data-value": value, title: hint, onclick: () => onchoose(value) }, label),
      ]),
    );
    this.root = h(
      "div",
      { class: `segments ${className}`, role: "group", "aria-label": name },
      ...this.buttons.values(),
    );
  }

  /** @param {string} value
   * @param {(value: Value) => boolean} [isPossible] whether a choice can be made now */
  show(value, isPossible = () => true) {
    for (const [candidate, button] of this.buttons) {
      button.setAttribute("aria-pressed", String(candidate === value));
      button.disabled = !isPossible(candidate);
    }
  }
}

/** A button that opens a small panel under itself. */
class Popover {
  /** @param {string} label @param {HTMLElement | HTMLElement[]} content
   * @param {"start" | "end"} [align] */
  constructor(label, content, align = "start") {
    this.label = h("span", {}, label);
    this.button = h(
      "button",
      { class: "plain", "aria-expanded": "false", onclick: () => this.toggle() },
      this.label,
      h("span", { class: "caret", "aria-hidden": "true" }),
    );
    this.panel = h("div", { class: `panel ${align}`, hidden: true }, content);
    this.root = h("div", { class: "popover" }, this.button, this.panel);
    this.root.addEventListener("focusout", (event) => {
      const next = /** @type {Node | null} */ (event.relatedTarget);
      if (next && !this.root.contains(next)) this.toggle(false);
    });
  }

  get isOpen() {
    return !this.panel.hidden;
  }

  toggle(open = !this.isOpen) {
    this.panel.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (!open) return;
    this.panel.style.translate = "";
    const box = this.panel.getBoundingClientRect();
    const overflow = Math.max(0, box.right - document.documentElement.clientWidth + 8);
    if (overflow) this.panel.style.translate = `${-overflow}px 0`;
  }
}

/** Segments that set a field of the explorer's state.
 * @template {"view" | "rows" | "unit" | "compare" | "combine" | "together" | "orientation" | "sinks" | "scale" | "curve" |
 *   "palette" | "weighting"} Field
 * @param {Explorer} explorer @param {Field} field @param {State[Field][]} values @param {string} [className] */
export function segmentsOf(explorer, field, values, className) {
  const { strings } = explorer;
  return new Segments(
    strings[field === "rows" ? "rows_are" : field],
    values.map((value) => [value, strings[`${field}_${value}`] ?? strings[value]]),
    (value) => explorer.update({ [field]: value }),
    className,
  );
}

/** Segments after their name. @type {(label: string, segments: {root: HTMLElement}) => HTMLElement} */
export function labelled(label, segments) {
  return h("div", { class: "labelled" }, h("span", { class: "soft" }, label), segments.root);
}

/** Segments as a row of a menu.
 * @template {"sinks" | "scale" | "curve" | "palette" | "weighting"} Field
 * @param {Explorer} explorer @param {Field} field @param {State[Field][]} values */
function option(explorer, field, values) {
  const segments = segmentsOf(explorer, field, values);
  return {
    root: h("div", { class: "option" }, h("span", {}, explorer.strings[field]), segments.root),
    show: () => segments.show(explorer.state[field]),
  };
}

/** @param {Explorer} explorer */
export function sinksMenu(explorer) {
  const { strings } = explorer;
  const mode = option(explorer, "sinks", ["shown", "greyed", "removed"]);
  const kinds = explorer.packet.defaults.sink_kinds;
  const onchange = () => explorer.update({ sink_kinds: kinds.filter((_, at) => boxes[at].checked) });
  const boxes = kinds.map(() => h("input", { type: "checkbox", onchange }));
  const popover = new Popover("", [
    mode.root,
    h(
      "div",
      { class: "checks" },
      ...kinds.map((kind, at) => h("label", { class: "check" }, boxes[at], strings[`sink_${kind}`])),
    ),
    h("p", { class: "hint" }, strings.about_sinks),
  ]);
  return {
    popover,
    show() {
      const { state } = explorer;
      mode.show();
      popover.label.textContent = `${strings.sinks}: ${strings[`sinks_${state.sinks}`]}`;
      kinds.forEach((kind, at) => (boxes[at].checked = state.sink_kinds.includes(kind)));
    },
  };
}

/** @param {Explorer} explorer */
export function scaleMenu(explorer) {
  const { strings } = explorer;
  const options = [
    option(explorer, "scale", ["row", "head", "common"]),
    option(explorer, "curve", ["linear", "sqrt"]),
    option(explorer, "palette", ["hue", "viridis", "cividis", "grey"]),
  ];
  const output = h("output", {});
  const slider = h("input", {
    type: "range",
    min: "0",
    max: "0.5",
    step: "0.01",
    "aria-label": strings.threshold,
    oninput: () => explorer.update({ threshold: Number(slider.value) }),
  });
  const threshold = h("label", { class: "option" }, h("span", {}, strings.threshold), slider, output);
  const about = h("p", { class: "hint" });
  const popover = new Popover(strings.scale_menu, [...options.map(({ root }) => root), threshold, about]);
  return {
    popover,
    show() {
      const { state } = explorer;
      options.forEach((item) => item.show());
      slider.value = String(state.threshold);
      output.textContent = fixed(state.threshold);
      about.textContent = strings[`about_scale_${state.scale}`];
    },
  };
}

/** The menu of weightings, which Python computes on demand. @param {Explorer} explorer */
export function weightingMenu(explorer) {
  const { strings, view } = explorer;
  const choice = option(explorer, "weighting", view.weightings);
  /** @type {Record<string, string>} */
  const links = {
    value_weighted: "https://aclanthology.org/2020.emnlp-main.574/",
    rollout: "https://aclanthology.org/2020.acl-main.385/",
    gradient: "https://aclanthology.org/P19-1282/",
  };
  const about = h("p", { class: "hint" });
  const popover = new Popover("", [choice.root, about]);
  popover.root.hidden = view.weightings.length < 2;
  return {
    popover,
    show() {
      const { state } = explorer;
      choice.show();
      popover.label.textContent = `${strings.weighting}: ${strings[`weighting_${state.weighting}`]}`;
      about.replaceChildren(
        strings[`weighting_about_${state.weighting}`],
        " ",
        links[state.weighting]
          ? h("a", { href: links[state.weighting], target: "_blank", rel: "noreferrer" }, strings.paper)
          : "",
      );
    },
  };
}

/** @param {Explorer} explorer */
export function exportMenu(explorer) {
  const { strings } = explorer;
  const clear = h("input", { type: "checkbox" });
  const button = (/** @type {"png" | "svg"} */ format) =>
    h(
      "button",
      {
        onclick: () => {
          savePicture(explorer, format, clear.checked);
          popover.toggle(false);
        },
      },
      format.toUpperCase(),
    );
  const files = () => {
    explorer.requestAction("files");
    popover.toggle(false);
  };
  const segments = h("div", { class: "segments" }, button("png"), button("svg"));
  /** @type {HTMLElement[]} */
  const content = [
    h("div", { class: "option" }, h("span", {}, strings.picture), segments),
    h("label", { class: "check" }, clear, strings.transparent),
    h("p", { class: "hint" }, strings.about_picture),
  ];
  if (explorer.packet.isMounted) content.push(h("button", { class: "plain", onclick: files }, strings.export_files));
  const popover = new Popover(strings.export, content, "end");
  return { popover, show() {} };
}

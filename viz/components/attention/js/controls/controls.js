// Building blocks of the explorer: canvases, segmented buttons, popovers.

import { h, sizedContext } from "../../../shared/dom.js";

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
export class Popover {
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
export function labelSegments(label, segments) {
  return h("div", { class: "labelled" }, h("span", { class: "soft" }, label), segments.root);
}

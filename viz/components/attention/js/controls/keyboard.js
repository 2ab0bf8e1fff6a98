// Keyboard shortcuts, and the dialog that lists them.

import { focusedIn, h } from "../../../shared/dom.js";
import { KINDS } from "../data/state.js";
import { HEAD_VIEWS } from "../views/views.js";

/** @import { Explorer } from "../explorer.js" */

const SHORTCUTS = [
  ["← →", "key_heads"],
  ["↑ ↓", "key_layers"],
  ["1 2 3", "key_kinds"],
  [HEAD_VIEWS.map(({ key }) => key.toUpperCase()).join(" "), "key_views"],
  ["W", "key_words"],
  ["R", "key_rows"],
  ["S", "key_sinks"],
  ["+ − 0", "key_zoom"],
  ["A", "key_table"],
  ["Tab", "key_tokens"],
  ["Enter", "key_pin"],
  ["Esc", "key_escape"],
  ["P", "key_present"],
  ["?", "key_help"],
];

export class KeyHelp {
  /** @type {HTMLElement | null} the element that had the focus before it opened */ before = null;

  /** @param {Explorer} explorer */
  constructor(explorer) {
    const { strings } = explorer;
    const rows = SHORTCUTS.map(([keys, name]) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, ...keys.split(" ").map((key) => h("kbd", {}, key))),
        h("td", {}, strings[name]),
      ),
    );
    this.close = h("button", { class: "plain", onclick: () => this.toggle(false) }, strings.close);
    this.root = h(
      "div",
      { class: "help", role: "dialog", "aria-label": strings.keys, hidden: true },
      h("header", {}, h("h3", {}, strings.keys), this.close),
      h("table", {}, h("tbody", {}, ...rows)),
    );
  }

  toggle(open = this.root.hidden) {
    if (open) this.before = focusedIn(this.root);
    this.root.hidden = !open;
    (open ? this.close : this.before)?.focus();
  }
}

/** @type {<Choice>(choices: Choice[], current: Choice) => Choice} */
const next = (choices, current) => choices[(choices.indexOf(current) + 1) % choices.length];

/** @type {Record<string, (explorer: Explorer) => void>} */
const KEY_ACTIONS = {
  ArrowLeft: (explorer) => explorer.move(0, -1),
  ArrowRight: (explorer) => explorer.move(0, 1),
  ArrowUp: (explorer) => explorer.move(-1, 0),
  ArrowDown: (explorer) => explorer.move(1, 0),
  w: (explorer) => explorer.update({ unit: next(["pieces", "words"], explorer.state.unit) }),
  r: (explorer) => explorer.update({ rows: next(["fed", "predicted"], explorer.state.rows) }),
  s: (explorer) => explorer.update({ sinks: next(["shown", "greyed", "removed"], explorer.state.sinks) }),
  p: (explorer) => explorer.present(!explorer.isPresenting),
  a: (explorer) => explorer.parts.card.toggleTable(),
  "+": (explorer) => explorer.panes[0].zoomBy(1.6),
  "-": (explorer) => explorer.panes[0].zoomBy(1 / 1.6),
  0: (explorer) => explorer.panes[0].zoomBy(0),
  "?": (explorer) => explorer.parts.help.toggle(),
  Escape: (explorer) => handleEscape(explorer),
};
for (const { key, name } of HEAD_VIEWS) KEY_ACTIONS[key] = (explorer) => explorer.update({ view: name });
KINDS.forEach(
  (kind, at) => (KEY_ACTIONS[at + 1] = (explorer) => explorer.view.kinds.has(kind) && explorer.update({ kind })),
);

/** Undo one thing per press of Escape: menu, list of keys, pins, further heads, zoom, presenter mode.
 * @param {Explorer} explorer */
export function handleEscape(explorer) {
  const { state, parts } = explorer;
  const { help, toolbar } = parts;
  if (toolbar.closeMenu()) return;
  if (!help.root.hidden) help.toggle(false);
  else if (explorer.hovering && !state.pins.length) explorer.point(null);
  else if (state.pins.length) explorer.update({ pins: [] });
  else if (state.heads.length > 1) explorer.update({ heads: state.heads.slice(0, 1) });
  else if (state.zoom) explorer.update({ zoom: null });
  else if (explorer.isPresenting) explorer.present(false);
}

/** @type {(explorer: Explorer, event: KeyboardEvent) => void} */
export function handleKey(explorer, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = /** @type {Partial<Element>} */ (event.composedPath()[0]); // the window has no selectors
  if (target.matches?.("input, select, textarea") && event.key !== "Escape") return;
  const act = KEY_ACTIONS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act(explorer);
}

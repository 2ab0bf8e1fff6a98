// The explorer's state, and the reports of the reader's changes to Python with the revision that they are based on. Fields,
// values and defaults are those of Python's ViewState (viz/state/view_state.py).

import { pend } from "../../../shared/pending.js";
import { briefly, clamp, written } from "../../../shared/text.js";

/** @import { Head, Kind, Side, State, Units, View, Action, Send } from "../types" */
/** @import { Heads } from "./unpack.js" */

const REPORT_DELAY = 350; // milliseconds

/** @type {Kind[]} */
export const KINDS = ["encoder_self", "decoder_self", "cross"];

/** Fit a state to a view: the nearest kind, heads and places; missing fields have their defaults. views.js fits the view.
 * @type {(state: Partial<State> | undefined, view: View, defaults: State) => State} */
export function fitState(state, view, defaults) {
  const fitted = { ...defaults, ...state };
  const [kind, heads] = nearestKind(view, fitted.kind);
  fitted.kind = kind;
  fitted.heads = nearestHeads(fitted.heads, heads);
  fitted.zoom = isInside(fitted.zoom, heads) ? fitted.zoom : null;
  if (heads.long) heads.long.window = heads.long.nearest(fitted.window);
  if (fitted.window) fitted.window = heads.long?.window.some(Boolean) ? heads.long.window : null;
  fitted.pins = fitted.pins.filter((pin) => Number(pin.slice(1)) < (pin[0] === "q" ? heads.rows : heads.columns));
  if (!view.hasTwoMeanings) fitted.rows = "predicted";
  if (!view.weightings.includes(fitted.weighting)) fitted.weighting = view.weighting;
  return fitted;
}

/** The kind if a view has it, else its last kind. A view has at least one kind.
 * @type {(view: View, kind: Kind) => [Kind, Heads]} */
function nearestKind({ kinds }, kind) {
  const all = [...kinds];
  return all.find(([name]) => name === kind) ?? all[all.length - 1];
}

/** The nearest existing head for the first one, and the further ones that exist, without duplicates.
 * @type {(chosen: Head[], heads: Heads) => Head[]} */
export function nearestHeads(chosen, heads) {
  const [[layer, head], ...further] = chosen;
  /** @type {Head[]} */
  const near = [[clamp(layer, 0, heads.layers - 1), clamp(head, 0, heads.heads - 1)]];
  near.push(...further.filter((place) => heads.has(...place)));
  return near.filter((place, at) => near.findIndex((other) => sameHead(place, other)) === at);
}

/** Whether a zoomed part is inside the map; tests/js/fitting_cases.py compares with Python.
 * @type {(zoom: State["zoom"], heads: {rows: number, columns: number}) => boolean} */
function isInside(zoom, { rows, columns }) {
  const [row, column, height, width] = zoom ?? [0, 0, 0, 0];
  return height > 0 && width > 0 && row + height <= rows + 1e-6 && column + width <= columns + 1e-6;
}

/** @type {(a: Head, b: Head) => boolean} */
export function sameHead(a, b) {
  return a[0] === b[0] && a[1] === b[1];
}

/** Convert pins from one kind of attention to another: a token stays pinned if it has a row or column there.
 * @type {(pins: string[], from: Kind, to: Kind) => string[]} */
export function carryPins(pins, from, to) {
  /** @type {Record<Kind, {source?: Side, target?: Side}>} */
  const roles = { encoder_self: { source: "q" }, decoder_self: { target: "q" }, cross: { source: "k", target: "q" } };
  const carried = pins.map((pin) => {
    const { source, target } = roles[to];
    const role = from === "encoder_self" || (from === "cross" && pin[0] === "k") ? source : target;
    const isKeyOfPrefix = from === "decoder_self" && pin[0] === "k";
    return role && !isKeyOfPrefix ? role + pin.slice(1) : "";
  });
  return [...new Set(carried.filter(Boolean))];
}

/**
 * The state after a change. Another kind restores its last chosen heads, converts the pins, and resets the zoom.
 * @param {State} before
 * @param {Partial<State>} patch
 * @param {Partial<Record<Kind, Head[]>>} remembered the last chosen heads of each kind; updated in place
 * @returns {State}
 */
export function changedState(before, patch, remembered) {
  const next = { ...before, ...patch };
  if (patch.kind && patch.kind !== before.kind) {
    remembered[before.kind] = before.heads;
    next.heads = patch.heads ?? remembered[patch.kind] ?? before.heads;
    next.pins = patch.pins ?? carryPins(before.pins, before.kind, patch.kind);
    next.zoom = patch.zoom ?? null;
    next.window = patch.window ?? null;
  }
  if (patch.window && !patch.pins) Object.assign(next, { pins: [], zoom: null }); // they refer to places in the window
  if (patch.unit && patch.unit !== before.unit) next.zoom = null;
  return next;
}

/** Pinned units of one side of a matrix, in order.
 * @type {(pins: string[], side: Side, units: Units) => number[]} */
export function pinnedUnits(pins, side, units) {
  const pinned = pins.filter((pin) => pin[0] === side).map((pin) => units.of[Number(pin.slice(1))]);
  return [...new Set(pinned.filter((unit) => unit !== undefined))];
}

/** The pins after a click on a unit: only this unit, or none if it was the only one. With Shift it is added or removed.
 * @type {(pins: string[], side: Side, unit: number, units: Units, isAdded: boolean) => string[]} */
export function clickedPins(pins, side, unit, units, isAdded) {
  const toggled = togglePin(pins, side, unit, units);
  return isAdded || !toggled.length ? toggled : togglePin([], side, unit, units);
}

/** The pins with one unit added or removed.
 * @type {(pins: string[], side: Side, unit: number, units: Units) => string[]} */
export function togglePin(pins, side, unit, units) {
  const ofUnit = units.members[unit].map((piece) => side + piece);
  const rest = pins.filter((pin) => !ofUnit.includes(pin));
  return rest.length < pins.length ? rest : [...pins, ofUnit[0]];
}

/** The shortest decimal that round-trips to this float32. @param {number} value */
export function exactNumber(value) {
  if (!Number.isFinite(value)) return String(value);
  for (let digits = 1; digits <= 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === Math.fround(value)) return tidyNumber(text);
  }
  return tidyNumber(value.toPrecision(9));
}

/** @param {string} text */
function tidyNumber(text) {
  const [mantissa, power] = text.split("e");
  const trimmed = mantissa.includes(".") ? mantissa.replace(/0+$/, "").replace(/\.$/, "") : mantissa;
  return written((power ? `${trimmed}e${power}` : trimmed).replace("-", "−"));
}

/** A cell's number: ".78", in French "0,78"; "" if it rounds to 0. @type {(value: number, signed?: boolean) => string} */
export function cellNumber(value, signed) {
  const rounded = Math.abs(value).toFixed(2);
  if (!(rounded >= "0.01")) return "";
  const bare = rounded === "1.00" ? "1" : briefly(rounded);
  return signed ? (value < 0 ? "−" : "+") + bare : bare;
}

// The first change is reported at once, so that a class sees it soon. Later changes within this time are reported together
// at its end, so that dragging a slider sends two messages.

export class Reporter {
  /** The last revision received; Python refuses reports on an earlier one. */ revision = -1;
  /** The name of the packet on screen, so that it is not sent again. */ packetName = "";
  /** Time of the reader's last change. */ lastChange = -Infinity;

  /** @type {ReturnType<typeof setTimeout> | undefined} */ timer;
  #endPending = () => {};

  /** @param {{state: State}} explorer @param {Send} send */
  constructor(explorer, send) {
    this.explorer = explorer;
    this.send = send;
  }

  /** Schedule a report: at once, or debounced if the last change was recent. */
  schedule() {
    this.cancel();
    const isFirst = Date.now() - this.lastChange > REPORT_DELAY;
    this.lastChange = Date.now();
    this.#endPending = pend("report");
    this.timer = setTimeout(() => this.#report(), isFirst ? 0 : REPORT_DELAY);
  }

  #report() {
    this.timer = undefined;
    const { revision, packetName } = this;
    this.send.report?.({ state: this.explorer.state, revision, holds: packetName });
    this.#endPending();
  }

  /** Send a scheduled report at once, before the page is left. */
  flush() {
    if (this.timer === undefined) return;
    this.cancel();
    this.#report();
  }

  /** Request an action from the page that needs Python. @param {Action} action */
  requestAction(action) {
    this.send.action?.(action);
  }

  /** Accept a server state if its revision is newer: stores the revision, cancels a scheduled report, and returns true.
   * An older revision changes nothing and returns false.
   * @param {number} revision */
  acceptRevision(revision) {
    if (revision <= this.revision) return false;
    this.revision = revision;
    this.cancel();
    return true;
  }

  cancel() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.#endPending();
  }
}

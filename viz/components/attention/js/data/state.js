// What the reader has chosen. Fields, their values and defaults are ViewState's in Python (viz/state/view_state.py).

import { briefly, clamp, written } from "../../../shared/text.js";

export const KINDS = ["encoder_self", "decoder_self", "cross"];

/** The nearest state that a view can show, as AttentionView.nearest in Python; what is missing takes its default. */
export function fitState(state, view, defaults) {
  const fitted = { ...defaults, ...state };
  if (!view.kinds.has(fitted.kind)) fitted.kind = [...view.kinds.keys()].at(-1);
  const heads = view.kinds.get(fitted.kind);
  fitted.heads = nearestHeads(fitted.heads, heads);
  fitted.zoom = isInside(fitted.zoom, heads) ? fitted.zoom : null;
  if (heads.long) {
    heads.long.window = heads.long.nearest(fitted.window);
    if (fitted.view === "text") fitted.view = "map"; // there are too many tokens for large type
  }
  if (fitted.window) fitted.window = heads.long?.window.some(Boolean) ? heads.long.window : null;
  fitted.pins = fitted.pins.filter((pin) => Number(pin.slice(1)) < (pin[0] === "q" ? heads.rows : heads.columns));
  if (!view.hasTwoMeanings) fitted.rows = "predicted";
  if (!view.weightings.includes(fitted.weighting)) fitted.weighting = view.weighting;
  return fitted;
}

/**
 * The nearest head that a kind has, and of the further ones those that it has, each once.
 * @param {import("../types").Head[]} chosen
 */
export function nearestHeads(chosen, heads) {
  const [[layer, head], ...further] = chosen;
  /** @type {import("../types").Head[]} */
  const near = [[clamp(layer, 0, heads.layers - 1), clamp(head, 0, heads.heads - 1)]];
  near.push(...further.filter((each) => heads.has(...each)));
  return near.filter((each, at) => near.findIndex((other) => sameHead(each, other)) === at);
}

/** Whether a zoomed part lies inside the map; tests/js/fitting_cases.py compares with Python. */
function isInside(zoom, { rows, columns }) {
  const [row, column, height, width] = zoom ?? [0, 0, 0, 0];
  return height > 0 && width > 0 && row + height <= rows + 1e-6 && column + width <= columns + 1e-6;
}

export function sameHead(a, b) {
  return a[0] === b[0] && a[1] === b[1];
}

/** Pins carried from one kind of attention to another: a token stays pinned where it still has a row or column. */
export function carryPins(pins, from, to) {
  const roles = { encoder_self: { source: "q" }, decoder_self: { target: "q" }, cross: { source: "k", target: "q" } };
  const sideOf = (kind, pin) => {
    if (kind === "encoder_self") return "source";
    if (kind === "cross") return pin[0] === "k" ? "source" : "target";
    return pin[0] === "q" ? "target" : null;
  };
  const carried = pins.map((pin) => {
    const role = roles[to][sideOf(from, pin)];
    return role ? role + pin.slice(1) : null;
  });
  return [...new Set(carried.filter(Boolean))];
}

/** Pinned units of one side of a matrix, in order. */
export function pinnedUnits(pins, side, units) {
  const found = pins.filter((pin) => pin[0] === side).map((pin) => units.of[Number(pin.slice(1))]);
  return [...new Set(found.filter((unit) => unit !== undefined))];
}

/** The pins with one unit added or removed. */
export function togglePin(pins, side, unit, units) {
  const own = units.members[unit].map((piece) => side + piece);
  const rest = pins.filter((pin) => !own.includes(pin));
  return rest.length < pins.length ? rest : [...pins, own[0]];
}

/** The shortest decimal that gives back exactly this float32. */
export function exactNumber(value) {
  if (!Number.isFinite(value)) return String(value);
  for (let digits = 1; digits <= 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === Math.fround(value)) return tidyNumber(text);
  }
  return tidyNumber(value.toPrecision(9));
}

function tidyNumber(text) {
  const [mantissa, power] = text.split("e");
  const trimmed = mantissa.includes(".") ? mantissa.replace(/0+$/, "").replace(/\.$/, "") : mantissa;
  return written((power ? `${trimmed}e${power}` : trimmed).replace("-", "−"));
}

/** ".78", in French "0,78", for a cell; "" for what rounds to nothing. */
export function cellNumber(value, signed) {
  const rounded = Math.abs(value).toFixed(2);
  if (!(rounded >= "0.01")) return "";
  const bare = rounded === "1.00" ? "1" : briefly(rounded);
  return signed ? (value < 0 ? "−" : "+") + bare : bare;
}

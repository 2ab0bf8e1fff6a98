// Interventions as text, as model/intervention_text.py writes and reads them: "off:x.2.5 force:x.2.5.3=0.1,0.9 block:x.3...".

/** @import { Kind } from "../../engine/edits.js" */
/** @import { Schema } from "../types.js" */
/** @import { Changes, Head } from "./choices.js" */

const MOST = 4096;
const LARGEST_WEIGHT = 1e6;
const MOST_SHIFT = 10_000;

/**
 * @typedef {Pick<Schema, "letters" | "moves">} Grammar letters of the kinds of attention
 * @typedef {Pick<Changes, "off" | "blocked" | "forced" | "moved"> & {left: string[]}} Found
 */

/** @param {Pick<Changes, "off" | "blocked" | "forced" | "moved">} changes @param {Grammar} grammar */
export function writeChanges({ off, blocked, forced, moved }, { letters }) {
  const place = (/** @type {Head} */ { kind, layer, head }) => `${letters[kind]}.${layer}.${head}`;
  return [
    ...off.map((each) => `${each.mode === "uniform" ? "even" : "off"}:${place(each)}`),
    ...forced.map((row) => `force:${place(row)}.${row.query}=${row.weights.join(",")}`),
    ...blocked.map(
      ({ kind, key, ...where }) =>
        `block:${letters[kind]}.${key}.${where.layer ?? ""}.${where.head ?? ""}.${where.query ?? ""}`,
    ),
    ...(moved ? [`move:${moved.mode}.${moved.amount}`] : []),
  ].join(" ");
}

/** @param {string} text @param {Grammar} grammar
 * @returns {Found} an item that makes no sense is left out; `left` names kinds of changes that the page's engine has
 *   not */
export function readChanges(text, { letters, moves }) {
  /** @type {Found} */
  const found = { off: [], blocked: [], forced: [], moved: null, left: [] };
  const kinds = /** @type {Record<string, Kind>} */ (
    Object.fromEntries(Object.entries(letters).map(([kind, letter]) => [letter, kind]))
  );
  for (const item of text.split(/\s+/).filter(Boolean).slice(0, MOST)) {
    const [, verb, rest] = /** @type {RegExpMatchArray} */ (/^([^:]*):?([\s\S]*)$/.exec(item));
    const [place, weights] = rest.split("=");
    const [letter, ...numbers] = place.split(".");
    const kind = kinds[letter];
    if ((verb === "off" || verb === "even") && kind) takeOff(found, verb, kind, numbers.map(natural));
    else if (verb === "force" && kind) takeRow(found, kind, numbers.map(natural), weights ?? "");
    else if (verb === "block" && kind) takeKey(found, kind, numbers);
    else if (verb === "move")
      takeMove(
        found,
        moves.find((each) => each === letter),
        numbers[0] ?? "",
      );
    else if ((verb === "patch" || verb === "unmask") && !found.left.includes(verb)) found.left.push(verb);
  }
  return found;
}

/** @param {Found} found @param {string} verb @param {Kind} kind @param {(number | null)[]} place */
function takeOff(found, verb, kind, [layer, head]) {
  if (layer == null || head == null) return;
  found.off.push(verb === "even" ? { kind, layer, head, mode: "uniform" } : { kind, layer, head });
}

/** @param {Found} found
 * @param {Schema["moves"][number] | undefined} mode none for one that there is not
 * @param {string} text how far positions are shifted, or the seed by which they are shuffled */
function takeMove(found, mode, text) {
  const amount = /^-?\d{1,20}$/.test(text) ? Number(text) : NaN;
  const isGood = Number.isSafeInteger(amount) && (mode !== "shift" || Math.abs(amount) <= MOST_SHIFT);
  if (mode && isGood) found.moved = { mode, amount };
}

/** @param {Found} found @param {Kind} kind @param {(number | null)[]} place @param {string} text */
function takeRow(found, kind, [layer, head, query], text) {
  const weights = text.split(",").map((each) => (each.trim() ? Number(each) : NaN));
  const isGood = weights.every((weight) => weight >= 0 && weight <= LARGEST_WEIGHT);
  const total = weights.reduce((sum, each) => sum + each, 0);
  if (layer == null || head == null || query == null || !isGood || total < 1 / LARGEST_WEIGHT) return;
  found.forced.push({ kind, layer, head, query, weights });
}

/** @param {Found} found @param {Kind} kind
 * @param {string[]} place key, layer, head and query; an empty one stands for all */
function takeKey(found, kind, [first, ...rest]) {
  const key = natural(first);
  const where = [0, 1, 2].map((at) => (rest[at] ? natural(rest[at]) : null));
  if (key === null || where.some((each, at) => each === null && rest[at])) return;
  found.blocked.push({ kind, key, layer: where[0], head: where[1], query: where[2] });
}

/** @param {string | undefined} text */
const natural = (text) => (/^\d{1,6}$/.test(text ?? "") ? Number(text) : null);

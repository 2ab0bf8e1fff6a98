// Writes and parses interventions as text, as model/intervention_text.py does: "off:x.2.5 force:x.2.5.3=0.1,0.9 block:x.3...".

/** @import { Kind } from "../../engine/edits.js" */
/** @import { Schema } from "../types.js" */
/** @import { Changes, Head } from "./choices.js" */

const MAX_ITEMS = 4096;
const MAX_WEIGHT_VALUE = 1e6;
const MAX_SHIFT = 10_000;

/**
 * @typedef {Pick<Schema, "letters" | "moves">} Grammar letters of the kinds of attention
 * @typedef {Pick<Changes, "off" | "blocked" | "forced" | "moved"> & {unsupported: string[]}} Parsed
 */

/** @param {Pick<Changes, "off" | "blocked" | "forced" | "moved">} changes @param {Grammar} grammar */
export function writeChanges({ off, blocked, forced, moved }, { letters }) {
  const place = (/** @type {Head} */ { kind, layer, head }) => `${letters[kind]}.${layer}.${head}`;
  return [
    ...off.map((ablation) => `${ablation.mode === "uniform" ? "even" : "off"}:${place(ablation)}`),
    ...forced.map((row) => `force:${place(row)}.${row.query}=${row.weights.join(",")}`),
    ...blocked.map(
      ({ kind, key, ...where }) =>
        `block:${letters[kind]}.${key}.${where.layer ?? ""}.${where.head ?? ""}.${where.query ?? ""}`,
    ),
    ...(moved ? [`move:${moved.mode}.${moved.amount}`] : []),
  ].join(" ");
}

/** @param {string} text @param {Grammar} grammar
 * @returns {Parsed} malformed items are ignored; `unsupported` names kinds of changes that the page's engine lacks */
export function readChanges(text, { letters, moves }) {
  /** @type {Parsed} */
  const parsed = { off: [], blocked: [], forced: [], moved: null, unsupported: [] };
  const kinds = /** @type {Record<string, Kind>} */ (
    Object.fromEntries(Object.entries(letters).map(([kind, letter]) => [letter, kind]))
  );
  for (const item of text.split(/\s+/).filter(Boolean).slice(0, MAX_ITEMS)) {
    const [, verb, rest] = /** @type {RegExpMatchArray} */ (/^([^:]*):?([\s\S]*)$/.exec(item));
    const [place, weights] = rest.split("=");
    const [letter, ...numbers] = place.split(".");
    const kind = kinds[letter];
    if ((verb === "off" || verb === "even") && kind) addHead(parsed, verb, kind, numbers.map(natural));
    else if (verb === "force" && kind) addRow(parsed, kind, numbers.map(natural), weights ?? "");
    else if (verb === "block" && kind) addKey(parsed, kind, numbers);
    else if (verb === "move")
      addMove(
        parsed,
        moves.find((mode) => mode === letter),
        numbers[0] ?? "",
      );
    else if ((verb === "patch" || verb === "unmask") && !parsed.unsupported.includes(verb))
      parsed.unsupported.push(verb);
  }
  return parsed;
}

/** @param {Parsed} parsed @param {string} verb @param {Kind} kind @param {(number | null)[]} place */
function addHead(parsed, verb, kind, [layer, head]) {
  if (layer == null || head == null) return;
  parsed.off.push(verb === "even" ? { kind, layer, head, mode: "uniform" } : { kind, layer, head });
}

/** @param {Parsed} parsed
 * @param {Schema["moves"][number] | undefined} mode undefined for an unknown one
 * @param {string} text the shift of the positions, or the seed of their shuffle */
function addMove(parsed, mode, text) {
  const amount = /^-?\d{1,20}$/.test(text) ? Number(text) : NaN;
  const isGood = Number.isSafeInteger(amount) && (mode !== "shift" || Math.abs(amount) <= MAX_SHIFT);
  if (mode && isGood) parsed.moved = { mode, amount };
}

/** @param {Parsed} parsed @param {Kind} kind @param {(number | null)[]} place @param {string} text */
function addRow(parsed, kind, [layer, head, query], text) {
  const weights = text.split(",").map((weight) => (weight.trim() ? Number(weight) : NaN));
  const isGood = weights.every((weight) => weight >= 0 && weight <= MAX_WEIGHT_VALUE);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (layer == null || head == null || query == null || !isGood || total < 1 / MAX_WEIGHT_VALUE) return;
  parsed.forced.push({ kind, layer, head, query, weights });
}

/** @param {Parsed} parsed @param {Kind} kind
 * @param {string[]} place key, layer, head and query; an empty string stands for all */
function addKey(parsed, kind, [first, ...rest]) {
  const key = natural(first);
  const where = [0, 1, 2].map((at) => (rest[at] ? natural(rest[at]) : null));
  if (key === null || where.some((value, at) => value === null && rest[at])) return;
  parsed.blocked.push({ kind, key, layer: where[0], head: where[1], query: where[2] });
}

/** @param {string | undefined} text */
const natural = (text) => (/^\d{1,6}$/.test(text ?? "") ? Number(text) : null);

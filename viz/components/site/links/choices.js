// The reader's choices and the interventions among them, also as text, as model/intervention_text.py writes and parses them:
// "off:x.2.5 force:x.2.5.3=0.1,0.9 block:x.3...".

/** @import { BlockedKey, Kind, PositionEdit } from "../../engine/edits.js" */
/** @import { Config, Look, Schema } from "../types.js" */

const MAX_ITEMS = 4096; // interventions in a link
const MAX_SHIFT = 10_000; // positions
const MAX_WEIGHT_VALUE = 1e6; // of a forced row

/**
 * @typedef {{kind: Kind, layer: number, head: number}} Head
 * @typedef {import("../../engine/edits.js").HeadAblation} Off mode "uniform" spreads a head's weights evenly; else its output is 0
 * @typedef {Required<BlockedKey>} Blocked
 * @typedef {import("../../engine/edits.js").ForcedRow} Forced
 * @typedef {Required<PositionEdit>} Moved
 * @typedef {{off: Off[], blocked: Blocked[], forced: Forced[], moved: Moved | null, prefix: number[],
 *   temperature: number, topK: number, topP: number, seed: number}} Changes `prefix` forces the first target ids; a
 *   temperature of 0 is greedy decoding; above it, tokens are sampled with top-k (0 for all) and top-p
 * @typedef {{text: string, model: string, language: string, kind: Kind, heads: number[][], pins: string[],
 *   level: string, look: Look} & Changes} Choices `level` is the open tab, `pins` the selected token ("q3" is the fourth of
 *   the translation, "k3" of the source), and `look` the explorer's options that differ from their defaults
 */

/** The tabs; the first is the sentence alone. */
export const LEVELS = ["", "head", "heads", "model", "break"];
export const MAX_CHARACTERS = 10_000;
/** The page's largest temperature, in tenths. */
export const MAX_TEMPERATURE = 20;

/** @returns {Changes} nothing changed */
export const unchanged = () => ({
  off: [],
  blocked: [],
  forced: [],
  moved: null,
  prefix: [],
  temperature: 0,
  topK: 0,
  topP: 1,
  seed: 1,
});

/** @returns {Choices} nothing chosen */
export const unchosen = () => ({
  text: "",
  model: "",
  language: "",
  kind: "cross",
  heads: [],
  pins: [],
  level: "",
  look: {},
  ...unchanged(),
});

/** The changes among the choices. @param {Choices} choices @returns {Changes} */
export function changesOf({ off, blocked, forced, moved, prefix, temperature, topK, topP, seed }) {
  return { off, blocked, forced, moved, prefix, temperature, topK, topP, seed };
}

/** @param {Changes} changes */
export const isChanged = ({ off, blocked, forced, moved, prefix, temperature }) =>
  off.length + blocked.length + forced.length + prefix.length > 0 || moved !== null || temperature > 0;

/** The changes in the engine's format, without heads that the model lacks: a link may come from another model.
 * @param {Changes} changes
 * @param {Config} config of the model */
export function editsOf({ off, blocked, forced, moved }, config) {
  const exists = (/** @type {Off | Blocked | Forced} */ { kind, layer, head }) => {
    if (config.alone && kind !== "decoder_self") return false;
    const stack = kind === "encoder_self" ? "encoder" : "decoder";
    return (layer ?? 0) < config[`n_${stack}_layers`] && (head ?? 0) < config[`n_${stack}_heads`];
  };
  return {
    heads_off: off.filter(exists),
    blocked_keys: blocked.filter(exists),
    forced_rows: forced.filter(exists),
    source_positions: config.alone ? null : moved,
  };
}

/** The forced target ids, up to the first one that the model's vocabulary lacks.
 * @param {Changes} changes
 * @param {Config} config of the model */
export function prefixOf({ prefix }, { target_vocab_size: size }) {
  const end = prefix.findIndex((id) => id >= size);
  return end < 0 ? prefix : prefix.slice(0, end);
}

/** A key blocked for all heads and queries of a kind of attention.
 * @param {number} key @param {Kind} kind @returns {Blocked} */
export const wholeKey = (key, kind) => ({ kind, key, layer: null, head: null, query: null });

/** Whether a key is blocked for all heads and queries of a kind. @param {Blocked} blocked @param {string} main */
export const blocksWholeKey = ({ kind, layer, head, query }, main) =>
  kind === main && layer === null && head === null && query === null;

/** The keys with weight in a forced row. @param {Forced} row */
export const keysOf = ({ weights }) => weights.flatMap((weight, key) => (weight > 0 ? [key] : []));

/** Equal weight on each key. @param {number[]} keys */
export function weightsOf(keys) {
  const weights = new Array(Math.max(...keys) + 1).fill(0);
  for (const key of keys) weights[key] = 1;
  return weights;
}

/** @param {[number, number] | number[]} head */
export const nameOf = ([layer, head]) => `${layer}.${head}`;

/** @param {number[]} head
 * @param {Kind} kind of attention */
export const headAt = ([layer, head], kind) => ({ kind, layer, head });

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

// The reader's choices, and the interventions among them.

/** @import { BlockedKey, Kind, PositionEdit } from "../../engine/edits.js" */
/** @import { Config, Look } from "../types.js" */

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

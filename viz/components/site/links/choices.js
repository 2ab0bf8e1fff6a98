// What the reader has chosen, and what of it changes the model.

/** @import { BlockedKey, Kind, PositionEdit } from "../../engine/edits.js" */
/** @import { Config, Look } from "../types.js" */

/**
 * @typedef {{kind: Kind, layer: number, head: number}} Head
 * @typedef {import("../../engine/edits.js").HeadAblation} Off "uniform" spreads a head's weights evenly; else it adds nothing
 * @typedef {Required<BlockedKey>} Blocked
 * @typedef {import("../../engine/edits.js").ForcedRow} Forced
 * @typedef {Required<PositionEdit>} Moved
 * @typedef {{off: Off[], blocked: Blocked[], forced: Forced[], moved: Moved | null, said: number[],
 *   temperature: number, topK: number, topP: number, seed: number}} Changes a temperature of 0 takes the most probable
 *   token at each step; above it, one of the `topK` best (all with 0) that reach `topP` together is drawn
 * @typedef {{text: string, model: string, language: string, kind: Kind, heads: number[][], pins: string[],
 *   level: string, look: Look} & Changes} Choices `level` is open below the sentence, `pins` names the
 *   token that is looked at ("q3" is the fourth of the translation, "k3" of the source), and `look` is how the explorer
 *   shows heads, where that is not as usual
 */

/** Levels to look closer; the first is the sentence alone. */
export const LEVELS = ["", "head", "heads", "model", "break"];
export const MOST_CHARACTERS = 10_000;
/** Tenths up to which the temperature is chosen on the page. */
export const HOTTEST = 20;

/** @returns {Changes} nothing changed */
export const unchanged = () => ({
  off: [],
  blocked: [],
  forced: [],
  moved: null,
  said: [],
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

/** What of the choices changes the model. @param {Choices} choices @returns {Changes} */
export function changesOf({ off, blocked, forced, moved, said, temperature, topK, topP, seed }) {
  return { off, blocked, forced, moved, said, temperature, topK, topP, seed };
}

/** @param {Changes} changes */
export const isChanged = ({ off, blocked, forced, moved, said, temperature }) =>
  off.length + blocked.length + forced.length + said.length > 0 || moved !== null || temperature > 0;

/** The changes as the engine takes them. What the model has not (a link may come from another one) is left out.
 * @param {Changes} changes
 * @param {Config} config of the model */
export function editsOf({ off, blocked, forced, moved }, config) {
  const isThere = (/** @type {Off | Blocked | Forced} */ { kind, layer, head }) => {
    if (config.alone && kind !== "decoder_self") return false;
    const stack = kind === "encoder_self" ? "encoder" : "decoder";
    return (layer ?? 0) < config[`n_${stack}_layers`] && (head ?? 0) < config[`n_${stack}_heads`];
  };
  return {
    heads_off: off.filter(isThere),
    blocked_keys: blocked.filter(isThere),
    forced_rows: forced.filter(isThere),
    source_positions: config.alone ? null : moved,
  };
}

/** The beginning of the translation that is given, up to an id that the model has not.
 * @param {Changes} changes
 * @param {Config} config of the model */
export function prefixOf({ said }, { target_vocab_size: size }) {
  const end = said.findIndex((id) => id >= size);
  return end < 0 ? said : said.slice(0, end);
}

/** A word hidden from all heads of the kind of attention that the stage shows.
 * @param {number} key @param {Kind} kind @returns {Blocked} */
export const hiding = (key, kind) => ({ kind, key, layer: null, head: null, query: null });

/** Whether a hidden key is hidden from all heads of a kind. @param {Blocked} each @param {string} main */
export const blocksWholeKey = ({ kind, layer, head, query }, main) =>
  kind === main && layer === null && head === null && query === null;

/** The keys that a forced row looks at. @param {Forced} row */
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

// The reader's choices in the address: a link restores them, and Back returns to the earlier sentence.

/**
 * @typedef {{kind: string, layer: number, head: number}} Head
 * @typedef {Head & {query: number, keys: number[]}} Forced
 * @typedef {{off: Head[], hidden: number | null, positions: string, forced: Forced[], said: number[],
 *   temperature: number, seed: number}} Changes a temperature of 0 takes the most probable token at each step
 * @typedef {{text: string, model: string, language: string, kind: string, heads: number[][], view: string} & Changes
 *   } Choices `view` is the level that is open below the sentence
 */

const KINDS = ["encoder_self", "decoder_self", "cross"];
export const VIEWS = ["", "head", "heads", "model", "break"];
const POSITIONS = ["", "zero", "shuffle", "reverse"];
export const MOST_CHARACTERS = 10_000;
const MOST_OFF = 200;
const MOST_FORCED = 50;
const MOST_SAID = 512;
const MOST_HEADS = 8;

/** @returns {Changes} nothing changed */
export const unchanged = () => ({
  off: [],
  hidden: null,
  positions: "",
  forced: [],
  said: [],
  temperature: 0,
  seed: 1,
});

/** Tenths up to which the temperature goes. */
export const HOTTEST = 20;

/**
 * Choices of an address; what is missing or malformed takes its default.
 * @param {string} search
 * @returns {Choices}
 */
export function fromLink(search) {
  const given = new URLSearchParams(search);
  const list = (/** @type {string} */ name, /** @type {number} */ most) =>
    (given.get(name) ?? "").split(",").filter(Boolean).slice(0, most);
  const heads = list("heads", MOST_HEADS).map((each) => each.split(".").map(numberOf));
  return {
    text: (given.get("text") ?? "").slice(0, MOST_CHARACTERS),
    model: given.get("model") ?? "",
    language: given.get("lang") ?? "",
    view: oneOf(VIEWS, given.get("view")),
    temperature: Math.min(HOTTEST, numberOf(given.get("heat")) ?? 0) / 10,
    seed: numberOf(given.get("seed")) ?? 1,
    kind: oneOf(["cross", ...KINDS], given.get("kind")),
    heads: heads.filter(([layer, head]) => layer != null && head != null),
    off: list("off", MOST_OFF).map(headOf).filter(Boolean),
    hidden: given.has("hide") ? numberOf(given.get("hide")) : null,
    positions: oneOf(POSITIONS, given.get("positions")),
    forced: list("force", MOST_FORCED).map(forcedOf).filter(Boolean),
    said: list("said", MOST_SAID)
      .map(numberOf)
      .filter((id) => id !== null),
  };
}

/**
 * The address's search part; defaults are left out.
 * @param {Choices} choices
 */
export function toLink(choices) {
  const { text, model, language, view, kind, heads, off, hidden, positions, forced, said, temperature, seed } = choices;
  const given = new URLSearchParams();
  const headName = (/** @type {Head} */ head) => `${head.kind}.${head.layer}.${head.head}`;
  const put = (/** @type {string} */ name, /** @type {string} */ value) => value && given.set(name, value);
  put("text", text);
  put("model", model);
  put("off", off.map(headName).join(","));
  put("hide", hidden === null ? "" : String(hidden));
  put("positions", positions);
  put("force", forced.map((row) => `${headName(row)}.${row.query}.${row.keys.join("~")}`).join(","));
  put("said", said.join(","));
  put("heat", temperature ? String(Math.round(10 * temperature)) : "");
  put("seed", temperature && seed !== 1 ? String(seed) : "");
  put("view", view);
  put("lang", language);
  put("kind", kind === "cross" ? "" : kind);
  put("heads", heads.map((head) => head.join(".")).join(","));
  const search = given.toString();
  return search ? `?${search}` : "";
}

/**
 * The changes as the engine takes them. What the model has not (a link may come from another one) is left out.
 * @param {Changes} changes
 * @param {any} config of the model
 */
export function editsOf({ off, hidden, positions, forced }, config) {
  const isThere = (/** @type {Head} */ { kind, layer, head }) => {
    const stack = kind === "encoder_self" ? "encoder" : "decoder";
    return layer < config[`n_${stack}_layers`] && head < config[`n_${stack}_heads`];
  };
  return {
    heads_off: off.filter(isThere),
    blocked_keys: hidden === null ? [] : [{ kind: "cross", key: hidden }],
    forced_rows: forced.filter(isThere).map(({ keys, ...place }) => ({ ...place, weights: weightsOf(keys) })),
    source_positions: positions ? { mode: positions, amount: 0 } : null,
  };
}

/**
 * The beginning of the translation that is given, up to an id that the model has not.
 * @param {Changes} changes
 * @param {any} config of the model
 */
export function prefixOf({ said }, { target_vocab_size: size }) {
  const end = said.findIndex((id) => id >= size);
  return end < 0 ? said : said.slice(0, end);
}

/** @param {Changes} changes */
export const isChanged = ({ off, hidden, positions, forced, said, temperature }) =>
  off.length + forced.length + said.length > 0 || hidden !== null || positions !== "" || temperature > 0;

/**
 * Equal weight on each key.
 * @param {number[]} keys
 */
function weightsOf(keys) {
  const weights = new Array(Math.max(...keys) + 1).fill(0);
  for (const key of keys) weights[key] = 1;
  return weights;
}

/** @param {string} word */
function headOf(word) {
  const [kind, layer, head] = word.split(".");
  const found = { kind, layer: numberOf(layer), head: numberOf(head) };
  return KINDS.includes(kind) && found.layer !== null && found.head !== null ? found : null;
}

/** @param {string} word */
function forcedOf(word) {
  const parts = word.split(".");
  const head = headOf(parts.slice(0, 3).join("."));
  const query = numberOf(parts[3]);
  const keys = (parts[4] ?? "").split("~").map(numberOf);
  return head && query !== null && keys.every((key) => key !== null) ? { ...head, query, keys } : null;
}

/** @param {string | undefined | null} text a small number, or null for anything else */
const numberOf = (text) => (/^\d{1,5}$/.test(text ?? "") ? Number(text) : null);

/**
 * @param {string[]} allowed the first is the default
 * @param {string | null} value
 */
const oneOf = (allowed, value) => (value !== null && allowed.includes(value) ? value : allowed[0]);

// What the reader has chosen, in the address: a link restores it, and Back goes to the sentence before.

/**
 * @typedef {{kind: string, layer: number, head: number}} Head
 * @typedef {{text: string, off: Head[], hidden: number | null, positions: string, language: string, kind: string,
 *   heads: number[][]}} Choices
 */

const KINDS = ["encoder_self", "decoder_self", "cross"];
const POSITIONS = ["", "zero", "shuffle", "reverse"];
const MOST_CHARACTERS = 2000;
const MOST_OFF = 200;

/**
 * Choices of an address; what is missing or malformed takes its default.
 * @param {string} search
 * @returns {Choices}
 */
export function fromLink(search) {
  const given = new URLSearchParams(search);
  const off = (given.get("off") ?? "").split(",").slice(0, MOST_OFF).map(headOf).filter(Boolean);
  const hidden = Number.parseInt(given.get("hide") ?? "", 10);
  const heads = (given.get("heads") ?? "").split(",").map((each) => each.split(".").map(Number));
  return {
    text: (given.get("text") ?? "").slice(0, MOST_CHARACTERS),
    off,
    hidden: hidden >= 0 ? hidden : null,
    positions: oneOf(POSITIONS, given.get("positions")),
    language: given.get("lang") ?? "",
    kind: oneOf(["cross", ...KINDS], given.get("kind")),
    heads: heads.filter(([layer, head]) => Number.isInteger(layer) && Number.isInteger(head)).slice(0, 8),
  };
}

/**
 * The address's search part; defaults are left out.
 * @param {Choices} choices
 */
export function toLink({ text, off, hidden, positions, language, kind, heads }) {
  const given = new URLSearchParams();
  if (text) given.set("text", text.slice(0, MOST_CHARACTERS));
  if (off.length) given.set("off", off.map((head) => `${head.kind}.${head.layer}.${head.head}`).join(","));
  if (hidden !== null) given.set("hide", String(hidden));
  if (positions) given.set("positions", positions);
  if (language) given.set("lang", language);
  if (kind !== "cross") given.set("kind", kind);
  if (heads.length) given.set("heads", heads.map((head) => head.join(".")).join(","));
  const search = given.toString();
  return search ? `?${search}` : "";
}

/**
 * The changes as the engine takes them.
 * @param {Choices} choices
 */
export function editsOf({ off, hidden, positions }) {
  return {
    heads_off: off,
    blocked_keys: hidden === null ? [] : [{ kind: "cross", key: hidden }],
    source_positions: positions ? { mode: positions, amount: 0 } : null,
  };
}

/** @param {Choices} choices */
export const isChanged = ({ off, hidden, positions }) => off.length > 0 || hidden !== null || positions !== "";

/** @param {string} word */
function headOf(word) {
  const [kind, layer, head] = word.split(".");
  const found = { kind, layer: Number(layer), head: Number(head) };
  const isHead = KINDS.includes(kind) && found.layer >= 0 && found.head >= 0;
  return isHead && Number.isInteger(found.layer) && Number.isInteger(found.head) ? found : null;
}

/**
 * @param {string[]} allowed the first is the default
 * @param {string | null} value
 */
const oneOf = (allowed, value) => (value !== null && allowed.includes(value) ? value : allowed[0]);

// Links from before the page and the application shared a schema, in today's words.

const FORMER_LEVELS = ["head", "heads", "model", "break"];
const FORMER_LETTERS = /** @type {Record<string, string>} */ ({ encoder_self: "e", decoder_self: "d", cross: "x" });

/** @param {URLSearchParams} given of an old link or a new one
 * @returns {URLSearchParams} */
export function modern(given) {
  const now = new URLSearchParams(given);
  const move = (/** @type {string} */ from, /** @type {string} */ to) => {
    if (!now.has(from)) return;
    if (!now.has(to)) now.set(to, /** @type {string} */ (now.get(from)));
    now.delete(from);
  };
  if (FORMER_LEVELS.includes(now.get("view") ?? "")) move("view", "level");
  move("lang", "language");
  const changes = [
    ...formerList(given, "off").map((place) => `off:${formerHead(place)}`),
    ...formerList(given, "force").map(formerRow),
    ...formerList(given, "hide").map((key) => `block:x.${key}...`),
    ...formerList(given, "positions").map((mode) => `move:${mode}.0`),
  ];
  if (changes.length) now.set("interventions", [now.get("interventions"), ...changes].filter(Boolean).join(" "));
  if (given.has("said")) now.set("prefix", formerList(given, "said").join("."));
  if (/^\d{1,2}$/.test(given.get("heat") ?? "")) {
    now.set("method", "sample");
    now.set("temperature", String(Number(given.get("heat")) / 10));
  }
  if (given.has("heads") && !given.has("layer") && !given.has("head")) takeHeads(now, formerList(given, "heads"));
  for (const name of ["off", "force", "hide", "positions", "said", "heat"]) now.delete(name);
  return now;
}

/** The first head was not named apart. @param {URLSearchParams} now @param {string[]} heads */
function takeHeads(now, [first, ...rest]) {
  const [layer, head] = (first ?? "").split(".");
  now.delete("heads");
  if (!/^\d{1,5}$/.test(layer) || !/^\d{1,5}$/.test(head ?? "")) return;
  now.set("layer", layer);
  now.set("head", head);
  if (rest.length) now.set("heads", rest.join(" "));
}

/** @param {URLSearchParams} given @param {string} name */
const formerList = (given, name) => (given.get(name) ?? "").split(/[ ,]/).filter(Boolean);

/** @param {string} place "cross.2.5" */
function formerHead(place) {
  const [kind, ...numbers] = place.split(".");
  return [FORMER_LETTERS[kind], ...numbers].join(".");
}

/** @param {string} row "cross.2.1.3.2~4" */
function formerRow(row) {
  const parts = row.split(".");
  const keys = /^\d+(~\d+)*$/.test(parts[4] ?? "") ? parts[4].split("~").map(Number) : [];
  const most = Math.max(...keys);
  const weights =
    most >= 0 && most < 512 ? Array.from({ length: most + 1 }, (_, key) => Number(keys.includes(key))) : [];
  return `force:${formerHead(parts.slice(0, 4).join("."))}=${weights.join(",")}`;
}

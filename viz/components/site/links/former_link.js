// Translates the parameters of links from before the page and the application shared a schema.

const FORMER_LEVELS = ["head", "heads", "model", "break"];
const FORMER_LETTERS = /** @type {Record<string, string>} */ ({ encoder_self: "e", decoder_self: "d", cross: "x" });

/** @param {URLSearchParams} parameters of an old or a new link
 * @returns {URLSearchParams} */
export function modernize(parameters) {
  const now = new URLSearchParams(parameters);
  const move = (/** @type {string} */ from, /** @type {string} */ to) => {
    if (!now.has(from)) return;
    if (!now.has(to)) now.set(to, /** @type {string} */ (now.get(from)));
    now.delete(from);
  };
  if (FORMER_LEVELS.includes(now.get("view") ?? "")) move("view", "level");
  move("lang", "language");
  const changes = [
    ...formerList(parameters, "off").map((place) => `off:${formerHead(place)}`),
    ...formerList(parameters, "force").map(formerRow),
    ...formerList(parameters, "hide").map((key) => `block:x.${key}...`),
    ...formerList(parameters, "positions").map((mode) => `move:${mode}.0`),
  ];
  if (changes.length) now.set("interventions", [now.get("interventions"), ...changes].filter(Boolean).join(" "));
  if (parameters.has("said")) now.set("prefix", formerList(parameters, "said").join("."));
  if (/^\d{1,2}$/.test(parameters.get("heat") ?? "")) {
    now.set("method", "sample");
    now.set("temperature", String(Number(parameters.get("heat")) / 10));
  }
  if (parameters.has("heads") && !parameters.has("layer") && !parameters.has("head"))
    takeHeads(now, formerList(parameters, "heads"));
  for (const name of ["off", "force", "hide", "positions", "said", "heat"]) now.delete(name);
  return now;
}

/** In old links, the first of "heads" was the open one. @param {URLSearchParams} now @param {string[]} heads */
function takeHeads(now, [first, ...rest]) {
  const [layer, head] = (first ?? "").split(".");
  now.delete("heads");
  if (!/^\d{1,5}$/.test(layer) || !/^\d{1,5}$/.test(head ?? "")) return;
  now.set("layer", layer);
  now.set("head", head);
  if (rest.length) now.set("heads", rest.join(" "));
}

/** @param {URLSearchParams} parameters @param {string} name */
const formerList = (parameters, name) => (parameters.get(name) ?? "").split(/[ ,]/).filter(Boolean);

/** @param {string} place "cross.2.5" */
function formerHead(place) {
  const [kind, ...numbers] = place.split(".");
  return [FORMER_LETTERS[kind], ...numbers].join(".");
}

/** @param {string} row "cross.2.1.3.2~4" */
function formerRow(row) {
  const parts = row.split(".");
  const keys = /^\d+(~\d+)*$/.test(parts[4] ?? "") ? parts[4].split("~").map(Number) : [];
  const last = Math.max(...keys);
  const weights =
    last >= 0 && last < 512 ? Array.from({ length: last + 1 }, (_, key) => Number(keys.includes(key))) : [];
  return `force:${formerHead(parts.slice(0, 4).join("."))}=${weights.join(",")}`;
}

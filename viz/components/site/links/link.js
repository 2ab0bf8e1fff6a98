// Reads and writes the choices in the address. Names, values and defaults are the application's schema
// (viz/state/selection.py), so that a link of the page opens in the application and the other way round. Links from before
// the common schema are translated first. Parameters that the page cannot show are listed.

import { h } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { readChanges, writeChanges, LEVELS, unchosen, unchanged } from "./choices.js";

/** @import { Fields, Form, Schema } from "../types.js" */
/** @import { Choices } from "./choices.js" */
/** @import { Kind } from "../../engine/edits.js" */
/** @import { Page } from "../page.js" */
/** @import { Scene } from "../stage/scene.js" */

const FORMER_LEVELS = ["head", "heads", "model", "break"];

/**
 * @typedef {<K extends keyof Fields>(name: K) => Fields[K]["default"]} Read reads a parameter
 */

/** The application's parameters that the page cannot show, by the name of the page's message. */
export const APPLICATION_ONLY = {
  beam: ["beam_size", "length_penalty"],
  filter: ["min_p"],
  length: ["max_length"],
  other: ["other_text", "other_model"],
  target: ["target_language"],
  weighting: ["weighting"],
};

/** The choices of an address; missing or malformed parameters have their defaults.
 * @param {string} search @param {Schema} schema
 * @returns {{choices: Choices, unsupported: string[]}} `unsupported` names parameters that the page cannot show */
export function readLink(search, schema) {
  const parameters = modernize(new URLSearchParams(search));
  /** @type {Read} */
  const read = (name) => valueOf(parameters.get(name), schema.fields[name]);
  const { unsupported, ...changes } = readChanges(parameters.get("interventions") ?? "", schema);
  const isSampled = read("method") === "sample";
  const choices = {
    ...unchosen(),
    ...changes,
    text: parameters.has("text") ? read("text") : "",
    model: read("model"),
    language: read("language"),
    level: LEVELS.find((level) => level === parameters.get("level")) ?? "",
    kind: read("kind"),
    heads: headsIn(parameters, read),
    pins: read("pins"),
    prefix: read("prefix"),
    temperature: isSampled ? read("temperature") : 0,
    topK: isSampled ? read("top_k") : 0,
    topP: isSampled ? read("top_p") : 1,
    seed: read("seed"),
    look: lookOf(parameters, schema, read),
  };
  if (read("method") === "beam") unsupported.push("beam");
  for (const [what, names] of Object.entries(APPLICATION_ONLY))
    if (names.some((name) => parameters.has(name)) && !(what === "filter" && !isSampled) && what !== "beam")
      unsupported.push(what);
  return { choices, unsupported };
}

/** The open head and those beside it; [] if the link names none.
 * @param {URLSearchParams} parameters @param {Read} read */
function headsIn(parameters, read) {
  if (!parameters.has("layer") && !parameters.has("head") && !parameters.has("heads")) return [];
  const beside = read("heads").map((head) => head.split(".").map(Number));
  return [[read("layer"), read("head")], ...beside];
}

/** The explorer's options that differ from their defaults.
 * @param {URLSearchParams} parameters @param {Schema} schema @param {Read} read */
function lookOf(parameters, { look, fields }, read) {
  const names = look.filter((name) => parameters.has(name) && !isDefault(read(name), fields[name]));
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

/** The query string of the choices, without defaults. @param {Choices} choices @param {Schema} schema */
export function writeLink(choices, schema) {
  const parameters = parametersOf(choices, schema);
  if (choices.level) parameters.set("level", choices.level);
  const search = parameters.toString();
  return search ? `?${search}` : "";
}

/** @param {Choices} choices @param {Schema} schema */
function parametersOf(choices, schema) {
  const { text, model, language, kind, heads, pins, prefix, temperature, topK, topP, seed, look } = choices;
  const parameters = new URLSearchParams();
  const put = (/** @type {keyof Fields} */ name, /** @type {Form["default"] | undefined} */ value) => {
    if (value !== undefined && !isDefault(value, schema.fields[name]))
      parameters.set(name, textOf(value, schema.fields[name]));
  };
  if (text) parameters.set("text", text); // the page's default sentence is not the application's
  const changes = writeChanges(choices, schema);
  if (changes) parameters.set("interventions", changes);
  put("model", model);
  put("language", language);
  put("kind", kind);
  if (heads.length) {
    parameters.set("layer", String(heads[0][0]));
    parameters.set("head", String(heads[0][1]));
    put(
      "heads",
      heads.slice(1).map((head) => head.join(".")),
    );
  }
  put("pins", pins);
  put("prefix", prefix);
  if (temperature > 0) {
    parameters.set("method", "sample");
    put("temperature", temperature);
    put("top_k", topK);
    put("top_p", topP);
    put("seed", seed);
  }
  for (const name of schema.look) put(name, look[name]);
  return parameters;
}

/**
 * The address of the same view in the application, on the page that corresponds to the open level.
 * @param {Choices} choices with everything that is on the screen, defaults included
 * @param {Schema} schema
 * @param {string} application its address
 */
export function applicationLink(choices, schema, application) {
  const page = schema.levels[choices.level] ?? "";
  const parameters = parametersOf(choices, schema);
  const [pin] = choices.pins;
  if (page && pin?.startsWith("q")) parameters.set(schema.steps[page], pin.slice(1));
  return `${application.replace(/\/?$/, "/")}${page}?${parameters}`;
}

/** Parse a parameter by its form, as viz/state/rules.py does.
 * @template {Form} F @param {string | null} text @param {F} form @returns {F["default"]} */
const valueOf = (text, form) => (text === null ? form.default : parseValue(text, form));

/** @param {string} text @param {Form} form */
function parseValue(text, form) {
  if (form.is === "text") return text.slice(0, form.longest);
  if (form.is === "name") {
    const name = form.former[text] ?? text;
    return form.among.includes(name) ? name : form.default;
  }
  if (form.is === "switch") return text === "1" ? true : text === "0" ? false : form.default;
  if (form.is === "number") return numberOf(text, form);
  const words = text.split(form.is === "ids" ? "." : " ").filter(Boolean);
  if (form.is === "ids") return words.every((id) => /^\d{1,9}$/.test(id)) ? words.slice(0, form.most).map(Number) : [];
  if (form.is === "some") return form.among.filter((name) => words.includes(name));
  const matching = words.filter((word) => new RegExp(`^(?:${form.pattern})$`).test(word));
  if (form.n) return matching.length === form.n && words.length === form.n ? matching : [];
  return [...new Set(matching)].slice(0, form.most);
}

/** @param {string} text @param {{low: number, high: number, whole: boolean, default: number}} form */
function numberOf(text, { low, high, whole, default: fallback }) {
  if (!(whole ? /^\s*[+-]?\d+\s*$/ : /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i).test(text)) return fallback;
  return Math.max(low, Math.min(high, Number(text)));
}

/** @param {Form["default"]} value @param {Form} form */
const isDefault = (value, form) => JSON.stringify(value) === JSON.stringify(form.default);

/** @param {Form["default"]} value @param {Form} form */
function textOf(value, form) {
  if (form.is === "switch") return value ? "1" : "0";
  return Array.isArray(value) ? value.join(form.is === "ids" ? "." : " ") : String(value);
}

const FORMER_LETTERS = /** @type {Record<string, string>} */ ({ encoder_self: "e", decoder_self: "d", cross: "x" });

/** @param {URLSearchParams} parameters of an old or a new link
 * @returns {URLSearchParams} */
function modernize(parameters) {
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

/** Read the choices of the address. @param {Page} page */
export function readAddress(page) {
  const { models, link } = page.written;
  const { choices, unsupported } = readLink(location.search, link);
  const hasModel = !choices.model || models.some((/** @type {{name: string}} */ { name }) => name === choices.model);
  page.unsupportedParams = hasModel ? unsupported : [...unsupported, "model"];
  page.requestedModel = choices.model;
  // Changes name tokens and heads of their model.
  page.choices = hasModel ? choices : { ...choices, ...unchanged(), model: "", heads: [], pins: [] };
  if (page.model.main === "decoder_self") page.choices.kind = "decoder_self"; // its only kind
}

/** The shareable address of the choices, on the page with the model (also from the article).
 * @param {Choices} choices
 * @param {import("../types.js").Schema} schema of links */
export const addressOf = (choices, schema) => new URL(`./${writeLink(choices, schema)}`, location.href).href;

/** Write the choices into the address.
 * @param {Page} page
 * @param {boolean} isNew whether as a new history entry */
export function writeAddress(page, isNew) {
  const search = writeLink(page.choices, page.written.link);
  const address = location.pathname + (page.isEmbedded ? `${search || "?"}${search ? "&" : ""}embed` : search);
  if (isNew) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** The selected token of the choices, for the stage.
 * @param {Choices} choices @param {Scene} scene @returns {{step?: number, source?: number | null}} */
export function pinnedToken({ pins, kind }, { main, first }) {
  const [side, place] = [pins[0]?.[0], Number(pins[0]?.slice(1))];
  if (!side || (kind === "decoder_self" && side === "k" && main !== kind)) return {};
  if (side === "k" || kind === "encoder_self") return { source: place };
  return place < first ? {} : { step: place - first, source: null };
}

/** The pin of a token of the stage for the chosen kind of attention.
 * @param {Kind} kind @param {"source" | "target"} side @param {number} place @param {Scene | null} scene
 * @returns {string[]} empty where the kind has no row or column for it */
export function pinOf(kind, side, place, scene) {
  if (side === "target") return kind === "encoder_self" ? [] : [`q${place + (scene?.first ?? 0)}`];
  if (kind === "decoder_self" && scene?.main !== kind) return [];
  return [`${kind === "encoder_self" ? "q" : "k"}${place}`];
}

/** The address of the present view in the application. @param {Page} page */
export function applicationAddress({ choices, stage, head, model, language, written }) {
  const isChosen = choices.heads.length > 0;
  const displayed = {
    ...choices,
    model: model.name,
    language,
    heads: isChosen ? choices.heads : head ? [head] : [],
    pins: choices.pins.length || !stage.scene ? choices.pins : pinOf(choices.kind, "target", stage.step, stage.scene),
  };
  return applicationLink(displayed, written.link, written.application);
}

/** List the link's parameters that the page cannot show. @param {Page} page */
export function drawUnsupported(page) {
  const { t, unsupportedParams, requestedModel: name, written } = page;
  page.unsupported.hidden = !unsupportedParams.length;
  if (!unsupportedParams.length) return page.unsupported.replaceChildren();
  const what = unsupportedParams.map((parameter) => fill(t[`left_${parameter}`], { name })).join(t.comma);
  const openApplication =
    written.application &&
    h("a", { href: `${written.application.replace(/\/?$/, "/")}${location.search}` }, t.open_application);
  return page.unsupported.replaceChildren(h("span", {}, fill(t.left, { what })), " ", openApplication || "");
}

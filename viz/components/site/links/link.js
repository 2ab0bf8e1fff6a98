// The reader's choices in the address: a link restores them, and Back returns to the earlier sentence. Names, values and
// defaults are the application's (viz/state/link_schema.py), which the page is sent: a link of the one opens in the other.

import { readChanges, writeChanges } from "./changes_text.js";
import { LEVELS, unchosen } from "./choices.js";
import { modern } from "./former_link.js";

/** @import { Fields, Form, Schema } from "../types.js" */
/** @import { Choices } from "./choices.js" */

/**
 * @typedef {<K extends keyof Fields>(name: K) => Fields[K]["default"]} Read a choice of a link by its name
 */

/** Choices of the application that the page cannot show, by what it says of them. */
export const ONLY_THERE = {
  beam: ["beam_size", "length_penalty"],
  filter: ["min_p"],
  length: ["max_length"],
  other: ["other_text", "other_model"],
  target: ["target_language"],
  weighting: ["weighting"],
};

/** Choices of an address; what is missing or malformed takes its default.
 * @param {string} search @param {Schema} schema
 * @returns {{choices: Choices, left: string[]}} `left` names what the link holds and the page cannot show */
export function readLink(search, schema) {
  const given = modern(new URLSearchParams(search));
  /** @type {Read} */
  const read = (name) => valueOf(given.get(name), schema.fields[name]);
  const { left, ...changes } = readChanges(given.get("interventions") ?? "", schema);
  const isDrawn = read("method") === "sample";
  const choices = {
    ...unchosen(),
    ...changes,
    text: given.has("text") ? read("text") : "",
    model: read("model"),
    language: read("language"),
    level: LEVELS.find((each) => each === given.get("level")) ?? "",
    kind: read("kind"),
    heads: headsIn(given, read),
    pins: read("pins"),
    said: read("prefix"),
    temperature: isDrawn ? read("temperature") : 0,
    topK: isDrawn ? read("top_k") : 0,
    topP: isDrawn ? read("top_p") : 1,
    seed: read("seed"),
    look: lookOf(given, schema, read),
  };
  if (read("method") === "beam") left.push("beam");
  for (const [what, names] of Object.entries(ONLY_THERE))
    if (names.some((name) => given.has(name)) && !(what === "filter" && !isDrawn) && what !== "beam") left.push(what);
  return { choices, left };
}

/** The chosen head and those beside it; none where the link names none.
 * @param {URLSearchParams} given @param {Read} read */
function headsIn(given, read) {
  if (!given.has("layer") && !given.has("head") && !given.has("heads")) return [];
  const beside = read("heads").map((each) => each.split(".").map(Number));
  return [[read("layer"), read("head")], ...beside];
}

/** How the explorer shows heads, where it is not as usual.
 * @param {URLSearchParams} given @param {Schema} schema @param {Read} read */
function lookOf(given, { look, fields }, read) {
  const found = look.filter((name) => given.has(name) && !isDefault(read(name), fields[name]));
  return Object.fromEntries(found.map((name) => [name, read(name)]));
}

/** The address's search part; defaults are left out. @param {Choices} choices @param {Schema} schema */
export function writeLink(choices, schema) {
  const given = parametersOf(choices, schema);
  if (choices.level) given.set("level", choices.level);
  const search = given.toString();
  return search ? `?${search}` : "";
}

/** @param {Choices} choices @param {Schema} schema */
function parametersOf(choices, schema) {
  const { text, model, language, kind, heads, pins, said, temperature, topK, topP, seed, look } = choices;
  const given = new URLSearchParams();
  const put = (/** @type {keyof Fields} */ name, /** @type {Form["default"] | undefined} */ value) => {
    if (value !== undefined && !isDefault(value, schema.fields[name]))
      given.set(name, textOf(value, schema.fields[name]));
  };
  if (text) given.set("text", text); // the application's default sentence is not the page's
  const changes = writeChanges(choices, schema);
  if (changes) given.set("interventions", changes);
  put("model", model);
  put("language", language);
  put("kind", kind);
  if (heads.length) {
    given.set("layer", String(heads[0][0]));
    given.set("head", String(heads[0][1]));
    put(
      "heads",
      heads.slice(1).map((head) => head.join(".")),
    );
  }
  put("pins", pins);
  put("prefix", said);
  if (temperature > 0) {
    given.set("method", "sample");
    put("temperature", temperature);
    put("top_k", topK);
    put("top_p", topP);
    put("seed", seed);
  }
  for (const name of schema.look) put(name, look[name]);
  return given;
}

/**
 * The same in the application, on the page that is like the open level.
 * @param {Choices} choices with everything that is on the screen, chosen or not
 * @param {Schema} schema
 * @param {string} application where it runs
 */
export function applicationLink(choices, schema, application) {
  const page = schema.levels[choices.level] ?? "";
  const given = parametersOf(choices, schema);
  const [pin] = choices.pins;
  if (page && pin?.startsWith("q")) given.set(schema.steps[page], pin.slice(1));
  return `${application.replace(/\/?$/, "/")}${page}?${given}`;
}

/** A value by its rule, as viz/state/rules.py reads it.
 * @template {Form} F @param {string | null} text @param {F} form @returns {F["default"]} */
const valueOf = (text, form) => (text === null ? form.default : parsed(text, form));

/** @param {string} text @param {Form} form */
function parsed(text, form) {
  if (form.is === "text") return text.slice(0, form.longest);
  if (form.is === "name") {
    const name = form.former[text] ?? text;
    return form.among.includes(name) ? name : form.default;
  }
  if (form.is === "switch") return text === "1" ? true : text === "0" ? false : form.default;
  if (form.is === "number") return numberOf(text, form);
  const words = text.split(form.is === "ids" ? "." : " ").filter(Boolean);
  if (form.is === "ids")
    return words.every((each) => /^\d{1,9}$/.test(each)) ? words.slice(0, form.most).map(Number) : [];
  if (form.is === "some") return form.among.filter((each) => words.includes(each));
  const fitting = words.filter((each) => new RegExp(`^(?:${form.pattern})$`).test(each));
  if (form.n) return fitting.length === form.n && words.length === form.n ? fitting : [];
  return [...new Set(fitting)].slice(0, form.most);
}

/** @param {string} text @param {{low: number, high: number, whole: boolean, default: number}} form */
function numberOf(text, { low, high, whole, default: usual }) {
  if (!(whole ? /^\s*[+-]?\d+\s*$/ : /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i).test(text)) return usual;
  return Math.max(low, Math.min(high, Number(text)));
}

/** @param {Form["default"]} value @param {Form} form */
const isDefault = (value, form) => JSON.stringify(value) === JSON.stringify(form.default);

/** @param {Form["default"]} value @param {Form} form */
function textOf(value, form) {
  if (form.is === "switch") return value ? "1" : "0";
  return Array.isArray(value) ? value.join(form.is === "ids" ? "." : " ") : String(value);
}

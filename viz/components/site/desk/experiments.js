// The controls to change the model for a sentence, and the active changes as chips. The experiments are word order, words
// hidden from the decoder, sampling, and one forced attention row.

import { focusNamed, h } from "../../shared/dom.js";
import { stripCanvas } from "../../shared/pad/pad.js";
import { inkWidth, pictureOfText } from "../../shared/pad/picture.js";
import { fill, formatFixed, spoken, bare } from "../../shared/text.js";
import {
  isChanged,
  blocksWholeKey,
  unchanged,
  keysOf,
  weightsOf,
  wholeKey,
  MAX_TEMPERATURE,
} from "../links/choices.js";

/** @import { Trace } from "../types.js" */
/** @import { Blocked, Choices, Forced } from "../links/choices.js" */
/** @import { Desk } from "./desk.js" */

const MAX_SEED = 9999;
const KS = [1, 2, 3, 4, 5, 8, 10, 20, 50, 100, 0];
const PS = [1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100];

/** Draw the active changes, and the controls if the page shows them.
 * @param {Desk} desk @param {boolean} isShown */
export function drawControls(desk, isShown) {
  const { trace } = desk;
  if (!trace) return;
  desk.chips.replaceChildren(...chipsOf(desk, trace));
  if (isShown) drawExperiments(desk, trace);
  else desk.controls.replaceChildren();
}

/** @param {Desk} desk @param {Trace} trace */
function drawExperiments(desk, trace) {
  const { t, controls, page } = desk;
  const focused = controls.querySelector("[data-name]:focus")?.getAttribute("data-name");
  const wasOpen = (/** @type {string} */ name) =>
    /** @type {HTMLDetailsElement | null} */ (controls.querySelector(name))?.open;
  const isAlone = desk.choices.level === "break"; // the level's only content
  controls.hidden = false;
  controls.replaceChildren(
    h(
      "details",
      // On a phone the first screen is for the sentence and one picture.
      {
        class: "site-changing",
        open: isAlone || (wasOpen(".site-changing") ?? (page.isFolded || desk.root.clientWidth > 700)),
      },
      h("summary", { "data-name": "change" }, t.change),
      experiments(desk, trace, wasOpen(".site-forcing") ?? false),
    ),
  );
  focusNamed(controls, focused);
}

/** A chip for each change, which reverts it, and the Undo buttons. @param {Desk} desk @param {Trace} trace */
function chipsOf(desk, trace) {
  const { t, choices } = desk;
  const chip = (/** @type {string} */ words, /** @type {Partial<Choices>} */ without) =>
    h(
      "button",
      { class: "site-chip", title: t.take_back, onclick: () => desk.change(without) },
      h("bdi", {}, words),
      h("span", { "aria-hidden": "true" }, " ✕"),
    );
  const prefix = choices.prefix.map(
    (/** @type {number} */ _, /** @type {number} */ place) => trace.target.pieces[place],
  );
  const quiet = (/** @type {string} */ words, /** @type {() => void} */ act) =>
    h("button", { class: "site-quiet", onclick: act }, words);
  return [
    ...choices.off.map((off) =>
      chip(fill(off.mode === "uniform" ? t.even_chip : t.off_chip, { head: headName(desk, off) }), {
        off: choices.off.filter((ablation) => ablation !== off),
      }),
    ),
    ...choices.forced.map((row) =>
      chip(fill(t.forced_chip, { head: headName(desk, row), row: row.query + 1 }), {
        forced: choices.forced.filter((forced) => forced !== row),
      }),
    ),
    ...choices.blocked.map((key) =>
      chip(blockedLabel(t, trace, key), { blocked: choices.blocked.filter((blocked) => blocked !== key) }),
    ),
    choices.moved &&
      chip(fill(t[`positions_${choices.moved.mode}_chip`], { amount: choices.moved.amount }), { moved: null }),
    choices.temperature > 0 && chip(fill(t.heat_chip, { t: formatFixed(choices.temperature, 1) }), { temperature: 0 }),
    choices.temperature > 0 && choices.topK > 0 && chip(fill(t.top_k_chip, { k: choices.topK }), { topK: 0 }),
    choices.temperature > 0 &&
      choices.topP < 1 &&
      chip(fill(t.top_p_chip, { p: formatFixed(choices.topP) }), { topP: 1 }),
    prefix.length > 0 && chip(fill(t.said_chip, { words: textOfPieces(prefix) }), { prefix: [] }),
    desk.past.length > 0 && !(desk.page.hasUndo && isChanged(choices)) && quiet(t.undo, () => desk.undo()),
    isChanged(choices) && quiet(t.undo_all, () => desk.change(unchanged())),
  ].filter((button) => button instanceof HTMLElement);
}

/** The label of a blocked key, with the part of the model in which it is blocked.
 * @param {Record<string, string>} t @param {Trace} trace @param {Blocked} blocked */
function blockedLabel(t, trace, blocked) {
  const { kind, key, layer, head, query } = blocked;
  const side = kind === "decoder_self" ? trace.fed : trace.source;
  const word = spoken(side.pieces[key] ?? "", t);
  if (blocksWholeKey(blocked, trace.main)) return fill(t.hidden_chip, { word });
  const place = [layer ?? "*", head ?? "*"].join("·");
  return fill(t.blocked_chip, { kind: t[`kind_${kind}`], place, word, row: query === null ? "*" : query + 1 });
}

/** @param {string[]} pieces */
const textOfPieces = (pieces) => pieces.join("").replaceAll("▁", " ").trim();

const ORDERS = /** @type {const} */ (["", "reverse", "shuffle", "zero"]);

/** @param {Desk} desk @param {Trace} trace
 * @param {boolean} isForcing whether the form for a forced row is unfolded */
export function experiments(desk, trace, isForcing) {
  const { t, choices } = desk;
  const orders = ORDERS.map((mode) =>
    choiceOf(`order ${mode}`, t[`positions_${mode || "kept"}`], (choices.moved?.mode ?? "") === mode, () =>
      desk.change({ moved: mode ? { mode, amount: 0 } : null }),
    ),
  );
  const { main, first } = trace;
  const hides = (/** @type {Blocked} */ blocked, /** @type {number} */ place) =>
    blocksWholeKey(blocked, main) && blocked.key === place;
  const isHidden = (/** @type {number} */ place) => choices.blocked.some((blocked) => hides(blocked, place));
  const toggled = (/** @type {number} */ place) =>
    isHidden(place)
      ? choices.blocked.filter((blocked) => !hides(blocked, place))
      : [...choices.blocked, wholeKey(place, main)];
  const picture = pictureOfText(trace.text);
  const strip = trace.about.config.picture?.strip ?? 0;
  const nSource = picture ? Math.ceil(inkWidth(picture) / strip) : trace.source.pieces.length - 1;
  const places = first ? range(1, first + 1) : range(0, nSource); // without start and end tokens
  const words = places.map((place) =>
    choiceOf(
      `hide ${place}`,
      picture ? stripCanvas(picture, place, strip, fill(t.strip, { text: place })) : bare(trace.source.pieces[place]),
      isHidden(place),
      () => desk.change({ blocked: toggled(place) }),
    ),
  );
  return h(
    "div",
    { class: "site-experiments" },
    main === "cross" && experiment(t.positions, t.positions_about, choicesIn("site-orders", t.positions, orders)),
    experiment(t.hide, t.hide_about, choicesIn("site-hiding", t.hide, words)),
    experiment(
      t.temperature,
      t.temperature_about,
      samplingSliders(t, choices, {
        change: (changes) => desk.change(changes),
        preview: (changes) => desk.page.preview?.(changes),
      }),
    ),
    forcing(desk, trace, isForcing),
  );
}

/** @param {number} from @param {number} to */
const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

/** @param {string} title @param {string} about @param {Element} controls */
const experiment = (title, about, controls) =>
  h("section", { class: "site-experiment" }, h("h3", {}, title), h("p", { class: "site-hint" }, about), controls);

/** @param {string} kind @param {string} label @param {Element[]} choices */
const choicesIn = (kind, label, choices) =>
  h("div", { class: `site-keys ${kind}`, role: "group", "aria-label": label }, choices);

/** @param {string} name @param {string | Node} words @param {boolean} isChosen @param {() => void} choose */
const choiceOf = (name, words, isChosen, choose) =>
  h("button", { class: "site-token", "data-name": name, "aria-pressed": String(isChosen), onclick: choose }, words);

/** The form to force one row of the open head: the query, and the keys that it attends to.
 * @param {Desk} desk @param {Trace} trace @param {boolean} isOpen */
function forcing(desk, trace, isOpen) {
  const { t, choices, open } = desk;
  const isOfHead = (/** @type {Forced} */ row) =>
    row.kind === open.kind && row.layer === open.layer && row.head === open.head;
  const queries = open.kind === "encoder_self" ? trace.source.pieces : trace.predicted.pieces;
  const keys = open.kind === "decoder_self" ? trace.fed.pieces : trace.source.pieces;
  const query = Math.min(desk.row ?? choices.forced.find(isOfHead)?.query ?? 0, queries.length - 1);
  const current = choices.forced.find((row) => isOfHead(row) && row.query === query);
  const attended = current ? keysOf(current) : [];
  const toggle = (/** @type {number} */ key) => {
    const others = choices.forced.filter((row) => row !== current);
    const isOn = attended.includes(key);
    const chosen = isOn ? attended.filter((attendedKey) => attendedKey !== key) : [...attended, key];
    desk.change({ forced: chosen.length ? [...others, { ...open, query, weights: weightsOf(chosen) }] : others });
  };
  const rows = h(
    "select",
    {
      "data-name": "row",
      "aria-label": t.force_row,
      onchange: () => {
        desk.row = Number(rows.value);
        desk.drawControls();
      },
    },
    queries.map((/** @type {string} */ piece, /** @type {number} */ place) =>
      h("option", { value: place, selected: place === query }, `${place + 1} · ${spoken(piece, t)}`),
    ),
  );
  const visible = open.kind === "decoder_self" ? keys.slice(0, query + 1) : keys;
  const keyButtons = visible.map((/** @type {string} */ piece, /** @type {number} */ place) =>
    choiceOf(`key ${place}`, spoken(piece, t), attended.includes(place), () => toggle(place)),
  );
  return h(
    "details",
    { class: "site-experiment site-forcing", open: isOpen },
    h("summary", { "data-name": "force" }, t.force),
    h("p", { class: "site-hint" }, fill(t.force_hint, { head: headName(desk, open) })),
    h("label", {}, t.force_row, rows),
    choicesIn("", t.force_keys, [h("span", { class: "site-hint" }, t.force_keys), ...keyButtons]),
  );
}

/** @param {Desk} desk @param {{kind: string, layer: number, head: number}} place */
export const headName = ({ t }, { kind, layer, head }) => fill(t.head, { kind: t[`kind_${kind}`], layer, head });

/** Choices of top-k; 0 keeps all tokens. */
/** Choices of top-p in hundredths; 100 keeps all tokens. */

/** @param {Record<string, string>} t @param {Choices} choices
 * @param {{change: (changes: Partial<Choices>) => void, preview?: (changes: Partial<Choices>) => void}} on `preview` is
 *   called while a slider moves, `change` when it is released */
export function samplingSliders(t, choices, { change, preview = () => {} }) {
  const { temperature, topK, topP } = choices;
  // Top-k and top-p need a temperature. Evaluated when a slider moves, because another one may have moved before.
  const minTemperature = () => (choices.temperature > 0 ? {} : { temperature: 1 });
  const heat = slider(t.temperature, "heat", MAX_TEMPERATURE, Math.round(10 * temperature), (tenths) => ({
    words: tenths ? formatFixed(tenths / 10, 1) : "0",
    changes: { temperature: tenths / 10 },
  }));
  const best = slider(t.top_k, "top_k", KS.length - 1, nearest(KS, topK || Infinity), (place) => ({
    words: KS[place] ? String(KS[place]) : t.top_all,
    changes: { ...minTemperature(), topK: KS[place] },
  }));
  const mass = slider(t.top_p, "top_p", PS.length - 1, nearest(PS, 100 * topP), (place) => ({
    words: PS[place] < 100 ? formatFixed(PS[place] / 100) : t.top_all,
    changes: { ...minTemperature(), topP: PS[place] / 100 },
  }));
  const drawAgain = () => change({ ...minTemperature(), seed: (choices.seed % MAX_SEED) + 1 });
  return h(
    "div",
    { class: "site-sampling" },
    [heat, best, mass].map((make) => make({ change, preview })),
    h("button", { class: "site-quiet", "data-name": "draw again", onclick: drawAgain }, t.draw_again),
  );
}

/** The index of the first value that is at least `target`; 0 counts as infinity.
 * @param {number[]} values @param {number} target */
function nearest(values, target) {
  const place = values.findIndex((value) => value >= target || value === 0);
  return place < 0 ? values.length - 1 : place;
}

/** @param {string} title @param {string} name @param {number} max @param {number} value
 * @param {(value: number) => {words: string, changes: Partial<Choices>}} read */
function slider(title, name, max, value, read) {
  return (
    /** @type {{change: (changes: Partial<Choices>) => void, preview: (changes: Partial<Choices>) => void}} */ on,
  ) => {
    const output = h("output", {}, read(value).words);
    const current = () => read(Number(input.value));
    const oninput = () => {
      const { words, changes } = current();
      output.textContent = words;
      on.preview(changes);
    };
    const onchange = () => on.change(current().changes);
    const input = h("input", {
      type: "range",
      min: 0,
      max,
      value,
      "data-name": name,
      "aria-label": title,
      oninput,
      onchange,
    });
    return h("label", { class: "site-heat" }, h("span", {}, title), input, output);
  };
}

// Controls for changes to a sentence, the active changes, and their effect on the translation.

import { h, isStill } from "../shared/dom.js";
import { differing } from "../shared/differing.js";
import { bare, fill, fixed } from "../shared/text.js";
import { HOTTEST, isChanged, unchanged } from "./link.js";

const MOST_SEED = 9999;

/**
 * What can be changed, and what is.
 * @param {any} desk
 */
export function drawControls(desk) {
  const { t, choices, trace } = desk;
  const focused = desk.controls.querySelector("[data-name]:focus")?.getAttribute("data-name");
  const isOpen = (/** @type {string} */ name, /** @type {() => boolean} */ otherwise) =>
    desk.controls.querySelector(name)?.open ?? otherwise();
  const hide = h(
    "select",
    {
      "data-name": "hide",
      onchange: (/** @type {any} */ { target }) =>
        desk.change({ hidden: target.value === "" ? null : Number(target.value) }),
    },
    h("option", { value: "" }, t.hide_none),
    trace.source.pieces
      .slice(0, -1)
      .map((/** @type {string} */ piece, /** @type {number} */ place) =>
        h("option", { value: place, selected: choices.hidden === place }, `${place + 1} · ${bare(piece)}`),
      ),
  );
  const positions = h(
    "select",
    { "data-name": "positions", onchange: (/** @type {any} */ { target }) => desk.change({ positions: target.value }) },
    ["", "zero", "shuffle", "reverse"].map((mode) =>
      h("option", { value: mode, selected: choices.positions === mode }, t[`positions_${mode || "kept"}`]),
    ),
  );
  desk.controls.hidden = false;
  desk.controls.replaceChildren(
    h(
      "details",
      // On a phone the first screen is for the sentence and one picture.
      {
        class: "site-changing",
        open: isOpen(".site-changing", () => desk.page.isFolded || desk.root.clientWidth > 700),
      },
      h("summary", { "data-name": "change" }, t.change),
      h(
        "div",
        {},
        h("label", {}, t.hide, hide),
        h("label", {}, t.positions, positions),
        heat(desk),
        forcing(
          desk,
          isOpen(".site-forcing", () => false),
        ),
        h("p", { class: "site-hint" }, t.head_hint),
      ),
    ),
  );
  desk.chips.replaceChildren(...chipsOf(desk));
  if (focused) desk.controls.querySelector(`[data-name="${focused}"]`)?.focus();
}

/**
 * The temperature: from the most probable token at each step to a choice among many.
 * @param {any} desk
 */
function heat(desk) {
  const { t, choices } = desk;
  const shown = h("output", {}, choices.temperature ? fixed(choices.temperature, 1) : t.greedy);
  const again = () => desk.change({ seed: (choices.seed % MOST_SEED) + 1 });
  return h(
    "label",
    { class: "site-heat" },
    t.temperature,
    h("input", {
      type: "range",
      min: 0,
      max: HOTTEST,
      value: Math.round(10 * choices.temperature),
      "data-name": "heat",
      "aria-label": t.temperature,
      onchange: (/** @type {any} */ { target }) => desk.change({ temperature: Number(target.value) / 10 }),
    }),
    shown,
    choices.temperature > 0 &&
      h("button", { type: "button", class: "site-quiet", "data-name": "draw again", onclick: again }, t.draw_again),
  );
}

/**
 * One row of the open head, given by hand: which row, and the tokens that it shall look at.
 * @param {any} desk
 * @param {boolean} isOpen
 */
function forcing(desk, isOpen) {
  const { t, choices, trace, open } = desk;
  const isHere = (/** @type {any} */ row) =>
    row.kind === open.kind && row.layer === open.layer && row.head === open.head;
  const queries = open.kind === "encoder_self" ? trace.source.pieces : trace.target.pieces;
  const keys = open.kind === "decoder_self" ? trace.fed.pieces : trace.source.pieces;
  const query = Math.min(desk.row ?? choices.forced.find(isHere)?.query ?? 0, queries.length - 1);
  const now = choices.forced.find((/** @type {any} */ row) => isHere(row) && row.query === query);
  const toggle = (/** @type {number} */ key) => {
    const others = choices.forced.filter((/** @type {any} */ row) => row !== now);
    const kept = now?.keys.includes(key) ? now.keys.filter((/** @type {number} */ each) => each !== key) : null;
    const chosen = kept ?? [...(now?.keys ?? []), key].sort((a, b) => a - b);
    desk.change({ forced: chosen.length ? [...others, { ...open, query, keys: chosen }] : others });
  };
  const rows = h(
    "select",
    {
      "data-name": "row",
      "aria-label": t.force_row,
      onchange: (/** @type {any} */ { target }) => {
        desk.row = Number(target.value);
        drawControls(desk);
      },
    },
    queries.map((/** @type {string} */ piece, /** @type {number} */ place) =>
      h("option", { value: place, selected: place === query }, `${place + 1} · ${bare(piece)}`),
    ),
  );
  const visible = open.kind === "decoder_self" ? keys.slice(0, query + 1) : keys;
  return h(
    "details",
    { class: "site-forcing", open: isOpen },
    h("summary", { "data-name": "force" }, t.force),
    h("p", { class: "site-hint" }, fill(t.force_hint, { head: headName(desk, open) })),
    h("label", {}, t.force_row, rows),
    h(
      "div",
      { class: "site-keys", role: "group", "aria-label": t.force_keys },
      h("span", { class: "site-hint" }, t.force_keys),
      visible.map((/** @type {string} */ piece, /** @type {number} */ place) =>
        h(
          "button",
          {
            type: "button",
            class: "site-token",
            "data-name": `key ${place}`,
            "aria-pressed": String(Boolean(now?.keys.includes(place))),
            onclick: () => toggle(place),
          },
          bare(piece),
        ),
      ),
    ),
  );
}

/**
 * Every change as a chip that takes it back, and Undo.
 * @param {any} desk
 */
function chipsOf(desk) {
  const { t, choices, trace } = desk;
  const chip = (/** @type {string} */ words, /** @type {any} */ without) =>
    h(
      "button",
      { type: "button", class: "site-chip", title: t.take_back, onclick: () => desk.change(without) },
      h("bdi", {}, words),
      h("span", { "aria-hidden": "true" }, " ✕"),
    );
  const said = choices.said.map((/** @type {number} */ _, /** @type {number} */ place) => trace.target.pieces[place]);
  const quiet = (/** @type {string} */ words, /** @type {() => void} */ act) =>
    h("button", { type: "button", class: "site-quiet", onclick: act }, words);
  return [
    ...choices.off.map((/** @type {any} */ off) =>
      chip(fill(t.off_chip, { head: headName(desk, off) }), {
        off: choices.off.filter((/** @type {any} */ each) => each !== off),
      }),
    ),
    ...choices.forced.map((/** @type {any} */ row) =>
      chip(fill(t.forced_chip, { head: headName(desk, row), row: row.query + 1 }), {
        forced: choices.forced.filter((/** @type {any} */ each) => each !== row),
      }),
    ),
    choices.hidden !== null &&
      chip(fill(t.hidden_chip, { word: bare(trace.source.pieces[choices.hidden] ?? "") }), { hidden: null }),
    choices.positions && chip(t[`positions_${choices.positions}_chip`], { positions: "" }),
    choices.temperature > 0 && chip(fill(t.heat_chip, { t: fixed(choices.temperature, 1) }), { temperature: 0 }),
    said.length > 0 && chip(fill(t.said_chip, { words: textOfPieces(said) }), { said: [] }),
    desk.past.length > 0 && quiet(t.undo, () => desk.undo()),
    isChanged(choices) && quiet(t.undo_all, () => desk.change(unchanged())),
  ].filter(Boolean);
}

/** @param {string[]} pieces */
const textOfPieces = (pieces) => pieces.join("").replaceAll("▁", " ").trim();

/**
 * @param {any} desk
 * @param {{kind: string, layer: number, head: number}} place
 */
const headName = ({ t }, { kind, layer, head }) => fill(t.head, { kind: t[`kind_${kind}`], layer, head });

/**
 * The translation before and after the change, with the words that differ marked.
 * @param {any} desk
 */
export function drawCompared(desk) {
  const { t, plain, trace, choices } = desk;
  desk.compared.hidden = !isChanged(choices);
  if (desk.compared.hidden) return;
  const [before, after] = differing(plain.translation, trace.translation);
  const line = (/** @type {string} */ label, /** @type {{word: string, isChanged: boolean}[]} */ words) =>
    h(
      "p",
      {},
      h("span", { class: "site-label" }, label),
      h(
        "span",
        { lang: trace.about.languages.target ?? "", dir: "auto" },
        words.map(({ word, isChanged: marked }) => [marked ? h("mark", {}, word) : word, " "]).flat(),
      ),
    );
  const isSame = plain.translation === trace.translation;
  desk.compared.replaceChildren(
    line(t.before, before),
    line(t.after, after),
    isSame ? h("p", { class: "site-hint" }, t.unchanged) : "",
  );
}

/**
 * Bring the two translations onto the screen where the change was made further down.
 * @param {any} desk
 */
export function showCompared(desk) {
  if (desk.compared.hidden) return;
  desk.compared.scrollIntoView({ block: "nearest", behavior: isStill() ? "auto" : "smooth" });
}

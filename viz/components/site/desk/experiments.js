// The experiments on a sentence: word order, words hidden from the decoder, sampling, and one forced attention row.

import { h } from "../../shared/dom.js";
import { stripCanvas } from "../../shared/pad/pad.js";
import { inkWidth, pictureOfText } from "../../shared/pad/picture.js";
import { bare, fill, spoken } from "../../shared/text.js";
import { blocksWholeKey, keysOf, weightsOf, wholeKey } from "../links/choices.js";
import { samplingSliders } from "./sampling.js";

/** @import { Trace } from "../types.js" */
/** @import { Blocked, Forced } from "../links/choices.js" */
/** @import { Desk } from "./desk.js" */

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

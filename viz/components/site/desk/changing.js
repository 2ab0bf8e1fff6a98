// The controls to change the model for a sentence, and the active changes as chips.

import { focusNamed, h } from "../../shared/dom.js";
import { fill, fixed, spoken } from "../../shared/text.js";
import { experiments, headName } from "./experiments.js";
import { isChanged, blocksWholeKey, unchanged } from "../links/choices.js";

/** @import { Trace } from "../types.js" */
/** @import { Blocked, Choices } from "../links/choices.js" */
/** @import { Desk } from "./desk.js" */

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
    choices.temperature > 0 && chip(fill(t.heat_chip, { t: fixed(choices.temperature, 1) }), { temperature: 0 }),
    choices.temperature > 0 && choices.topK > 0 && chip(fill(t.top_k_chip, { k: choices.topK }), { topK: 0 }),
    choices.temperature > 0 && choices.topP < 1 && chip(fill(t.top_p_chip, { p: fixed(choices.topP) }), { topP: 1 }),
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

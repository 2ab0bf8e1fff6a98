// The parts of the page below the sentence: what can be changed, before and after, and the steps of decoding.

import { h } from "../shared/dom.js";
import { fill, fixed } from "../shared/text.js";
import { differing } from "./differing.js";
import { isChanged } from "./link.js";

/**
 * Layer and head of the cross-attention whose largest weights are largest.
 * @param {any} trace
 * @param {any} about
 * @returns {[number, number]}
 */
export function clearestHead(trace, about) {
  const { n_decoder_layers: layers, n_decoder_heads: heads } = about.config;
  const [rows, columns] = [trace.target.ids.length, trace.source.ids.length];
  let [best, clearest] = [-1, 0];
  for (let head = 0; head < layers * heads; head++) {
    let sum = 0;
    for (let row = 0; row < rows; row++) {
      const at = (head * rows + row) * columns;
      let most = 0;
      for (let key = 0; key < columns; key++) most = Math.max(most, trace.maps.cross[at + key]);
      sum += most;
    }
    if (sum > best) [best, clearest] = [sum, head];
  }
  return [Math.floor(clearest / heads), clearest % heads];
}

/**
 * What can be changed, and what is.
 * @param {any} site
 */
export function drawControls(site) {
  const { t, choices, trace } = site;
  const hide = h(
    "select",
    {
      onchange: (/** @type {any} */ event) =>
        site.change({ hidden: event.target.value === "" ? null : Number(event.target.value) }),
    },
    h("option", { value: "" }, t.hide_none),
    trace.source.pieces
      .slice(0, -1)
      .map((/** @type {string} */ piece, /** @type {number} */ place) =>
        h(
          "option",
          { value: place, selected: choices.hidden === place },
          `${place + 1} · ${piece.replaceAll("▁", "") || "␣"}`,
        ),
      ),
  );
  const positions = h(
    "select",
    { onchange: (/** @type {any} */ event) => site.change({ positions: event.target.value }) },
    ["", "zero", "shuffle", "reverse"].map((mode) =>
      h("option", { value: mode, selected: choices.positions === mode }, t[`positions_${mode || "kept"}`]),
    ),
  );
  const chips = choices.off.map((off) =>
    h(
      "button",
      {
        type: "button",
        class: "site-chip",
        title: t.switch_on,
        onclick: () => site.change({ off: choices.off.filter((each) => each !== off) }),
      },
      fill(t.off_chip, { kind: t[`kind_${off.kind}`], layer: off.layer, head: off.head }),
      h("span", { "aria-hidden": "true" }, " ✕"),
    ),
  );
  const undo =
    isChanged(choices) &&
    h(
      "button",
      { type: "button", class: "site-quiet", onclick: () => site.change({ off: [], hidden: null, positions: "" }) },
      t.undo,
    );
  site.controls.hidden = false;
  site.controls.replaceChildren(
    h("label", {}, t.hide, hide),
    h("label", {}, t.positions, positions),
    h("p", { class: "site-hint" }, t.head_hint),
    ...chips,
    ...[undo].filter(Boolean),
  );
}

/**
 * The translation before and after the change, with the words that differ marked.
 * @param {any} site
 */
export function drawCompared(site) {
  const { t, plain, trace, choices } = site;
  site.compared.hidden = !isChanged(choices) || !plain;
  if (site.compared.hidden) return;
  const [before, after] = differing(plain.translation, trace.translation);
  const line = (/** @type {string} */ label, /** @type {{word: string, isChanged: boolean}[]} */ words) =>
    h(
      "p",
      {},
      h("span", { class: "site-label" }, label),
      words.map(({ word, isChanged: marked }) => [marked ? h("mark", {}, word) : word, " "]).flat(),
    );
  const isSame = plain.translation === trace.translation;
  site.compared.replaceChildren(
    line(t.before, before),
    line(t.after, after),
    isSame ? h("p", { class: "site-hint" }, t.unchanged) : "",
  );
}

/**
 * One step of decoding: what is written, and the most probable tokens that may follow.
 * @param {any} site
 */
export function drawSteps(site) {
  const { t, trace } = site;
  const last = trace.target.pieces.length - 1;
  const place = Math.min(site.step ?? 0, last);
  const written = trace.target.pieces.slice(0, place).join("").replaceAll("▁", " ").trim() || t.nothing_yet;
  const bars = h("ol", { class: "site-bars" });
  const slider = h("input", {
    type: "range",
    min: 0,
    max: last,
    value: place,
    "aria-label": t.step,
    oninput: (/** @type {any} */ event) => {
      site.step = Number(event.target.value);
      drawSteps(site);
      /** @type {HTMLInputElement} */ (site.steps.querySelector("input")).focus();
    },
  });
  for (const { piece, logProb, id } of trace.candidates[place].slice(0, 6)) {
    const share = Math.exp(logProb);
    bars.append(
      h(
        "li",
        { class: id === trace.target.ids[place] ? "site-said" : "" },
        h("span", { class: "site-piece" }, piece.replaceAll("▁", " ").trim() || "␣"),
        h("span", { class: "site-bar", style: { width: `${Math.max(0.5, share * 60)}%` } }),
        h("span", { class: "site-share" }, `${fixed(share * 100, 1)} %`),
      ),
    );
  }
  site.steps.hidden = false;
  site.steps.replaceChildren(
    h("h2", {}, t.steps),
    h("p", { class: "site-hint" }, t.steps_hint),
    h("p", { class: "site-written" }, fill(t.step_of, { step: place + 1, steps: last + 1 }), " ", h("b", {}, written)),
    slider,
    bars,
  );
}

/**
 * Sentences to try, by phenomenon.
 * @param {any} site
 */
export function galleryOf(site) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const { group, text } of site.setup.sentences) groups.set(group, [...(groups.get(group) ?? []), text]);
  const parts = [...groups].map(([group, texts]) =>
    h(
      "div",
      { class: "site-group" },
      h("h2", {}, site.groups[group] ?? group),
      texts.map((text) => h("button", { type: "button", class: "site-example", onclick: () => site.open(text) }, text)),
    ),
  );
  return h("details", { class: "site-gallery" }, h("summary", {}, site.t.examples), h("div", {}, parts));
}

// The desk's first view, and its view when no model can run.

import { h } from "../shared/dom.js";
import { fill } from "../shared/text.js";

const LONG = 60; // tokens: hardly any training sentence of the shipped models is longer

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
 * Sentences to try, by phenomenon.
 * @param {any} desk
 */
export function galleryOf(desk) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const { group, text } of desk.setup.sentences) groups.set(group, [...(groups.get(group) ?? []), text]);
  const parts = [...groups].map(([group, texts]) =>
    h(
      "div",
      { class: "site-group" },
      h("h2", {}, desk.setup.groups[group] ?? group),
      texts.map((text) =>
        h("button", { type: "button", class: "site-example", onclick: () => desk.begin(text) }, text),
      ),
    ),
  );
  return h(
    "details",
    { class: "site-gallery", hidden: !parts.length },
    h("summary", {}, desk.t.examples),
    h("div", {}, parts),
  );
}

/**
 * The gallery's sentences with the pictures that were made when the site was written.
 * @param {any} desk
 */
export function drawFailed(desk) {
  const made = desk.setup.sentences.filter((/** @type {any} */ { picture }) => picture);
  desk.pictures.hidden = made.length === 0;
  desk.pictures.replaceChildren(
    h("h2", {}, desk.t.pictures),
    h("p", { class: "site-hint" }, desk.t.pictures_hint),
    ...made.map((/** @type {any} */ { text, translation, picture }) =>
      h(
        "figure",
        {},
        h("figcaption", {}, h("b", {}, text), " ", translation),
        h("img", { src: picture, alt: `${text} ${translation}`, loading: "lazy" }),
      ),
    ),
  );
}

/**
 * What to know of a translation before one trusts it; empty where there is nothing.
 * @param {any} trace
 * @param {Record<string, string>} t
 */
export function notesOn(trace, t) {
  const notes = [];
  if (trace.unknown.length) notes.push(fill(t.unknown, { characters: trace.unknown.slice(0, 12).join(" ") }));
  if (trace.isCut) notes.push(t.cut);
  if (trace.source.ids.length > LONG) notes.push(t.long);
  return notes.join(" ");
}

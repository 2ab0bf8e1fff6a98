// The address and the page: what a link restores, what of it the page cannot show, and what is written back.

import { h } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { unchanged } from "./choices.js";
import { applicationLink, readLink, writeLink } from "./link.js";

/** @import { Kind } from "../../engine/edits.js" */
/** @import { Page } from "../page.js" */
/** @import { Scene } from "../stage/scene.js" */
/** @import { Choices } from "./choices.js" */

/** Take the choices of the address. @param {Page} page */
export function readAddress(page) {
  const { models, link } = page.written;
  const { choices, left } = readLink(location.search, link);
  const isThere = !choices.model || models.some((/** @type {{name: string}} */ { name }) => name === choices.model);
  page.unsupportedParams = isThere ? left : [...left, "model"];
  page.wished = choices.model;
  // What a change names are tokens and heads of its own model.
  page.choices = isThere ? choices : { ...choices, ...unchanged(), model: "", heads: [], pins: [] };
  if (page.model.main === "decoder_self") page.choices.kind = "decoder_self"; // it has no other
}

/** The whole address of what is chosen, for others to open; that of the page with the model, also from the article.
 * @param {Choices} choices
 * @param {import("../types.js").Schema} schema of links */
export const addressOf = (choices, schema) => new URL(`./${writeLink(choices, schema)}`, location.href).href;

/** Write the choices into the address.
 * @param {Page} page
 * @param {boolean} isNew whether Back shall return to what was there before */
export function writeAddress(page, isNew) {
  const search = writeLink(page.choices, page.written.link);
  const address = location.pathname + (page.isEmbedded ? `${search || "?"}${search ? "&" : ""}embed` : search);
  if (isNew) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** The token that the choices name, for the stage.
 * @param {Choices} choices @param {Scene} scene @returns {{step?: number, source?: number | null}} */
export function pinned({ pins, kind }, { main, first }) {
  const [side, place] = [pins[0]?.[0], Number(pins[0]?.slice(1))];
  if (!side || (kind === "decoder_self" && side === "k" && main !== kind)) return {};
  if (side === "k" || kind === "encoder_self") return { source: place };
  return place < first ? {} : { step: place - first, source: null };
}

/** A token of the stage as a pin of the kind of attention that is chosen.
 * @param {Kind} kind @param {"source" | "target"} side @param {number} place @param {Scene | null} scene
 * @returns {string[]} empty where the kind has no row or column for it */
export function pinOf(kind, side, place, scene) {
  if (side === "target") return kind === "encoder_self" ? [] : [`q${place + (scene?.first ?? 0)}`];
  if (kind === "decoder_self" && scene?.main !== kind) return [];
  return [`${kind === "encoder_self" ? "q" : "k"}${place}`];
}

/** Where the application shows what is on the screen. @param {Page} page */
export function linkThere({ choices, stage, head, model, language, written }) {
  const isChosen = choices.heads.length > 0;
  const shown = {
    ...choices,
    model: model.name,
    language,
    heads: isChosen ? choices.heads : head ? [head] : [],
    pins: choices.pins.length || !stage.scene ? choices.pins : pinOf(choices.kind, "target", stage.step, stage.scene),
  };
  return applicationLink(shown, written.link, written.application);
}

/** Say what the link holds and the page cannot show. @param {Page} page */
export function drawLeft(page) {
  const { t, unsupportedParams: left, wished, written } = page;
  page.unread.hidden = !left.length;
  if (!left.length) return page.unread.replaceChildren();
  const what = left.map((/** @type {string} */ each) => fill(t[`left_${each}`], { name: wished })).join(t.comma);
  const there =
    written.application &&
    h("a", { href: `${written.application.replace(/\/?$/, "/")}${location.search}` }, t.open_application);
  return page.unread.replaceChildren(h("span", {}, fill(t.left, { what })), " ", there || "");
}

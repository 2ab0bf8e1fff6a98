// Reads the page's choices from the address, writes them back, and lists parameters that the page cannot show.

import { h } from "../../shared/dom.js";
import { fill } from "../../shared/text.js";
import { unchanged } from "./choices.js";
import { applicationLink, readLink, writeLink } from "./link.js";

/** @import { Kind } from "../../engine/edits.js" */
/** @import { Page } from "../page.js" */
/** @import { Scene } from "../stage/scene.js" */
/** @import { Choices } from "./choices.js" */

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
export function pinned({ pins, kind }, { main, first }) {
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

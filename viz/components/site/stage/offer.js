// The head that the page offers to switch off for a sentence, and the present change for the share dialog.

import { longestCommon, surprise } from "../../shared/diff.js";
import { isSpecial } from "../../shared/text.js";
import { isChanged } from "../links/choices.js";
import { addressOf } from "../links/restoring.js";
import { wordAt, wordsByWeight } from "./scene.js";

/** @import { Page } from "../page.js" */
/** @import { Written } from "../types.js" */
/** @import { WordChange } from "../../shared/stage/next_actions.js" */
/** @typedef {{change: WordChange, ids: number[]}} Offer a head with the words that it changes, and the ids without it */

/**
 * The offer to switch a head off.
 * @param {{translation: string}} plain the translation with all heads
 * @param {[number, number]} place of the head
 * @param {{translation: string, target: {ids: number[]}}} ablated the translation without the head
 * @returns {Offer | null} null where no words are replaced
 */
export function offerOf(plain, [layer, head], ablated) {
  const change = surprise(plain.translation, [[layer, head, ablated.translation]]);
  return change && { change, ids: ablated.target.ids };
}

/** The offer for the page's sentence: measured in the page, or stored with the sentence.
 * @param {Pick<Page, "example" | "measuredOffer" | "choices" | "model">} page @returns {Offer | null} */
export function offerFor({ example, measuredOffer, choices, model }) {
  if (measuredOffer?.text === choices.text && measuredOffer.model === model.name) return measuredOffer.offer;
  return example?.off ? offerOf(example, example.head, example.off) : null;
}

/** The source word that the offered head attends to where the words change: "picks you → te".
 * @param {Pick<Page, "stage" | "example" | "measuredOffer" | "choices" | "model">} page */
export function roleOfHead(page) {
  const offer = offerFor(page);
  const { stage, choices } = page;
  const plain = isChanged(choices) ? stage.before : stage.scene;
  if (!offer || !plain || plain.picture) return null;
  const unchanged = new Set(longestCommon(plain.target.ids, offer.ids).map(([place]) => place));
  const place = plain.target.pieces.findIndex((piece, at) => !unchanged.has(at) && !isSpecial(piece));
  if (place < 0) return null;
  const { layer, head } = offer.change;
  const n = plain.source.ids.length;
  const row = plain.weightsOf(layer, head).subarray(place * n, (place + 1) * n);
  const [{ text: seen }] = wordsByWeight(plain.source, row);
  return seen ? { head: [layer, head], seen, word: wordAt(plain.target, place) } : null;
}

/** The present change for the share dialog; null without one.
 * @param {Pick<Page, "stage" | "t" | "choices"> & {written: Pick<Written, "link">}} page
 * @returns {import("../../shared/share/share.js").Change | null} */
export function changeOf({ stage, t, choices, written }) {
  const { scene, before, head, isOff } = stage;
  if (!scene || !before) return null;
  const link = addressOf({ ...choices, language: "", level: "", pins: [] }, written.link);
  return { before, after: scene, head, isOff, title: stage.view.same.textContent ?? "", foot: t.share_foot, link };
}

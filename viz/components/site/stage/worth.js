// The change that is worth trying for a sentence, in words, and the change on screen as it is shared.

import { longestCommon } from "../../shared/diff.js";
import { surprise } from "../../shared/surprise.js";
import { isSpecial } from "../../shared/text.js";
import { isChanged } from "../links/choices.js";
import { addressOf } from "../links/restoring.js";
import { wordAt, wordsSeen } from "./scene.js";

/** @import { Page } from "../page.js" */
/** @import { Written } from "../types.js" */
/** @import { WordChange } from "../../shared/stage/next_actions.js" */
/** @typedef {{told: WordChange, ids: number[]}} Worth a head, and the translation without it */

/**
 * What a translation without a head tells most shortly.
 * @param {{translation: string}} plain the translation with all heads
 * @param {[number, number]} place of the head
 * @param {{translation: string, target: {ids: number[]}}} without the translation without it
 * @returns {Worth | null} null where no words take the place of others
 */
export function worthOf(plain, [layer, head], without) {
  const told = surprise(plain.translation, [[layer, head, without.translation]]);
  return told && { told, ids: without.target.ids };
}

/** The change that is worth trying for the sentence of a page: found there, or stored with the sentence.
 * @param {Pick<Page, "example" | "found" | "choices" | "model">} page @returns {Worth | null} */
export function worthTrying({ example, found, choices, model }) {
  if (found?.text === choices.text && found.model === model.name) return found.worth;
  return example?.off ? worthOf(example, example.head, example.off) : null;
}

/** What the head of that change looks at where the words change: "picks you → te".
 * @param {Pick<Page, "stage" | "example" | "found" | "choices" | "model">} page */
export function pickedFor(page) {
  const worth = worthTrying(page);
  const { stage, choices } = page;
  const plain = isChanged(choices) ? stage.before : stage.scene;
  if (!worth || !plain || plain.picture) return null;
  const kept = new Set(longestCommon(plain.target.ids, worth.ids).map(([place]) => place));
  const place = plain.target.pieces.findIndex((piece, at) => !kept.has(at) && !isSpecial(piece));
  if (place < 0) return null;
  const { layer, head } = worth.told;
  const n = plain.source.ids.length;
  const row = plain.weightsOf(layer, head).subarray(place * n, (place + 1) * n);
  const [{ text: seen }] = wordsSeen(plain.source, row);
  return seen ? { head: [layer, head], seen, said: wordAt(plain.target, place) } : null;
}

/** The change on screen, as it is shared; null without one.
 * @param {Pick<Page, "stage" | "t" | "choices"> & {written: Pick<Written, "link">}} page
 * @returns {import("../../shared/share/share.js").Change | null} */
export function changeOf({ stage, t, choices, written }) {
  const { scene, before, head, isOff } = stage;
  if (!scene || !before) return null;
  const link = addressOf({ ...choices, language: "", level: "", pins: [] }, written.link);
  return { before, after: scene, head, isOff, title: stage.view.same.textContent ?? "", foot: t.share_foot, link };
}

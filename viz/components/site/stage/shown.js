// Selects the stage's scene, stored or computed, and its head; the head that the page offers to switch off; and the present
// change for the share dialog.

import { longestCommon, surprise } from "../../shared/diff.js";
import { isSpecial } from "../../shared/text.js";
import { headAt, isChanged, nameOf } from "../links/choices.js";
import { addressOf } from "../links/link.js";
import { clearestOf, sceneOfStored, sceneOfTrace, weightsAt, wordAt, wordsByWeight } from "./scene.js";

/** @import { Page } from "../page.js" */
/** @import { Scene } from "./scene.js" */
/** @import { StoredScene, Trace, Written } from "../types.js" */
/** @import { Choices } from "../links/choices.js" */
/** @import { WordChange } from "../../shared/stage/next_actions.js" */

/** Scenes by their source, so that the same translation is the same object. @type {WeakMap<StoredScene | Trace, Scene>} */
const scenes = new WeakMap();

/** @template {StoredScene | Trace} Source @param {(source: Source) => Scene} build @param {Source} source */
function cachedScene(build, source) {
  const scene = scenes.get(source) ?? build(source);
  scenes.set(source, scene);
  return scene;
}

/** The computed translation, and the one without the changes; null before the first.
 * @param {import("../desk/desk.js").Desk} desk */
export function computedScene({ trace, plain, choices }) {
  if (!trace || !plain) return null;
  return {
    scene: cachedScene(sceneOfTrace, trace),
    before: isChanged(choices) ? cachedScene(sceneOfTrace, plain) : null,
  };
}

/** Whether a head is switched off.
 * @param {Choices} choices @param {[number, number]} place
 * @param {string} main its kind of attention */
export const isHeadOff = ({ off }, place, main) =>
  off.some(
    ({ kind, layer, head, mode }) => kind === main && mode !== "uniform" && nameOf([layer, head]) === nameOf(place),
  );

/**
 * Layer and head if switching this head off is the only change; else null.
 * @param {Choices} choices
 * @param {string} main its kind of attention
 * @returns {[number, number] | null}
 */
export function onlyOff(choices, main) {
  const [first, ...more] = choices.off;
  const isOther = !first || more.length > 0 || first.kind !== main || first.mode === "uniform";
  return isOther || isChanged({ ...choices, off: [] }) ? null : [first.layer, first.head];
}

/** The stored translation, unchanged or with its head off; null for other changes.
 * @param {Pick<Page, "example" | "choices">} page */
export function storedScene({ example, choices }) {
  if (!example) return null;
  if (!isChanged(choices)) return { scene: cachedScene(sceneOfStored, example), before: null };
  if (!example.head) return null;
  const isOff = JSON.stringify(choices.off) === JSON.stringify([headAt(example.head, example.main)]);
  if (!isOff || isChanged({ ...choices, off: [] })) return null;
  return { scene: cachedScene(sceneOfStored, example.off), before: cachedScene(sceneOfStored, example) };
}

/**
 * The head whose ribbons are shown: the chosen one, the one that matters for an example, the model's alignment head, or
 * the one with the most concentrated attention.
 * @param {Pick<Page, "choices" | "model" | "head" | "headText" | "written" | "example">} page
 * @param {Scene} scene
 * @returns {[number, number]}
 */
export function headFor(page, scene) {
  const { kind, heads } = page.choices;
  const exists = (/** @type {number[]} */ [layer, head]) => layer < scene.layers && head < scene.heads;
  if (kind === page.model.main && heads.length && exists(heads[0])) return /** @type {[number, number]} */ (heads[0]);
  if (page.head && page.headText === page.choices.text) return page.head;
  page.headText = page.choices.text;
  const { openings } = page.written;
  return page.example?.head ?? openings[page.model.name]?.head ?? clearestOf(scene);
}

/** Show an example's stored translation while the model is loading.
 * @param {Pick<Page, "desk" | "choices" | "model" | "example" | "isLive" | "stored" | "show">} page */
export async function fetchStored(page) {
  const example = page.desk?.sentences.find(({ text }) => text === page.choices.text);
  const address = example?.stored?.[page.model.name];
  if (!example || !address || page.example || page.isLive) return;
  const answer = await fetch(new URL(address, document.baseURI)).catch(() => null);
  if (!answer?.ok) return;
  page.stored.set(`${page.model.name} ${example.text}`, await answer.json());
  if (!page.isLive) page.show();
}

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
  const [{ text: seen }] = wordsByWeight(plain.source, weightsAt(plain, [layer, head], place));
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

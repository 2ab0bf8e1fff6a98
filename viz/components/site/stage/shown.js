// What the stage shows: a translation that was stored or computed, and one head of it.

import { headAt, isChanged, nameOf } from "../links/choices.js";
import { clearestOf, sceneOfStored, sceneOfTrace } from "./scene.js";

/** @import { Page } from "../page.js" */
/** @import { Scene } from "./scene.js" */
/** @import { StoredScene, Trace } from "../types.js" */
/** @import { Choices } from "../links/choices.js" */

/** Scenes by what they were made of: the same translation is the same scene. @type {WeakMap<StoredScene | Trace, Scene>} */
const made = new WeakMap();

/** @template {StoredScene | Trace} From @param {(from: From) => Scene} make @param {From} from */
function once(make, from) {
  const scene = made.get(from) ?? make(from);
  made.set(from, scene);
  return scene;
}

/** The translation that was computed here, and the one without the changes; null before the first.
 * @param {import("../desk/desk.js").Desk} desk */
export function computed({ trace, plain, choices }) {
  if (!trace || !plain) return null;
  return { scene: once(sceneOfTrace, trace), before: isChanged(choices) ? once(sceneOfTrace, plain) : null };
}

/** Whether a head is switched off.
 * @param {Choices} choices @param {[number, number]} place
 * @param {string} main its kind of attention */
export const isHeadOff = ({ off }, place, main) =>
  off.some(
    ({ kind, layer, head, mode }) => kind === main && mode !== "uniform" && nameOf([layer, head]) === nameOf(place),
  );

/**
 * The layer and the head whose switching off is the only change; null for other changes.
 * @param {Choices} choices
 * @param {string} main its kind of attention
 * @returns {[number, number] | null}
 */
export function onlyOff(choices, main) {
  const [first, ...more] = choices.off;
  const isOther = !first || more.length > 0 || first.kind !== main || first.mode === "uniform";
  return isOther || isChanged({ ...choices, off: [] }) ? null : [first.layer, first.head];
}

/** The stored translation, plain or with its head off; null for anything else.
 * @param {Pick<Page, "example" | "choices">} page */
export function kept({ example, choices }) {
  if (!example) return null;
  if (!isChanged(choices)) return { scene: once(sceneOfStored, example), before: null };
  if (!example.head) return null;
  const isOff = JSON.stringify(choices.off) === JSON.stringify([headAt(example.head, example.main)]);
  if (!isOff || isChanged({ ...choices, off: [] })) return null;
  return { scene: once(sceneOfStored, example.off), before: once(sceneOfStored, example) };
}

/**
 * The head whose ribbons are shown: the chosen one, the one that matters for an example, the one that was chosen for the
 * model because it looks at each word's own source word, or the one with the largest weights.
 * @param {Pick<Page, "choices" | "model" | "head" | "headText" | "written" | "example">} page
 * @param {Scene} scene
 * @returns {[number, number]}
 */
export function headFor(page, scene) {
  const { kind, heads } = page.choices;
  const isThere = (/** @type {number[]} */ [layer, head]) => layer < scene.layers && head < scene.heads;
  if (kind === page.model.main && heads.length && isThere(heads[0])) return /** @type {[number, number]} */ (heads[0]);
  if (page.head && page.headText === page.choices.text) return page.head;
  page.headText = page.choices.text;
  const { openings } = page.written;
  return page.example?.head ?? openings[page.model.name]?.head ?? clearestOf(scene);
}

/** An example that the model has not come for is shown as it is stored.
 * @param {Pick<Page, "desk" | "choices" | "model" | "example" | "isLive" | "stored" | "show">} page */
export async function fetchStored(page) {
  const found = page.desk?.sentences.find(({ text }) => text === page.choices.text);
  const address = found?.stored?.[page.model.name];
  if (!found || !address || page.example || page.isLive) return;
  const answer = await fetch(new URL(address, document.baseURI)).catch(() => null);
  if (!answer?.ok) return;
  page.stored.set(`${page.model.name} ${found.text}`, await answer.json());
  if (!page.isLive) page.show();
}

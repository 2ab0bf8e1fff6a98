// The page's engine with the shipped model, and what the Python model computes: engine_golden.py wrote
// engine_golden.json.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { openModel } from "../../viz/components/engine/open.js";
import { translate } from "../../viz/components/engine/translate.js";

const read = (path) => new Uint8Array(readFileSync(new URL(path, import.meta.url)));
const vocabulary = read("../../pretrained/en-fr/tokenizer.model");
export const golden = JSON.parse(new TextDecoder().decode(read("engine_golden.json")));
export const weights = read("../../pretrained/en-fr/model.safetensors").buffer;
export const { model, tokenizer, isVectored } = openModel(golden.config, weights, vocabulary);
export const { eos_id: eos } = golden.config;
export const TOLERANCE = 1e-4;

export const idsOf = (text) => [...tokenizer.encode(text), eos];

/** By day every tenth of the 500 translations, which take 90 seconds; `make test-all` compares all. */
const EACH = process.env.WHOLE ? 1 : 10;

/** Compare one half of the translations: two files take half of the time where there are two processors.
 * @param {0 | 1} half */
export function compareTranslations(half) {
  const texts = golden.sentences.filter((_, place) => place % golden.step === 0);
  assert.equal(texts.length, 500);
  const isMine = (_, place) => place % (2 * EACH) === half;
  const theirs = golden.translations.filter(isMine);
  assert.equal(theirs.length, 250 / EACH);
  const other = texts.filter(isMine).filter((text, place) => isOther(text, theirs[place]));
  assert.ok(other.length <= Math.max(1, 0.005 * theirs.length), other.join("\n"));
}

/** Whether a sentence is translated otherwise, which is right only where two tokens were as probable. */
function isOther(text, wanted) {
  const { target, candidates } = translate(model, idsOf(text));
  if (String(target) === String(wanted)) return false;
  const step = target.findIndex((id, at) => id !== wanted[at]);
  const theirs = candidates[step].find(({ id }) => id === wanted[step]);
  assert.ok(theirs && candidates[step][0].logProb - theirs.logProb < TOLERANCE, `${text}: ${tokenizer.decode(target)}`);
  return true;
}

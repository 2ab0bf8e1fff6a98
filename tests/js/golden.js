// The page's engine with the shipped model, and what the Python model computes: engine_golden.py wrote
// engine_golden.json.

import assert from "node:assert/strict";
import { read, readJson } from "./files.js";
import { openModel } from "../../viz/components/engine/open.js";
import { translate } from "../../viz/components/engine/translate.js";

const vocabulary = read("../../pretrained/en-fr/tokenizer.model");
export const golden = readJson("engine_golden.json");
export const weights = read("../../pretrained/en-fr/model.safetensors").buffer;
export const { model, tokenizer, isVectored } = openModel(golden.config, weights, vocabulary);
export const { eos_id: eos } = golden.config;
export const TOLERANCE = 1e-4;

export const idsOf = (text) => [...tokenizer.encode(text), eos];

/** By day every tenth of the 500 translations, which take 90 seconds; `make test-all` compares all. */
const STRIDE = process.env.WHOLE ? 1 : 10;

/** Compare one half of the translations: two files take half of the time where there are two processors.
 * @param {0 | 1} half */
export function compareTranslations(half) {
  const texts = golden.sentences.filter((_, place) => place % golden.step === 0);
  assert.equal(texts.length, 500);
  const isOfHalf = (_, place) => place % (2 * STRIDE) === half;
  const expected = golden.translations.filter(isOfHalf);
  assert.equal(expected.length, 250 / STRIDE);
  const ties = texts.filter(isOfHalf).filter((text, place) => isTie(text, expected[place]));
  assert.ok(ties.length <= Math.max(1, 0.005 * expected.length), ties.join("\n"));
}

/** Whether the translation of a sentence differs from Python's; fails unless the first two different tokens are equally
 * probable. */
function isTie(text, expected) {
  const { target, candidates } = translate(model, idsOf(text));
  if (String(target) === String(expected)) return false;
  const step = target.findIndex((id, at) => id !== expected[at]);
  const second = candidates[step].find(({ id }) => id === expected[step]);
  assert.ok(second && candidates[step][0].logProb - second.logProb < TOLERANCE, `${text}: ${tokenizer.decode(target)}`);
  return true;
}

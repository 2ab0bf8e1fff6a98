// The values in the article's pictures equal Python's: steps_golden.py wrote steps_golden.json.

import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddingOf, feedForwardOf, logitsAt, neighboursOf } from "../../viz/components/engine/inspect.js";
import { filteredProbabilities } from "../../viz/components/engine/sampling.js";
import { translate } from "../../viz/components/engine/translate.js";
import { readJson } from "./files.js";
import { golden as whole, idsOf, model } from "./golden.js";

const golden = readJson("steps_golden.json");
const SHORT = "My friend does not have a car.";
const SEEDS = [1, 7];
const NO_PAD = -1;
const MIN_PROBABILITY = 1e-6; // as in steps_golden.py

golden.settings.forEach((how, place) => {
  test(`the filtered distribution is Python's: ${JSON.stringify(how)}`, () => {
    const expected = golden.filtered[place];
    const { ids, probabilities } = filteredProbabilities(Float32Array.from(golden.logits), how, NO_PAD);
    assert.deepEqual([...ids], expected.ids);
    probabilities.forEach((p, rank) => assert.ok(Math.abs(p - expected.probabilities[rank]) < 1e-5, `${rank}: ${p}`));
    assert.equal(probabilities.filter((p) => p > MIN_PROBABILITY).length, expected.count);
  });

  test(`the same seed samples the same tokens as Python: ${JSON.stringify(how)}`, () => {
    for (const [at, seed] of SEEDS.entries())
      assert.deepEqual(translate(model, idsOf(SHORT), { ...how, seed }).target, golden.drawn[place][at]);
  });
});

test("each option's limit is greedy decoding, and the pad token has no bar", () => {
  const logits = Float32Array.from([0, 3, 9, 1]);
  for (const how of [{ temperature: 0 }, { topK: 1 }, { topP: 1e-9 }, { temperature: 0, topK: 3, topP: 0.9 }]) {
    const { ids, probabilities } = filteredProbabilities(logits, how, 2);
    assert.deepEqual([...ids], [1, 3, 0]);
    assert.equal(
      probabilities.findLastIndex((p) => p > 0),
      0,
    );
  }
});

test("nearest neighbours equal Python's, and the first layer's input is embedding plus position", () => {
  for (const { id, ids, cosines } of golden.neighbours) {
    const neighbours = neighboursOf(model, id, () => true, ids.length);
    assert.deepEqual(
      neighbours.map((neighbour) => neighbour.id),
      ids,
    );
    neighbours.forEach(({ cosine }, rank) => assert.ok(Math.abs(cosine - cosines[rank]) < 1e-4));
  }
  const source = idsOf(SHORT);
  const { row, scale, position, sum } = embeddingOf(model, source[2], 2);
  let read = new Float32Array(0);
  model.encode(source, {}, (name, values) => {
    if (name === "encoder.0.residual.before") read = values.slice(2 * row.length, 3 * row.length);
  });
  assert.deepEqual([...sum], [...read]);
  sum.forEach((value, i) => assert.ok(Math.abs(value - (row[i] * scale + position[i])) < 1e-5));
});

test("a feed-forward network's output is its units times the weights, and its layer adds it", () => {
  const source = idsOf(SHORT);
  const { before, hidden, added } = feedForwardOf(model, { source, edits: {}, layer: 3, place: 1 });
  const { weight, bias } = model.encoder[3].fc2;
  let after = new Float32Array(0);
  model.encode(source, {}, (name, values) => {
    if (name === "encoder.3.residual.after") after = values.slice(before.length, 2 * before.length);
  });
  added.forEach((value, i) => {
    const product = hidden.reduce((sum, unit, j) => sum + unit * weight[i * hidden.length + j], bias[i]);
    assert.ok(Math.abs(product - value) < 1e-3);
    assert.ok(Math.abs(before[i] + value - after[i]) < 1e-4);
  });
});

test("the logits of a step are those of the translation", () => {
  const source = idsOf(SHORT);
  const { target, candidates } = translate(model, source);
  target.forEach((_, step) => {
    const { ids, probabilities } = filteredProbabilities(
      logitsAt(model, { source, target, edits: {}, step }),
      {},
      whole.config.target_pad_id,
    );
    assert.equal(ids[0], candidates[step][0].id);
    assert.ok(Math.abs(Math.log(probabilities[0]) - candidates[step][0].logProb) < 1e-3);
  });
});

// The page's engine computes what the Python model computes; translations_first.test.js and _second compare whole
// translations.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { loopedText, poorness } from "../../viz/components/engine/confidence.js";
import { digestOf, sha256 } from "../../viz/components/engine/digest.js";
import { Kernel } from "../../viz/components/engine/kernel.js";
import { linear } from "../../viz/components/engine/maths.js";
import { Tokenizer } from "../../viz/components/engine/tokenizer.js";
import { Transformer } from "../../viz/components/engine/transformer.js";
import { translate } from "../../viz/components/engine/translate.js";
import { readWeights, WeightsError } from "../../viz/components/engine/open.js";
import { inCapitals, usualCase } from "../../viz/components/site/desk/parts.js";
import { bytesOf, largestDifference, readJson, weightsOf } from "./files.js";
import { eos, golden, idsOf, isVectored, model, TOLERANCE, tokenizer, weights } from "./golden.js";

const MAPS = { encoder_self: "encoderSelf", decoder_self: "decoderSelf", cross: "cross" };

test("all 2,000 sentences that the model was not trained on are segmented into the same tokens", () => {
  assert.equal(golden.sentences.length, 2000);
  const wrong = golden.sentences.filter((text, place) => String(idsOf(text)) !== String(golden.ids[place]));
  assert.deepEqual(wrong, []);
});

test("hard text is segmented into the same tokens and words", () => {
  for (const { text, ids, words } of golden.hard) {
    assert.deepEqual(idsOf(text), ids, JSON.stringify(text));
    const pieces = [...tokenizer.segment(text), { id: eos, piece: "</s>" }];
    assert.deepEqual(tokenizer.wordsOf(pieces), words, JSON.stringify(text));
  }
});

test("the gallery's sentences are translated into the same text", () => {
  for (const [text, translation] of golden.gallery)
    assert.equal(tokenizer.decode(translate(model, idsOf(text)).target), translation);
});

for (const expected of golden.cases)
  test(`every weight is the same: ${JSON.stringify(expected.edits)} ${expected.prefix}`, () => {
    const result = translate(model, idsOf(expected.text), { edits: expected.edits, prefix: expected.prefix });
    assert.deepEqual(result.target, expected.target);
    assert.equal(tokenizer.decode(result.target), expected.translation);
    for (const [kind, name] of Object.entries(MAPS))
      assert.ok(largestDifference(result[name], weightsOf(expected.maps[kind])) < TOLERANCE, kind);
    result.logProbs.forEach((value, step) => assert.ok(Math.abs(value - expected.logProbs[step]) < 1e-3));
  });

test("an improbable prefix is forced to its last token, and decoding continues after it", () => {
  const source = idsOf(golden.gallery[0][0]);
  const [first, second, third] = translate(model, source).target;
  const prefix = [third, second, first];
  const { target, candidates } = translate(model, source, { prefix });
  assert.deepEqual(target.slice(0, 3), prefix);
  assert.ok(prefix.every((id, step) => id !== candidates[step][0].id));
  assert.equal(target[3], candidates[3][0].id);
});

test("SIMD multiplies as plain JavaScript does", () => {
  assert.ok(isVectored);
  const kernel = Kernel.make(12 * 8 + 12, 12);
  const random = (count) => Float32Array.from({ length: count }, (_, i) => Math.sin(i * i + count));
  for (const n of [1, 3, 64, 131]) {
    const [weight, bias] = [96, 12].map((count) => {
      const array = kernel.place(count);
      array.set(random(count));
      return array;
    });
    const layer = { weight, bias, outer: 12, inner: 8 };
    kernel.used -= 108;
    const x = random(n * 8);
    const [ours, plain] = [kernel.linear(x, layer, n), linear(x, layer, n)];
    ours.forEach((value, i) => assert.ok(Math.abs(value - plain[i]) < 1e-5));
    const bare = { ...layer, bias: null };
    assert.deepEqual(kernel.linear(x, bare, 1).length, 12);
  }
});

test("without SIMD the weights are the same", () => {
  const plain = new Transformer(golden.config, readWeights(weights));
  const [expected] = golden.cases;
  const result = translate(plain, idsOf(expected.text));
  assert.deepEqual(result.target, expected.target);
  assert.ok(largestDifference(result.cross, weightsOf(expected.maps.cross)) < TOLERANCE);
});

test("truncated weights are refused", () => {
  for (const size of [0, 5, 1000, weights.byteLength - 1])
    assert.throws(
      () => readWeights(weights.slice(0, size)),
      (error) => error instanceof WeightsError || error instanceof SyntaxError,
    );
});

test("the digest is SHA-256, with and without the browser's own", async () => {
  for (const size of [0, 1, 55, 56, 63, 64, 119, 120, 100_003]) {
    const bytes = Uint8Array.from({ length: size }, (_, i) => i * 7);
    const expected = createHash("sha256").update(bytes).digest("hex");
    assert.equal(Buffer.from(sha256(bytes)).toString("hex"), expected);
    assert.equal(await digestOf(bytes.buffer), expected);
  }
});

test("the probability that a translation is poor, and the text that it repeats, are Python's", () => {
  const { calibration, cases } = readJson("confidence_golden.json");
  assert.ok(cases.filter(({ poor }) => poor > calibration.threshold).length > 5);
  for (const expected of cases) {
    const source = idsOf(expected.text);
    const { target, logProbs } = translate(model, source);
    const poor = poorness(model, tokenizer, { text: expected.text, source, target, logProbs }, calibration);
    assert.ok(Math.abs(poor - expected.poor) < 2e-3, `${expected.text}: ${poor}, ${expected.poor}`);
    assert.equal(loopedText(tokenizer, target, eos), expected.loop);
  }
});

test("a sentence in capitals is recognized, an abbreviation is not, and sentence case is that of the application", () => {
  assert.ok(inCapitals("THE CAT IS SLEEPING.", false));
  assert.ok(!inCapitals("NATO", false) && inCapitals("NATO", true));
  assert.ok(!inCapitals("The CAT is sleeping.", true) && !inCapitals("123 456", true) && !inCapitals("I", true));
  assert.equal(usualCase("I'M HAPPY, AND I LIKE IT"), "I'm happy, and I like it");
});

for (const [text, ids] of Object.entries(readJson("tie.json").ids))
  test(`of two ways to segment "${text}" with one score the page takes SentencePiece's`, () =>
    assert.deepEqual(new Tokenizer(bytesOf(readJson("tie.json").file)).encode(text), ids));

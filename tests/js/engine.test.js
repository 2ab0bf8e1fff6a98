// The page's own engine computes what the Python model computes; translations_first.test.js and _second compare whole
// translations.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { digestOf, sha256 } from "../../viz/components/engine/digest.js";
import { Kernel } from "../../viz/components/engine/kernel.js";
import { linear } from "../../viz/components/engine/maths.js";
import { Transformer } from "../../viz/components/engine/transformer.js";
import { translate } from "../../viz/components/engine/translate.js";
import { readWeights, WeightsError } from "../../viz/components/engine/weights.js";
import { eos, golden, idsOf, isVectored, model, TOLERANCE, tokenizer, weights } from "./golden.js";

const MAPS = { encoder_self: "encoderSelf", decoder_self: "decoderSelf", cross: "cross" };

/** The largest difference of weights that are stored in steps of 1/65535. */
function furthest(ours, packed) {
  const theirs = new Uint16Array(new Uint8Array(Buffer.from(packed, "base64")).buffer);
  assert.equal(ours.length, theirs.length);
  return theirs.reduce((most, value, i) => Math.max(most, Math.abs(value / 65535 - ours[i])), 0);
}

test("all 2,000 sentences that the model was not trained on are cut into the same tokens", () => {
  assert.equal(golden.sentences.length, 2000);
  const wrong = golden.sentences.filter((text, place) => String(idsOf(text)) !== String(golden.ids[place]));
  assert.deepEqual(wrong, []);
});

test("hard text is cut into the same tokens and words", () => {
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

for (const wanted of golden.cases)
  test(`every weight is the same: ${JSON.stringify(wanted.edits)} ${wanted.prefix}`, () => {
    const found = translate(model, idsOf(wanted.text), { edits: wanted.edits, prefix: wanted.prefix });
    assert.deepEqual(found.target, wanted.target);
    assert.equal(tokenizer.decode(found.target), wanted.translation);
    for (const [kind, name] of Object.entries(MAPS))
      assert.ok(furthest(found[name], wanted.maps[kind]) < TOLERANCE, kind);
    found.logProbs.forEach((value, step) => assert.ok(Math.abs(value - wanted.logProbs[step]) < 1e-3));
  });

test("a prefix that the model would not say is said to its last token, and then the model goes on", () => {
  const source = idsOf(golden.gallery[0][0]);
  const own = translate(model, source).target;
  const prefix = [own[2], own[1], own[0]];
  const { target, candidates } = translate(model, source, { prefix });
  assert.deepEqual(target.slice(0, 3), prefix);
  assert.ok(prefix.every((id, step) => id !== candidates[step][0].id));
  assert.equal(target[3], candidates[3][0].id);
});

test("the processor's vectors multiply as plain JavaScript does", () => {
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

test("without them the weights are the same", () => {
  const plain = new Transformer(golden.config, readWeights(weights));
  const [wanted] = golden.cases;
  const found = translate(plain, idsOf(wanted.text));
  assert.deepEqual(found.target, wanted.target);
  assert.ok(furthest(found.cross, wanted.maps.cross) < TOLERANCE);
});

test("weights that arrive cut are named", () => {
  for (const size of [0, 5, 1000, weights.byteLength - 1])
    assert.throws(
      () => readWeights(weights.slice(0, size)),
      (error) => error instanceof WeightsError || error instanceof SyntaxError,
    );
});

test("the digest is SHA-256, with and without the browser's own", async () => {
  for (const size of [0, 1, 55, 56, 63, 64, 119, 120, 100_003]) {
    const bytes = Uint8Array.from({ length: size }, (_, i) => i * 7);
    const wanted = createHash("sha256").update(bytes).digest("hex");
    assert.equal(Buffer.from(sha256(bytes)).toString("hex"), wanted);
    assert.equal(await digestOf(bytes.buffer), wanted);
  }
});

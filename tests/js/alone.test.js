// The page's engine continues a text as the shipped decoder-only model does in Python (engine_golden.py).

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkOneHead, largestDifference, read, readJson } from "./files.js";
import { oneHead } from "../../viz/components/engine/inspect.js";
import { openModel, readWeights } from "../../viz/components/engine/open.js";
import { Transformer } from "../../viz/components/engine/transformer.js";
import { translate } from "../../viz/components/engine/translate.js";

const TOLERANCE = 1e-5;
const golden = readJson("alone_golden.json");
const { config } = golden;
const weights = read("../../pretrained/tiny-decoder/model.safetensors").buffer;
const { model, tokenizer } = openModel(config, weights, read("../../pretrained/tiny-decoder/tokenizer.model"));
const [plain] = golden.cases;

for (const expected of golden.cases)
  test(`a text is continued as in Python: ${expected.text} ${JSON.stringify(expected.edits)}`, () => {
    const prompt = [config.bos_id, ...tokenizer.encode(expected.text)];
    assert.deepEqual(prompt, expected.read);
    const result = translate(model, prompt, { edits: expected.edits });
    assert.deepEqual(result.target, expected.target);
    assert.equal(result.nRead, prompt.length - 1);
    assert.equal(tokenizer.decode(result.target), expected.written);
    assert.ok(largestDifference(result.decoderSelf, expected.maps) < TOLERANCE);
    assert.ok(largestDifference(result.logProbs, expected.logProbs) < 1e-4);
    assert.equal(result.source.length + result.encoderSelf.length + result.cross.length, 0);
  });

test("a forced prefix is followed, and the continuation is the same", () => {
  const n = plain.read.length - 1;
  const result = translate(model, plain.read, { prefix: plain.target.slice(n, n + 2) });
  assert.deepEqual(result.target, plain.target);
});

test("one head equals what Python records of it", () => {
  const { place, row, ...parts } = golden.head;
  const target = plain.target.slice(plain.read.length - 1);
  const head = { kind: "decoder_self", ...place };
  const result = oneHead(model, { source: plain.read, target, edits: {}, head, query: row });
  const n = row + 1;
  for (const [name, values] of Object.entries(parts)) {
    const ofKeys = name === "scores" || name === "weights" ? values.slice(0, n) : values;
    assert.ok(largestDifference(result[name], ofKeys) < 1e-4, name);
  }
  checkOneHead(result);
});

test("without SIMD the weights are the same", () => {
  const result = translate(new Transformer(config, readWeights(weights)), plain.read);
  assert.ok(largestDifference(result.decoderSelf, plain.maps) < TOLERANCE);
});

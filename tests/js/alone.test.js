// The page's own engine continues a text as the shipped decoder-only model does in Python; alone_golden.py wrote Python's numbers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { oneHead } from "../../viz/components/engine/one_head.js";
import { openModel } from "../../viz/components/engine/open.js";
import { Transformer } from "../../viz/components/engine/transformer.js";
import { translate } from "../../viz/components/engine/translate.js";
import { readWeights } from "../../viz/components/engine/weights.js";

const TOLERANCE = 1e-5;
const read = (path) => new Uint8Array(readFileSync(new URL(path, import.meta.url)));
const golden = JSON.parse(new TextDecoder().decode(read("alone_golden.json")));
const { config } = golden;
const weights = read("../../pretrained/tiny-decoder/model.safetensors").buffer;
const { model, tokenizer } = openModel(config, weights, read("../../pretrained/tiny-decoder/tokenizer.model"));
const [plain] = golden.cases;

const furthest = (ours, theirs) => {
  assert.equal(ours.length, theirs.length);
  return theirs.reduce((most, value, i) => Math.max(most, Math.abs(value - ours[i])), 0);
};

for (const wanted of golden.cases)
  test(`a text goes on as in Python: ${wanted.text} ${JSON.stringify(wanted.edits)}`, () => {
    const prompt = [config.bos_id, ...tokenizer.encode(wanted.text)];
    assert.deepEqual(prompt, wanted.read);
    const found = translate(model, prompt, { edits: wanted.edits });
    assert.deepEqual(found.target, wanted.target);
    assert.equal(found.nRead, prompt.length - 1);
    assert.equal(tokenizer.decode(found.target), wanted.written);
    assert.ok(furthest(found.decoderSelf, wanted.maps) < TOLERANCE);
    assert.ok(furthest(found.logProbs, wanted.logProbs) < 1e-4);
    assert.equal(found.source.length + found.encoderSelf.length + found.cross.length, 0);
  });

test("a beginning that is given is followed, and the text goes on from there", () => {
  const n = plain.read.length - 1;
  const found = translate(model, plain.read, { prefix: plain.target.slice(n, n + 2) });
  assert.deepEqual(found.target, plain.target);
});

test("one head is what Python records of it, and adds up", () => {
  const { place, row, ...parts } = golden.head;
  const said = plain.target.slice(plain.read.length - 1);
  const head = { kind: "decoder_self", ...place };
  const found = oneHead(model, { source: plain.read, target: said, edits: {}, head, query: row });
  const n = row + 1;
  for (const [name, theirs] of Object.entries(parts)) {
    const seen = name === "scores" || name === "weights" ? theirs.slice(0, n) : theirs;
    assert.ok(furthest(found[name], seen) < 1e-4, name);
  }
  const size = config.d_model / config.n_decoder_heads;
  for (let key = 0; key < n; key++) {
    const product = found.query.reduce((sum, value, i) => sum + value * found.key[key * size + i], 0);
    assert.ok(Math.abs(product / Math.sqrt(size) - found.scores[key]) < 1e-4);
  }
  const mixed = found.query.map((_, i) =>
    found.weights.reduce((sum, weight, key) => sum + weight * found.value[key * size + i], 0),
  );
  assert.ok(furthest(found.mixed, mixed) < 1e-4);
});

test("without the processor's vectors it computes the same", () => {
  const found = translate(new Transformer(config, readWeights(weights)), plain.read);
  assert.ok(furthest(found.decoderSelf, plain.maps) < TOLERANCE);
});

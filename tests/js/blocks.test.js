// Heads that are sent as means over blocks of tokens, and exactly when they are opened.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Heads } from "../../viz/components/attention/js/data/unpack.js";

/** Two heads of 5 × 3 tokens in blocks of 2: 3 × 2 means, of which the second column is one token wide. */
function given() {
  const buffer = new ArrayBuffer(8 + 12);
  new Float32Array(buffer, 0, 2).set([1, 0.25]);
  new Uint8Array(buffer, 8).set([255, 0, 0, 255, 128, 128, 255, 255, 255, 255, 255, 255]);
  const entry = { layers: 1, heads: 2, rows: 5, columns: 3, encoding: "uint8", offset: 0, invalid: [] };
  return new Heads({ ...entry, sketch: { block: 2, blocks: [3, 2] } }, buffer, 0);
}

test("a head that was not opened is drawn by its blocks, each spread over its keys", () => {
  const heads = given();
  assert.deepEqual([heads.rows, heads.columns, heads.long], [5, 3, undefined]);
  const half = (128 / 255) ** 2;
  const wanted = [0.5, 0.5, 0, 0.5, 0.5, 0, 0, 0, 1, 0, 0, 1, half / 2, half / 2, half];
  Array.from(heads.read(0, 0)).forEach((value, at) => assert.ok(Math.abs(value - wanted[at]) < 1e-6, `${at}`));
  assert.equal(heads.isExact(0, 0), false);
  const { rows, columns, values } = heads.sketch.matrix(1);
  assert.deepEqual([rows, columns, Array.from(values)], [3, 2, Array(6).fill(0.25)]);
});

test("an opened head has its own weights, and the others keep their blocks", () => {
  const heads = given();
  const exact = Float32Array.from({ length: 15 }, (_, at) => at / 15);
  heads.refine(0, 1, exact, [0, 0]);
  assert.deepEqual(heads.read(0, 1), exact);
  assert.deepEqual([heads.isExact(0, 1), heads.isExact(0, 0)], [true, false]);
  heads.refine(0, 0, exact.subarray(1), [0, 0]);
  assert.equal(heads.isExact(0, 0), false, "a part of the weights is not taken");
});

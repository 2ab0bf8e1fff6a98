// The explorer computes from a packet what model.analysis computes from the same weights. Heads of a long text are sent as
// means over blocks of tokens, and exactly when they are opened.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./elements.js";
import { bytesOf, largestDifference, readJson } from "./files.js";
import { matrixOf, subtract } from "../../viz/components/attention/js/data/transform.js";
import { Axis, Heads, refine, unpack } from "../../viz/components/attention/js/data/unpack.js";
import { SentenceLines } from "../../viz/components/attention/js/tokens.js";
import { headMetrics } from "../../viz/components/engine/metrics.js";

const python = readJson("from_python.json");
const KINDS = ["encoder_self", "decoder_self", "cross"];
const STATE = { kind: "cross", rows: "predicted", unit: "pieces", sinks: "shown", sink_kinds: [], combine: "mean" };
const SINKS = ["begin", "end", "punctuation"];

/** The one view of a packet. */
const viewOf = (name) => unpack(bytesOf(python.packets[name])).views[0];

/** The largest difference between a matrix and nested lists of rows. */
const distance = (values, rows) => largestDifference(values, rows.flat());

/** Call `check` for each head of the exact packet. */
function eachHead(check) {
  const view = viewOf("exact");
  for (const kind of KINDS) {
    const { layers, heads } = view.kinds.get(kind);
    for (let layer = 0; layer < layers; layer++)
      for (let head = 0; head < heads; head++) check(view, kind, [layer, head]);
  }
}

test("an exact packet contains every weight", () => {
  eachHead((view, kind, [layer, head]) => {
    const heads = view.kinds.get(kind);
    assert.ok(heads.isExact(layer, head));
    assert.ok(distance(heads.read(layer, head), python.maps[kind][layer][head]) < 1e-6);
  });
});

test("the metrics of each head are those of Python", () => {
  const view = viewOf("exact");
  for (const kind of KINDS) {
    const { weights, layers, heads, rows, columns, causal } = view.kinds.get(kind);
    const { sinks, heads: expected } = python.metrics[kind];
    const metrics = headMetrics(weights, { layers, heads, rows, columns, causal }, sinks, kind === "cross");
    assert.deepEqual(Object.keys(metrics).sort(), Object.keys(expected).sort());
    for (const [name, values] of Object.entries(expected))
      assert.ok(distance(metrics[name].flat(), values) < 1e-5, name);
  }
});

test("a rounded packet stays within half a step, until the exact weights of a head arrive", () => {
  const view = viewOf("rounded");
  const heads = view.kinds.get("cross");
  assert.ok(!heads.isExact(1, 1));
  const peak = Math.max(...python.maps.cross[1][1].flat());
  assert.ok(distance(heads.read(1, 1), python.maps.cross[1][1]) <= peak / 255);
  const exact = Float32Array.from(python.maps.cross[1][1].flat());
  refine([view], [{ view: 0, kind: "cross", layer: 1, head: 1, offset: 0, size: exact.length }], exact.buffer, 0);
  assert.ok(heads.isExact(1, 1) && !heads.isExact(0, 1));
  assert.equal(distance(heads.read(1, 1), python.maps.cross[1][1]) < 1e-6, true);
});

test("a packet that does not start on four bytes is unpacked", () => {
  const bytes = bytesOf(python.packets.exact);
  const shifted = new Uint8Array(bytes.length + 1);
  shifted.set(bytes, 1);
  const view = unpack(shifted.subarray(1)).views[0];
  assert.ok(distance(view.kinds.get("cross").read(0, 0), python.maps.cross[0][0]) < 1e-6);
});

test("pieces group into the same words", () => {
  const view = viewOf("exact");
  for (const name of ["source", "fed", "predicted"]) {
    const units = view[name].in("words");
    assert.deepEqual([...units.of], python.words[name].groups, name);
    assert.deepEqual(units.texts, python.words[name].labels, name);
    assert.deepEqual(units.special, python.words[name].special, name);
  }
});

test("a word's attention is the mean over its queries and the sum over its keys", () => {
  eachHead((view, kind, head) => {
    const { values, rows, columns } = matrixOf(view, { ...STATE, kind, unit: "words" }, [head]);
    assert.ok(distance(values, python.merged[kind][head[0]][head[1]]) < 1e-6, kind);
    for (let row = 0; row < rows; row++) {
      const total = values.subarray(row * columns, (row + 1) * columns).reduce((sum, weight) => sum + weight, 0);
      assert.ok(Math.abs(total - 1) < 1e-5);
    }
  });
});

test("sinks are removed as in Python, and the share of each row on them is the same", () => {
  eachHead((view, kind, head) => {
    const state = { ...STATE, kind, sinks: "removed", sink_kinds: SINKS };
    const { values, removed } = matrixOf(view, state, [head]);
    const expected = python.removed[kind];
    assert.ok(distance(values, expected.weights[head[0]][head[1]]) < 1e-6, kind);
    assert.ok(distance(removed, [expected.removed[head[0]][head[1]]]) < 1e-6, kind);
  });
});

test("heads combine by mean and by maximum", () => {
  const view = viewOf("exact");
  const chosen = [
    [0, 0],
    [1, 1],
  ];
  const [first, second] = chosen.map(([layer, head]) => python.maps.cross[layer][head].flat());
  const mean = first.map((weight, at) => (weight + second[at]) / 2);
  const maximum = first.map((weight, at) => Math.max(weight, second[at]));
  assert.ok(distance(matrixOf(view, STATE, chosen).values, [mean]) < 1e-6);
  assert.ok(distance(matrixOf(view, { ...STATE, combine: "max" }, chosen).values, [maximum]) < 1e-6);
});

test("pairs beyond a layer's window have no cell, unless another chosen layer computes them", () => {
  const view = viewOf("exact");
  view.kinds.get("encoder_self").reach = [2, null];
  const state = { ...STATE, kind: "encoder_self" };
  const near = matrixOf(view, state, [[0, 0]]);
  assert.deepEqual(
    [0, 1, 2, 3].map((column) => near.isHidden(1, column)),
    [false, false, false, true],
  );
  assert.equal(near.isBeyond(3, 0), true);
  assert.equal(
    matrixOf(view, state, [
      [0, 0],
      [1, 0],
    ]).isHidden(3, 0),
    false,
  );
  view.kinds.get("decoder_self").reach = [2, 2];
  const both = matrixOf(view, { ...STATE, kind: "decoder_self" }, [[0, 0]]);
  assert.equal(both.isBeyond(0, 3), false); // a later token does not exist yet, near or far
  assert.equal(both.isHidden(0, 3) && both.isBeyond(3, 0), true);
});

test("a causal map hides later keys, and rows may be named by the fed tokens", () => {
  const view = viewOf("exact");
  const { isHidden, queries } = matrixOf(view, { ...STATE, kind: "decoder_self", rows: "fed" }, [[0, 0]]);
  assert.equal(isHidden(2, 3), true);
  assert.equal(isHidden(3, 3), false);
  assert.equal(queries.texts[0], "<s>");
});

/** Two heads of 5 × 3 tokens in blocks of 2: 3 × 2 means, of which the second column is one token wide. */
function headsInBlocks() {
  const buffer = new ArrayBuffer(8 + 12);
  new Float32Array(buffer, 0, 2).set([1, 0.25]);
  new Uint8Array(buffer, 8).set([255, 0, 0, 255, 128, 128, 255, 255, 255, 255, 255, 255]);
  const entry = { layers: 1, heads: 2, rows: 5, columns: 3, encoding: "uint8", offset: 0, invalid: [] };
  return new Heads({ ...entry, sketch: { block: 2, blocks: [3, 2] } }, buffer, 0);
}

test("a head that was not opened is drawn by its blocks, each spread over its keys", () => {
  const heads = headsInBlocks();
  assert.deepEqual([heads.rows, heads.columns, heads.long], [5, 3, undefined]);
  const half = (128 / 255) ** 2;
  const expected = [0.5, 0.5, 0, 0.5, 0.5, 0, 0, 0, 1, 0, 0, 1, half / 2, half / 2, half];
  Array.from(heads.read(0, 0)).forEach((value, at) => assert.ok(Math.abs(value - expected[at]) < 1e-6, `${at}`));
  assert.equal(heads.isExact(0, 0), false);
  const { rows, columns, values } = heads.sketch.matrix(1);
  assert.deepEqual([rows, columns, Array.from(values)], [3, 2, Array(6).fill(0.25)]);
});

test("an opened head has exact weights, and the others keep their blocks", () => {
  const heads = headsInBlocks();
  const exact = Float32Array.from({ length: 15 }, (_, at) => at / 15);
  heads.refine(0, 1, exact, [0, 0]);
  assert.deepEqual(heads.read(0, 1), exact);
  assert.deepEqual([heads.isExact(0, 1), heads.isExact(0, 0)], [true, false]);
  heads.refine(0, 0, exact.subarray(1), [0, 0]);
  assert.equal(heads.isExact(0, 0), false, "a part of the weights is not taken");
});

for (const [unit, values, expected, chosen] of [
  ["words", [0.1, 0.9, 0.3, 0.4], { A: 25, "▁lazy": 75, "▁cat": 100 }, "▁lazy"],
  ["pieces", [0.1, 0.9, 0.2, 0.3, 0.4], { A: 25, "▁l": 50, azy: 75, "▁cat": 100 }, "▁l"],
])
  test(`in a difference with a longer sentence each token is shaded by its own change: ${unit}`, () => {
    const axis = (texts, words) =>
      new Axis({ texts, words, sinks: texts.map(() => ""), direction: "ltr", ideographic: false });
    const [source, target] = [axis(["A", "▁l", "azy", "▁cat"], [0, 1, 1, 2]), axis(["Un", "▁ch", "at"], [0, 1, 1])];
    const longer = axis(["A", "▁very", "▁l", "azy", "▁cat"], [0, 1, 2, 2, 3]);
    const matrix = (keys, weights) => {
      const values = new Float32Array(target.in(unit).length * keys.in(unit).length);
      values.set(weights);
      const columns = keys.in(unit).length;
      return { columns, values, queries: target.in(unit), keys: keys.in(unit), broken: [], isExact: true };
    };
    const difference = subtract(matrix(source, []), matrix(longer, values));
    const state = { ...STATE, unit, threshold: 0, scale: "row", together: "mean" };
    const shadesOf = (focus) => {
      const unitsOf = (side) => (side === "q" ? difference.queries : difference.keys);
      const view = { source, fed: target, predicted: target, hasTwoMeanings: false };
      const lines = new SentenceLines({ state }, { view, matrix: difference, unitsOf, focus: () => focus }, "strip");
      const shadeOf = lines.shader({ ramp: () => null });
      const [{ units }] = lines.sequence.lines;
      return units.texts.map((text, at) => [text, shadeOf(lines.sequence.lines[0], at)]);
    };
    const inks = shadesOf({ side: "q", units: [0] }).map(([text, { ink }]) => [text, Math.round(100 * ink)]);
    assert.deepEqual(Object.fromEntries(inks), expected);
    const pressed = shadesOf({ side: "k", units: [2] }).filter(([, { isChosen }]) => isChosen);
    assert.deepEqual(
      pressed.map(([text]) => text),
      [chosen],
    ); // the third column: the second is the added word
  });

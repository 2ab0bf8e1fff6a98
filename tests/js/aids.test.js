// Words, sinks and bytes: the explorer computes from a packet what model.analysis computes from the same weights.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { matrixOf } from "../../viz/components/attention/js/data/transform.js";
import { refine, unpack } from "../../viz/components/attention/js/data/unpack.js";
import { headMetrics } from "../../viz/components/engine/metrics.js";

const python = JSON.parse(readFileSync(new URL("from_python.json", import.meta.url), "utf-8"));
const KINDS = ["encoder_self", "decoder_self", "cross"];
const STATE = { kind: "cross", rows: "predicted", unit: "pieces", sinks: "shown", sink_kinds: [], combine: "mean" };
const SINKS = ["begin", "end", "punctuation"];

/** The one view of a packet. */
const viewOf = (name) => unpack(new Uint8Array(Buffer.from(python.packets[name], "base64"))).views[0];

/** Largest difference between a matrix and nested lists of rows. */
function distance(values, rows) {
  const wanted = rows.flat();
  assert.equal(values.length, wanted.length);
  return wanted.reduce((most, value, at) => Math.max(most, Math.abs(value - values[at])), 0);
}

function eachHead(check) {
  const view = viewOf("exact");
  for (const kind of KINDS) {
    const { layers, heads } = view.kinds.get(kind);
    for (let layer = 0; layer < layers; layer++)
      for (let head = 0; head < heads; head++) check(view, kind, [layer, head]);
  }
}

test("an exact packet gives back every weight", () => {
  eachHead((view, kind, [layer, head]) => {
    const heads = view.kinds.get(kind);
    assert.ok(heads.isExact(layer, head));
    assert.ok(distance(heads.read(layer, head), python.maps[kind][layer][head]) < 1e-6);
  });
});

test("what each head does is measured in the page as in Python", () => {
  const view = viewOf("exact");
  for (const kind of KINDS) {
    const { weights, layers, heads, rows, columns, causal } = view.kinds.get(kind);
    const { sinks, heads: wanted } = python.metrics[kind];
    const found = headMetrics(weights, { layers, heads, rows, columns, causal }, sinks, kind === "cross");
    assert.deepEqual(Object.keys(found).sort(), Object.keys(wanted).sort());
    for (const [name, values] of Object.entries(wanted)) assert.ok(distance(found[name].flat(), values) < 1e-5, name);
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

test("a packet that does not start on four bytes is read all the same", () => {
  const bytes = Buffer.from(python.packets.exact, "base64");
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

test("sinks are removed as in Python, and what each row had on them is the same", () => {
  eachHead((view, kind, head) => {
    const state = { ...STATE, kind, sinks: "removed", sink_kinds: SINKS };
    const { values, removed } = matrixOf(view, state, [head]);
    const wanted = python.removed[kind];
    assert.ok(distance(values, wanted.weights[head[0]][head[1]]) < 1e-6, kind);
    assert.ok(distance(removed, [wanted.removed[head[0]][head[1]]]) < 1e-6, kind);
  });
});

test("heads combine by mean and by maximum", () => {
  const view = viewOf("exact");
  const chosen = [
    [0, 0],
    [1, 1],
  ];
  const [one, other] = chosen.map(([layer, head]) => python.maps.cross[layer][head].flat());
  const mean = one.map((weight, at) => (weight + other[at]) / 2);
  const most = one.map((weight, at) => Math.max(weight, other[at]));
  assert.ok(distance(matrixOf(view, STATE, chosen).values, [mean]) < 1e-6);
  assert.ok(distance(matrixOf(view, { ...STATE, combine: "max" }, chosen).values, [most]) < 1e-6);
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

test("a causal map hides later keys, and rows may be named by what was fed", () => {
  const view = viewOf("exact");
  const { isHidden, queries } = matrixOf(view, { ...STATE, kind: "decoder_self", rows: "fed" }, [[0, 0]]);
  assert.equal(isHidden(2, 3), true);
  assert.equal(isHidden(3, 3), false);
  assert.equal(queries.texts[0], "<s>");
});

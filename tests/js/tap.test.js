// What the page's engine hands out on its way is what Python records; tap_golden.py wrote Python's numbers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { oneHead } from "../../viz/components/engine/one_head.js";
import { sampled } from "../../viz/components/engine/sampling.js";
import { translate } from "../../viz/components/engine/translate.js";
import { golden as whole, idsOf, model } from "./golden.js";

const golden = JSON.parse(readFileSync(new URL("tap_golden.json", import.meta.url), "utf8"));
const source = idsOf(golden.text);
const { target } = golden;
const HEADS = 8;
const K = whole.config.d_model / HEADS;

/** All that is handed out for the golden translation, as Python orders it. */
function tapped() {
  const calls = new Map();
  const tap = (name, values) => calls.set(name, [...(calls.get(name) ?? []), values.slice()]);
  translate(model, source, { prefix: target, tap });
  return calls;
}

/** (positions, D) as (H, positions, K). */
function byHead(rows, count) {
  const out = new Float32Array(rows.length);
  for (let p = 0; p < count; p++)
    for (let head = 0; head < HEADS; head++)
      for (let i = 0; i < K; i++) out[(head * count + p) * K + i] = rows[p * whole.config.d_model + head * K + i];
  return out;
}

function joined(parts) {
  const out = new Float32Array(parts.reduce((sum, each) => sum + each.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** (H, queries, keys), of which a step knows only its own row and the keys so far. */
function maps(steps, [, queries, keys]) {
  const out = new Float32Array(HEADS * queries * keys).fill(NaN);
  steps.forEach((step, t) => {
    const width = step.length / HEADS;
    for (let head = 0; head < HEADS; head++)
      out.set(step.subarray(head * width, (head + 1) * width), (head * queries + t) * keys);
  });
  return out;
}

function ordered(name, calls, shape) {
  const part = name.split(".").at(-1);
  if (name.includes("residual") || name.includes("feed_forward") || name === "encoder.final_norm") return joined(calls);
  if (part === "scores" || part === "weights") return calls.length === 1 ? calls[0] : maps(calls, shape);
  const isWhole = calls.length === 1 || name.startsWith("encoder") || part === "key" || part === "value";
  return byHead(isWhole ? calls.at(-1) : joined(calls), shape[1]);
}

test("every activation that is handed out is the one that Python records", () => {
  const calls = tapped();
  const names = Object.keys(golden.activations);
  assert.deepEqual([...calls.keys()].sort(), names.sort());
  for (const [name, { shape, values }] of Object.entries(golden.activations)) {
    const ours = ordered(name, calls.get(name), shape);
    assert.equal(
      ours.length,
      shape.reduce((product, each) => product * each, 1),
      name,
    );
    values.forEach((value, place) => {
      const own = ours[place * golden.stride];
      if (!Number.isNaN(own))
        assert.ok(Math.abs(own - value) < 1e-3 + 1e-4 * Math.abs(value), `${name} ${place}: ${own} ${value}`);
    });
  }
});

test("one head's parts follow from each other", () => {
  for (const kind of ["encoder_self", "decoder_self", "cross"]) {
    const found = oneHead(model, { source, target, edits: {}, head: { kind, layer: 2, head: 5 }, query: 3 });
    const nKeys = kind === "decoder_self" ? 4 : source.length;
    assert.equal(found.weights.length, nKeys);
    for (let key = 0; key < nKeys; key++) {
      const dot = found.query.reduce((sum, x, i) => sum + x * found.key[key * K + i], 0);
      assert.ok(Math.abs(dot / Math.sqrt(K) - found.scores[key]) < 1e-4, kind);
    }
    const total = found.scores.reduce((sum, x) => sum + Math.exp(x), 0);
    found.weights.forEach((weight, key) => assert.ok(Math.abs(weight - Math.exp(found.scores[key]) / total) < 1e-5));
    found.mixed.forEach((x, i) => {
      const mixed = found.weights.reduce((sum, weight, key) => sum + weight * found.value[key * K + i], 0);
      assert.ok(Math.abs(mixed - x) < 1e-4);
    });
  }
});

test("sampling takes tokens as often as they are probable, repeats with its seed, and is greedy when cold", () => {
  const logits = Float32Array.from([0, Math.log(3), 9, -Infinity]);
  const places = Array.from({ length: 1000 }, (_, i) => (i + 0.5) / 1000);
  const counts = [0, 0, 0, 0];
  for (const place of places) counts[sampled(logits, { temperature: 1 }, place, 2)] += 1;
  assert.deepEqual(counts, [250, 750, 0, 0]);
  const drawn = (temperature, seed) => String(translate(model, source, { temperature, seed }).target);
  assert.equal(drawn(1.5, 3), drawn(1.5, 3));
  assert.notEqual(drawn(1.5, 3), drawn(1.5, 4));
  assert.equal(drawn(0.01, 3), String(translate(model, source).target));
});

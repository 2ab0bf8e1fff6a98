// The activations of the page's engine are those that Python records (steps_golden.py).

import assert from "node:assert/strict";
import { test } from "node:test";
import { oneHead } from "../../viz/components/engine/inspect.js";
import { sampleToken } from "../../viz/components/engine/sampling.js";
import { translate } from "../../viz/components/engine/translate.js";
import { checkOneHead, readJson } from "./files.js";
import { golden as whole, idsOf, model } from "./golden.js";

const golden = readJson("tap_golden.json");
const source = idsOf(golden.text);
const { target } = golden;
const HEADS = 8;
const K = whole.config.d_model / HEADS;

/** The activations of the golden translation: those of each call of a tap, by name. */
function activations() {
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

const joined = (parts) => Float32Array.from(parts.flatMap((part) => [...part]));

/** (H, queries, keys); a step has only its own row, and the keys so far. */
function maps(steps, [, queries, keys]) {
  const out = new Float32Array(HEADS * queries * keys).fill(NaN);
  steps.forEach((step, t) => {
    const width = step.length / HEADS;
    for (let head = 0; head < HEADS; head++)
      out.set(step.subarray(head * width, (head + 1) * width), (head * queries + t) * keys);
  });
  return out;
}

/** The calls of a tap in the order and shape of Python. */
function ordered(name, calls, shape) {
  const part = name.split(".").at(-1);
  if (name.includes("residual") || name.includes("feed_forward") || name === "encoder.final_norm") return joined(calls);
  if (part === "scores" || part === "weights") return calls.length === 1 ? calls[0] : maps(calls, shape);
  const isWhole = calls.length === 1 || name.startsWith("encoder") || part === "key" || part === "value";
  return byHead(isWhole ? calls.at(-1) : joined(calls), shape[1]);
}

test("every activation is the one that Python records", () => {
  const calls = activations();
  const names = Object.keys(golden.activations);
  assert.deepEqual([...calls.keys()].sort(), names.sort());
  for (const [name, { shape, values }] of Object.entries(golden.activations)) {
    const computed = ordered(name, calls.get(name), shape);
    assert.equal(
      computed.length,
      shape.reduce((product, each) => product * each, 1),
      name,
    );
    values.forEach((value, place) => {
      const number = computed[place * golden.stride];
      if (!Number.isNaN(number))
        assert.ok(Math.abs(number - value) < 1e-3 + 1e-4 * Math.abs(value), `${name} ${place}: ${number} ${value}`);
    });
  }
});

test("the scores, weights and mixed values of a head follow from its query, keys and values", () => {
  for (const kind of ["encoder_self", "decoder_self", "cross"]) {
    const head = oneHead(model, { source, target, edits: {}, head: { kind, layer: 2, head: 5 }, query: 3 });
    assert.equal(head.weights.length, kind === "decoder_self" ? 4 : source.length);
    checkOneHead(head);
  }
});

test("sampling takes tokens as often as they are probable, repeats with its seed, and is greedy when cold", () => {
  const logits = Float32Array.from([0, Math.log(3), 9, -Infinity]);
  const places = Array.from({ length: 1000 }, (_, i) => (i + 0.5) / 1000);
  const counts = [0, 0, 0, 0];
  for (const place of places) counts[sampleToken(logits, { temperature: 1 }, place, 2)] += 1;
  assert.deepEqual(counts, [250, 750, 0, 0]);
  const drawn = (temperature, seed) => String(translate(model, source, { temperature, seed }).target);
  assert.equal(drawn(1.5, 3), drawn(1.5, 3));
  assert.notEqual(drawn(1.5, 3), drawn(1.5, 4));
  assert.equal(drawn(0.01, 3), String(translate(model, source).target));
});

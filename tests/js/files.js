// Files of the tests and of the shipped models, words in the letters of letters.json, and comparisons with Python's numbers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** The bytes of a file. @param {string} path relative to tests/js */
export const read = (path) => new Uint8Array(readFileSync(new URL(path, import.meta.url)));

export const readJson = (path) => JSON.parse(new TextDecoder().decode(read(path)));

export const bytesOf = (base64) => new Uint8Array(Buffer.from(base64, "base64"));

/** Weights that Python packed in steps of 1/65535. */
export const weightsOf = (base64) => Float64Array.from(new Uint16Array(bytesOf(base64).buffer), (step) => step / 65535);

/** The largest difference between numbers and those of Python. */
export function largestDifference(computed, expected) {
  assert.equal(computed.length, expected.length);
  return expected.reduce((largest, value, i) => Math.max(largest, Math.abs(value - computed[i])), 0);
}

/** Check that scores, weights and mixed values of one head follow from its query, keys and values.
 * @param {import("../../viz/components/engine/inspect.js").OneHead} head */
export function checkOneHead({ query, key, value, scores, weights: shares, mixed }) {
  const k = query.length;
  const total = scores.reduce((sum, score) => sum + Math.exp(score), 0);
  scores.forEach((score, at) => {
    const dot = query.reduce((sum, x, i) => sum + x * key[at * k + i], 0);
    assert.ok(Math.abs(dot / Math.sqrt(k) - score) < 1e-4);
    assert.ok(Math.abs(shares[at] - Math.exp(score) / total) < 1e-5);
  });
  mixed.forEach((x, i) => {
    const sum = shares.reduce((part, share, at) => part + share * value[at * k + i], 0);
    assert.ok(Math.abs(sum - x) < 1e-4);
  });
}

const letters = readJson("letters.json");

/** A word's strokes, in heights of the pad.
 * @param {string} word
 * @param {{left?: number, top?: number, size?: number}} [where] of the small letters */
export function written(word, { left = 0.3, top = 0.4, size = 0.25 } = {}) {
  let x = left;
  return [...word].flatMap((letter) => {
    const { width, strokes } = letters[letter];
    const moved = strokes.map((points) => ({
      points: points.map(([px, py]) => ({ x: x + px * size, y: top + py * size })),
    }));
    x += (width + 0.25) * size;
    return moved;
  });
}

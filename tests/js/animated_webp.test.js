// The container of an animated WebP.

import assert from "node:assert/strict";
import { test } from "node:test";

import { animatedWebp } from "../../viz/components/shared/share/loop_file.js";

const LETTERS = (/** @type {Uint8Array} */ bytes, /** @type {number} */ at) =>
  String.fromCharCode(...bytes.subarray(at, at + 4));

/** A still file with one chunk. @param {string} name @param {number[]} content */
function still(name, content) {
  const padded = content.length % 2 ? [...content, 0] : content;
  const size = [padded.length + 12, 0, 0, 0];
  const letters = (/** @type {string} */ text) => [...text].map((letter) => letter.charCodeAt(0));
  return Uint8Array.from([
    ...letters("RIFF"),
    ...size,
    ...letters("WEBP"),
    ...letters(name),
    content.length,
    0,
    0,
    0,
    ...padded,
  ]);
}

/** Names, contents and places of the chunks between two places.
 * @param {Uint8Array} bytes @param {number} from @param {number} to */
function chunks(bytes, from, to) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const parsed = [];
  for (let at = from; at < to;) {
    const length = view.getUint32(at + 4, true);
    parsed.push({ name: LETTERS(bytes, at), start: at + 8, length });
    at += 8 + length + (length % 2);
  }
  return parsed;
}

test("each still picture becomes a frame with its duration", () => {
  const frames = [
    { still: still("VP8 ", [1, 2, 3]), milliseconds: 50 },
    { still: still("VP8L", [4, 5]), milliseconds: 9950 },
  ];
  const whole = animatedWebp(frames, 960, 540);
  assert.equal(LETTERS(whole, 0) + LETTERS(whole, 8), "RIFFWEBP");
  assert.equal(new DataView(whole.buffer).getUint32(4, true), whole.length - 8);
  const [extended, animation, ...parts] = chunks(whole, 12, whole.length);
  assert.deepEqual([extended.name, animation.name, ...parts.map(({ name }) => name)], ["VP8X", "ANIM", "ANMF", "ANMF"]);
  assert.equal(whole[extended.start], 2);
  const times = parts.map(({ start }) => whole[start + 12] | (whole[start + 13] << 8) | (whole[start + 14] << 16));
  assert.deepEqual(times, [50, 9950]);
  const pictures = parts.map(({ start, length }) => chunks(whole, start + 16, start + length)[0]);
  assert.deepEqual(
    pictures.map(({ name, start, length }) => [name, ...whole.subarray(start, start + length)]),
    [
      ["VP8 ", 1, 2, 3],
      ["VP8L", 4, 5],
    ],
  );
});

test("chunks other than the picture are left out", () => {
  const simple = still("VP8 ", [7, 8]);
  const extended = Uint8Array.from([
    ...simple.subarray(0, 12),
    ...still("EXIF", [9]).subarray(12),
    ...simple.subarray(12),
  ]);
  const whole = animatedWebp([{ still: extended, milliseconds: 1 }], 2, 2);
  const [, , { start, length }] = chunks(whole, 12, whole.length);
  assert.deepEqual(
    chunks(whole, start + 16, start + length).map(({ name }) => name),
    ["VP8 "],
  );
});

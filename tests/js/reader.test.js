// Written words as pictures, and what is read in them: as Python has it (reader_golden.py wrote reader_golden.json).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { written } from "./letters.js";
import { openModel } from "../../viz/components/engine/open.js";
import { readingOf } from "../../viz/components/engine/reading.js";
import { translate } from "../../viz/components/engine/translate.js";
import { greyOfPixels, fitInk, pictureOfText, textOfPicture } from "../../viz/components/shared/pad/picture.js";
import { rasterizeLines, frameOf } from "../../viz/components/shared/pad/strokes.js";

const read = (path) => new Uint8Array(readFileSync(new URL(path, import.meta.url)));
const golden = JSON.parse(new TextDecoder().decode(read("reader_golden.json")));
const pieces = JSON.parse(new TextDecoder().decode(read("../../pretrained/reader/target.json")));
const vocabulary = new TextEncoder().encode(JSON.stringify({ pieces, specials: [0, 1, 2] }));
const weights = read("../../pretrained/reader/model.safetensors").buffer;
const { model, tokenizer } = openModel(golden.config, weights, vocabulary);
const MAPS = { encoder_self: "encoderSelf", decoder_self: "decoderSelf", cross: "cross" };
const TOLERANCE = 1e-4;

/** How many pixels of two texts' pictures differ, and by how much at most. */
function apart(one, other) {
  const [a, b] = [pictureOfText(one), pictureOfText(other)];
  const distances = [...a].map((value, i) => Math.abs(value - b[i]));
  return { most: Math.max(...distances), count: distances.filter(Boolean).length };
}

test("strokes become the picture that Python makes of them", () => {
  for (const [word, text] of Object.entries(golden.drawn)) {
    const strokes = written(word);
    const lines = strokes.map(({ points }) => ({ points }));
    const { most, count } = apart(textOfPicture(rasterizeLines(lines, frameOf(strokes))), text);
    assert.ok(most <= 85 && count <= 8, `${word}: ${count} pixels, ${most}`);
  }
});

test("a photograph becomes the picture that Python makes of it", () => {
  for (const { height, width, grey, text } of golden.photos) {
    const values = new Uint8Array(Buffer.from(grey, "base64"));
    const data = new Uint8ClampedArray(4 * values.length).fill(255);
    values.forEach((value, i) => data.fill(value, 4 * i, 4 * i + 3));
    const { most, count } = apart(textOfPicture(fitInk(greyOfPixels(data, width, height))), text);
    assert.ok(most <= 85 && count <= 8, `${width} × ${height}: ${count} pixels, ${most}`);
  }
});

for (const wanted of golden.cases)
  test(`what is read and every weight is the same: ${wanted.word} ${JSON.stringify(wanted.edits)}`, () => {
    const { read: source } = readingOf(tokenizer, golden.config, wanted.text);
    const found = translate(model, source, { edits: wanted.edits });
    assert.deepEqual(found.target, wanted.target);
    assert.equal(tokenizer.decode(found.target), wanted.says);
    for (const [kind, name] of Object.entries(MAPS)) {
      const theirs = new Uint16Array(new Uint8Array(Buffer.from(wanted.maps[kind], "base64")).buffer);
      assert.equal(theirs.length, Math.ceil(found[name].length / 7));
      const most = theirs.reduce((far, value, i) => Math.max(far, Math.abs(value / 65535 - found[name][7 * i])), 0);
      assert.ok(most < TOLERANCE, `${kind}: ${most}`);
    }
    found.logProbs.forEach((value, step) => assert.ok(Math.abs(value - wanted.logProbs[step]) < 1e-3));
  });

test("each word is read as it was written", () => {
  const plain = golden.cases.filter(({ edits }) => !Object.keys(edits).length);
  assert.deepEqual(
    plain.map(({ says }) => says),
    plain.map(({ word }) => word),
  );
});

test("a text is no picture, and is refused", () => {
  for (const text of ["hello", "ink.!", ""])
    assert.throws(() => readingOf(tokenizer, golden.config, text), { why: "source" });
});

// Written words as pictures, and what is read in them: as Python has it (engine_golden.py).

import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf, read, readJson, weightsOf, written } from "./files.js";
import { openModel } from "../../viz/components/engine/open.js";
import { readingOf } from "../../viz/components/engine/reading.js";
import { translate } from "../../viz/components/engine/translate.js";
import { greyOfPixels, fitInk, pictureOfText, textOfPicture } from "../../viz/components/shared/pad/picture.js";
import { rasterizeLines, frameOf } from "../../viz/components/shared/pad/strokes.js";

const golden = readJson("reader_golden.json");
const pieces = readJson("../../pretrained/reader/target.json");
const vocabulary = new TextEncoder().encode(JSON.stringify({ pieces, specials: [0, 1, 2] }));
const weights = read("../../pretrained/reader/model.safetensors").buffer;
const { model, tokenizer } = openModel(golden.config, weights, vocabulary);
const MAPS = { encoder_self: "encoderSelf", decoder_self: "decoderSelf", cross: "cross" };
const TOLERANCE = 1e-4;

/** How many pixels of two texts' pictures differ, and the largest difference. */
function apart(one, other) {
  const [a, b] = [pictureOfText(one), pictureOfText(other)];
  const distances = [...a].map((value, i) => Math.abs(value - b[i]));
  return { largest: Math.max(...distances), count: distances.filter(Boolean).length };
}

test("strokes become the picture that Python makes of them", () => {
  for (const [word, text] of Object.entries(golden.drawn)) {
    const strokes = written(word);
    const lines = strokes.map(({ points }) => ({ points }));
    const { largest, count } = apart(textOfPicture(rasterizeLines(lines, frameOf(strokes))), text);
    assert.ok(largest <= 85 && count <= 8, `${word}: ${count} pixels, ${largest}`);
  }
});

test("a photograph becomes the picture that Python makes of it", () => {
  for (const { height, width, grey, text } of golden.photos) {
    const values = bytesOf(grey);
    const data = new Uint8ClampedArray(4 * values.length).fill(255);
    values.forEach((value, i) => data.fill(value, 4 * i, 4 * i + 3));
    const { largest, count } = apart(textOfPicture(fitInk(greyOfPixels(data, width, height))), text);
    assert.ok(largest <= 85 && count <= 8, `${width} × ${height}: ${count} pixels, ${largest}`);
  }
});

for (const item of golden.cases)
  test(`the reading and every weight are the same: ${item.word} ${JSON.stringify(item.edits)}`, () => {
    const { read: source } = readingOf(tokenizer, golden.config, item.text);
    const translated = translate(model, source, { edits: item.edits });
    assert.deepEqual(translated.target, item.target);
    assert.equal(tokenizer.decode(translated.target), item.says);
    for (const [kind, name] of Object.entries(MAPS)) {
      const expected = weightsOf(item.maps[kind]);
      assert.equal(expected.length, Math.ceil(translated[name].length / 7));
      const largest = expected.reduce((far, value, i) => Math.max(far, Math.abs(value - translated[name][7 * i])), 0);
      assert.ok(largest < TOLERANCE, `${kind}: ${largest}`);
    }
    translated.logProbs.forEach((value, step) => assert.ok(Math.abs(value - item.logProbs[step]) < 1e-3));
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

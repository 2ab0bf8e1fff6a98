// What the stage says of its ribbons, in words.

import assert from "node:assert/strict";
import test from "node:test";
import { lineOf } from "../../viz/components/site/stage/line.js";
import { ribbonsAt } from "../../viz/components/site/stage/tokens.js";

const t = {
  quoted: "“{ $text }”",
  comma: ", ",
  a_space: "a space",
  the_end: "the end",
  line: "To write { $said }: { $seen }.",
  line_source: "{ $seen } for { $said }.",
};
const source = { pieces: ["▁It", "▁is", "▁", "</s>"], ids: [1, 2, 3, 4], words: [0, 1, 2, -1] };
const target = { pieces: ["▁", "猫", "▁", "1", "9"], ids: [1, 2, 3, 4, 5], words: [0, 0, 1, 1, 1] };

/** What the stage says at a step whose head looks at one token alone. */
const said = (/** @type {number} */ step, /** @type {number} */ seen, /** @type {number | null} */ from = null) => {
  const weightsOf = () => Float32Array.from({ length: 20 }, (_, i) => Number(i === 4 * step + seen));
  const at = { step, source: from, head: [0, 0], isOff: false };
  return lineOf(t, { source, target, weightsOf }, at, {}).join("");
};

test("a token that is only a space is said in words", () => {
  assert.equal(said(0, 1), "To write a space: “is”.");
  assert.equal(said(1, 2), "To write “猫”: a space.");
  assert.equal(said(1, 2, 2), "a space for “猫”.");
});

test("the space before a word is not part of its name", () => {
  assert.equal(said(3, 0), "To write “19”: “It”.");
});

test("ribbons go to the step, fainter and whole ones to what is written before, or all from one source token", () => {
  const weightsOf = () => Float32Array.from({ length: 20 }, (_, i) => i / 32);
  const scene = { source, target, weightsOf };
  const at = { head: [0, 0], step: 2, source: null, written: 2 };
  const drawn = ribbonsAt(scene, at).map(({ place, weights, isGrown }) => [place, [...weights], isGrown]);
  const row = (/** @type {number} */ place) => [0, 1, 2, 3].map((i) => (4 * place + i) / 32);
  assert.deepEqual(drawn, [
    [0, row(0), true],
    [1, row(1), true],
    [2, row(2), undefined],
  ]);
  const fromOne = ribbonsAt(scene, { ...at, source: 1 }).map(({ place, weights }) => [place, [...weights]]);
  assert.deepEqual(
    fromOne,
    target.ids.map((_, place) => [place, [0, row(place)[1], 0, 0]]),
  );
});

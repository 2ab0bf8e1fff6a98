// Numbers and words: cells of Inside, the verdict on a change, and the count of steps.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./screen.js";

const { brief, exact } = await import("../../viz/components/inside/js/numbers.js");
const { blockAfter } = await import("../../viz/components/inside/js/screen.js");
const { verdict } = await import("../../viz/components/sentence/outcome.js");
const { Player } = await import("../../viz/components/decoding/js/player.js");
globalThis.Node = class {};
const created = () => Object.assign(new globalThis.Node(), { append: () => undefined });
Object.assign(globalThis.document, { createTextNode: created, createElement: created });

test("a cell has two decimals, fewer of a large number, and one digit of a very small one", () => {
  const expected = [
    [0, "0.00"],
    [3, "3.00"],
    [-3, "−3.00"],
    [9.99, "9.99"],
    [10, "10.0"],
    [-12.34, "−12.3"],
    [100, "100"],
    [1e6, "1.0e+6"],
    [0.004, "0.004"],
    [0.005, "0.01"],
    [0.0001, "0.0001"],
    [0.00009, "0.00"],
    [-0.00009, "0.00"],
    [-0.001, "−0.001"],
    [-Infinity, "−∞"],
    [NaN, "–"],
  ];
  for (const [value, text] of expected) assert.equal(brief(value), text, `${value}`);
});

test("the exact number has six digits and its sign", () => {
  const expected = [
    [0, "0.00000"],
    [-1.5, "−1.50000"],
    [1e-5, "1.0000e-5"],
    [1e-4, "0.000100000"],
    [1e6, "1.0000e+6"],
    [999999, "999999"],
    [-Infinity, "−∞"],
    [NaN, "–"],
  ];
  for (const [value, text] of expected) assert.equal(exact(value), text, `${value}`);
});

test("a sign begins the next block in reading order", () => {
  const at = (row, column) => ({ place: [row, column] });
  const [first, second, below, last] = [at(0, 0), at(0, 3), at(1, 0), at(1, 2)];
  const blocks = [last, below, second, first];
  assert.equal(blockAfter(blocks, [0, 1]), second);
  assert.equal(blockAfter(blocks, [0, 3]), below);
  assert.equal(blockAfter(blocks, [1, 0]), last);
  assert.equal(blockAfter(blocks, [1, 2]), undefined);
});

test("if no word changes, the verdict reports the largest change of a probability, with enough digits to see it", () => {
  const words = {
    verdict_same: "same",
    verdict_probability: "{ $word } { $before } {$after}",
    verdict_said: "{ $before } was, { $after } is",
  };
  const spoken = (shares) => ({ words: ["Ein", "Mann", "isst"], shares, joiner: " " });
  const before = spoken([0.5, 0.904, null]);
  assert.equal(verdict(before, spoken([0.3, 0.95, null]), words).announcement, "Ein 50% 30%");
  assert.equal(verdict(before, spoken([0.504, 0.896, null]), words).announcement, "Mann 90.4% 89.6%");
  assert.equal(verdict(before, spoken([0.504, 0.904, null]), words).announcement, "same");
  assert.equal(verdict(before, spoken([0.5, 0.904, 0.2]), words).announcement, "isst 0% 20%");
  const other = { ...before, words: ["Eine", "Frau"] };
  assert.equal(verdict(before, other, words).announcement, "Ein Mann isst was, Eine Frau is");
});

test("a translation has as many steps as tokens after the start, and one before there is any", () => {
  const count = (path) => Object.assign(Object.create(Player.prototype), { path }).count;
  assert.deepEqual([[], [0], [0, 1], [0, 1, 2]].map(count), [1, 1, 1, 2]);
});

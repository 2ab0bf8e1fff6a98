import assert from "node:assert/strict";
import test from "node:test";
import { exampleCell } from "../../viz/components/attention/js/in_words.js";
import { bare } from "../../viz/components/shared/text.js";

/** A matrix as the map has it, from the words of its rows and columns. */
function matrixOf(rows, columns, values) {
  const [queries, keys] = [rows, columns].map((texts) => ({ texts, special: texts.map((text) => text === "end") }));
  return { rows: rows.length, columns: columns.length, queries, keys, values };
}

test("the first sentence speaks of a long word rather than an article of the same weight", () => {
  const matrix = matrixOf(["une", "magnifique", "."], ["voice", "wonderful", "."], [1, 0, 0, 0.02, 0.98, 0, 0, 0, 1]);
  assert.deepEqual(exampleCell(matrix), [1, 1]);
});

test("a much larger weight goes before a long word", () => {
  const matrix = matrixOf(["une", "magnifique"], ["voice", "wonderful"], [0.9, 0.1, 0.4, 0.6]);
  assert.deepEqual(exampleCell(matrix), [0, 0]);
});

test("without two words that differ it is the largest weight", () => {
  assert.deepEqual(exampleCell(matrixOf([".", "end"], [".", "end"], [0.2, 0.8, 0.1, 0.9])), [1, 1]);
});

test("a piece is drawn without its vocabulary's word mark", () => {
  assert.deepEqual(["▁cat", "Ġcat", "cat", "▁"].map(bare), ["cat", "cat", "cat", "␣"]);
  const breaks = ["Ġ", "Ċ", ".ĊĊ", "ĠĠĠ", "ĊĠĉ", "Ġčas", "č", "Ċetta"]; // as tests/viz/test_single_stack_pages.py
  assert.deepEqual(breaks.map(bare), ["␣", "↵", ".↵↵", "␣␣", "↵␣⇥", "čas", "č", "Ċetta"]);
});

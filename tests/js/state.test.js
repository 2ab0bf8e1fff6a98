// Choices: fitted to what a view can show, carried between kinds, written into addresses; and numbers as text.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./screen.js";
import { bytesOf, readJson } from "./files.js";

const { unpack } = await import("../../viz/components/attention/js/data/unpack.js");
const { alignTexts } = await import("../../viz/components/attention/js/data/transform.js");
const { carryPins, cellNumber, clickedPins, exactNumber, togglePin } =
  await import("../../viz/components/attention/js/data/state.js");
const { exampleCell } = await import("../../viz/components/attention/js/in_words.js");
const { HEAD_VIEWS, fitShown } = await import("../../viz/components/attention/js/views/views.js");
const { isNewEntry, subjectOf } = await import("../../viz/components/shared/address.js");
const { bare, fill, formatFixed, isSpecial, partsOf, percent, sentences } =
  await import("../../viz/components/shared/text.js");

const { defaults, head_views: headViews, views } = readJson("fitting_cases.json");

test("the views of a head are those that Python names, each with a key of its own", () => {
  const namesOf = (some) => some.map(({ name }) => name);
  assert.deepEqual(namesOf(HEAD_VIEWS), headViews.all);
  assert.deepEqual(namesOf(HEAD_VIEWS.filter(({ showsLong }) => showsLong)), headViews.of_long_texts);
  assert.equal(new Set(HEAD_VIEWS.map(({ key }) => key)).size, HEAD_VIEWS.length);
});

for (const [name, { packet, states }] of Object.entries(views))
  test(`the nearest state that a view of ${name} can show is the one that Python finds`, () => {
    const [view] = unpack(bytesOf(packet)).views;
    for (const { state, nearest } of states) assert.deepEqual(fitShown(state, view, defaults), nearest);
  });

test("a pin stays on its token from one kind to another", () => {
  assert.deepEqual(carryPins(["q2", "k5"], "cross", "encoder_self"), ["q5"]);
  assert.deepEqual(carryPins(["q3"], "encoder_self", "cross"), ["k3"]);
  assert.deepEqual(carryPins(["k3"], "decoder_self", "cross"), []);
});

test("pinning a word twice unpins it, whichever piece was pinned", () => {
  const words = { members: [[0], [1, 2]] };
  assert.deepEqual(togglePin([], "q", 1, words), ["q1"]);
  assert.deepEqual(togglePin(["q2", "k0"], "q", 1, words), ["k0"]);
});

test("a click pins a word in place of others, or unpins the only one; with Shift it adds", () => {
  const words = { members: [[0], [1, 2]] };
  const clicked = (pins, unit, isAdded) => clickedPins(pins, "q", unit, words, isAdded);
  assert.deepEqual(clicked([], 1, false), ["q1"]);
  assert.deepEqual(clicked(["q0"], 1, false), ["q1"]);
  assert.deepEqual(clicked(["q0", "q2"], 1, false), ["q1"]);
  assert.deepEqual(clicked(["q2"], 1, false), []);
  assert.deepEqual(clicked(["q0"], 1, true), ["q0", "q1"]);
  assert.deepEqual(clicked(["q0", "q1"], 1, true), ["q0"]);
});

test("an exact number is the shortest that gives back its float32", () => {
  for (const value of [0.1, 1 / 3, 0.0001234567, 1, 0, -0.25, 1e-30]) {
    const text = exactNumber(Math.fround(value)).replace("−", "-");
    assert.equal(Math.fround(Number(text)), Math.fround(value));
  }
  assert.equal(exactNumber(Math.fround(0.1)), "0.1");
  assert.equal(exactNumber(NaN), "NaN");
});

test("a cell's number has two digits, or none where it rounds to nothing", () => {
  assert.deepEqual(
    [0.784, 1, 0.004, 0.999].map((value) => cellNumber(value, false)),
    [".78", "1", "", "1"],
  );
  assert.deepEqual(
    [0.5, -0.5].map((value) => cellNumber(value, true)),
    ["+.50", "−.50"],
  );
});

test("numbers follow the page's language", () => {
  assert.equal(percent(0.1234), "12.3%");
  globalThis.document.documentElement.lang = "fr";
  assert.equal(formatFixed(-1.5), "−1,50");
  assert.match(percent(0.1234), /^12,3[\u00a0\u202f]%$/);
  assert.equal(exactNumber(Math.fround(0.1)), "0,1");
  assert.equal(exactNumber(-1.5e-30), "−1,5e-30");
  assert.deepEqual(
    [0.784, -0.5].map((value) => cellNumber(value, true)),
    ["+0,78", "−0,50"],
  );
  globalThis.document.documentElement.lang = "zh";
  assert.equal(percent(0.1234), "12.3%");
  globalThis.document.documentElement.lang = "en";
});

test("a number is written as the language's own rules write it", () => {
  const values = [0, 0.005, -0.125, 0.5, -998.9951, 998.9, 999.5, 1234.5, -1e6, NaN, Infinity];
  for (let i = 1; i < 400; i++) values.push(Math.sin(i) * 10 ** ((i % 7) - 3));
  for (const lang of ["en", "fr", "zh"])
    for (const digits of [0, 1, 2, 3]) {
      globalThis.document.documentElement.lang = lang;
      const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      for (const value of values)
        assert.equal(
          formatFixed(value, digits),
          value.toLocaleString(lang, options).replace("-", "−"),
          `${lang} ${value}`,
        );
    }
  globalThis.document.documentElement.lang = "en";
});

test("sentences follow each other with a space, and without one after a Chinese mark", () => {
  assert.equal(sentences("One.", "", "Two."), "One. Two.");
  assert.equal(sentences("共占 6.7%。", "单击其一。"), "共占 6.7%。单击其一。");
});

test("templates, pieces and special tokens", () => {
  assert.equal(fill("{ $a } of { $b }", { a: 1, b: "{ $a }" }), "1 of { $a }");
  assert.deepEqual(partsOf("{ $a } of {$b}."), ["", "a", " of ", "b", "."]);
  const counted = (/** @type {any} */ n) => fill("{ $n } { $n ->\n  [one] head\n *[other] heads\n}", { n });
  assert.deepEqual([0, 1, 1001, 2].map(counted), ["0 heads", "1 head", "1001 heads", "2 heads"]);
  globalThis.document.documentElement.lang = "fr";
  assert.deepEqual([0, 1, 2].map(counted), ["0 head", "1 head", "2 heads"]);
  globalThis.document.documentElement.lang = "en";
  assert.deepEqual(["▁house", "▁", "er", "Ġcat"].map(bare), ["house", "␣", "er", "cat"]);
  const breaks = ["Ġ", "Ċ", ".ĊĊ", "ĠĠĠ", "ĊĠĉ", "Ġčas", "č", "Ċetta"]; // as tests/viz/test_single_stack_pages.py
  assert.deepEqual(breaks.map(bare), ["␣", "↵", ".↵↵", "␣␣", "↵␣⇥", "čas", "č", "Ċetta"]);
  assert.deepEqual(["</s>", "[CLS]", "<", "a"].map(isSpecial), [true, true, false, false]);
});

test("tokens of two sentences pair up in order, and what has no counterpart stands alone", () => {
  assert.deepEqual(alignTexts(["a", "b", "c"], ["a", "x", "c"]), [
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
  assert.deepEqual(alignTexts(["a", "c"], ["a", "b", "c"]), [
    [0, 0],
    [-1, 1],
    [1, 2],
  ]);
  assert.deepEqual(alignTexts([], ["a"]), [[-1, 0]]);
});

test("a new sentence, model or page is a new entry of the history, another switch is not", () => {
  const now = { pathname: "/", subject: subjectOf("?text=A+cat.") };
  assert.equal(isNewEntry(new URL("http://x/?text=A+cat.&view=lines"), now), false);
  assert.equal(isNewEntry(new URL("http://x/?text=A+dog."), now), true);
  assert.equal(isNewEntry(new URL("http://x/?text=A+cat.&model=en-de"), now), true);
  assert.equal(isNewEntry(new URL("http://x/decode?text=A+cat."), now), true);
});

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

// Keys: the action of each in the explorer, keys left to the browser, and the order in which Escape undoes things.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./screen.js";
import { handleKey, handleEscape } from "../../viz/components/attention/js/controls/keyboard.js";

/** An explorer that records its calls. */
function explorerWith(state = {}) {
  const calls = [];
  const note =
    (name) =>
    (...values) =>
      calls.push([name, ...values]);
  return {
    calls,
    state: { unit: "pieces", rows: "predicted", sinks: "removed", pins: [], heads: [[0, 0]], zoom: null, ...state },
    view: {
      kinds: new Map([
        ["encoder_self", 1],
        ["cross", 1],
      ]),
    },
    panes: [{ zoomBy: note("zoom") }],
    parts: { help: { root: { hidden: true }, toggle: note("help") }, toolbar: { closeMenu: () => false } },
    update: note("update"),
    move: note("move"),
    present: note("present"),
    point: note("point"),
  };
}

/** Press a key; returns the calls, and whether the browser still gets the key. */
function press(explorer, key, { inField = false, ...modifiers } = {}) {
  let isTaken = false;
  handleKey(explorer, {
    key,
    composedPath: () => [{ matches: () => inField }],
    preventDefault: () => (isTaken = true),
    stopPropagation: () => {},
    ...modifiers,
  });
  return { calls: explorer.calls, isTaken };
}

const callsOf = (key, state) => press(explorerWith(state), key).calls;

test("arrows move over heads and layers", () => {
  assert.deepEqual(callsOf("ArrowLeft"), [["move", 0, -1]]);
  assert.deepEqual(callsOf("ArrowDown"), [["move", 1, 0]]);
});

test("letters of either case choose and cycle", () => {
  assert.deepEqual(callsOf("l"), [["update", { view: "lines" }]]);
  assert.deepEqual(callsOf("L"), [["update", { view: "lines" }]]);
  assert.deepEqual(callsOf("m"), [["update", { view: "map" }]]);
  assert.deepEqual(callsOf("t"), [["update", { view: "text" }]]);
  assert.deepEqual(callsOf("w", { unit: "words" }), [["update", { unit: "pieces" }]]);
  assert.deepEqual(callsOf("r"), [["update", { rows: "fed" }]]);
  assert.deepEqual(callsOf("s"), [["update", { sinks: "shown" }]]);
});

test("a number chooses a kind that the model has", () => {
  assert.deepEqual(callsOf("3"), [["update", { kind: "cross" }]]);
  assert.deepEqual(callsOf("2"), []);
});

test("plus, minus and zero zoom", () => {
  assert.deepEqual(callsOf("+"), [["zoom", 1.6]]);
  assert.deepEqual(callsOf("0"), [["zoom", 0]]);
});

test("unknown keys and those of the browser are ignored", () => {
  for (const [key, modifiers] of [
    ["q", {}],
    ["s", { ctrlKey: true }],
    ["l", { metaKey: true }],
    ["ArrowLeft", { altKey: true }],
  ])
    assert.deepEqual(press(explorerWith(), key, modifiers), { calls: [], isTaken: false });
});

test("keys in a field are ignored, except Escape", () => {
  assert.equal(press(explorerWith(), "m", { inField: true }).isTaken, false);
  assert.equal(press(explorerWith({ pins: ["q1"] }), "Escape", { inField: true }).isTaken, true);
});

test("Escape undoes one thing at a time", () => {
  const explorer = explorerWith({
    pins: ["q1"],
    heads: [
      [0, 0],
      [1, 1],
    ],
    zoom: [0, 0, 2, 2],
  });
  explorer.parts.help.root.hidden = false;
  const steps = [
    ["help", false],
    ["update", { pins: [] }],
    ["update", { heads: [[0, 0]] }],
    ["update", { zoom: null }],
    ["present", false],
  ];
  explorer.isPresenting = true;
  for (const expected of steps) {
    explorer.calls.length = 0;
    handleEscape(explorer);
    assert.deepEqual(explorer.calls, [expected]);
    if (expected[0] === "help") explorer.parts.help.root.hidden = true;
    else if (expected[0] === "update") Object.assign(explorer.state, expected[1]);
  }
});

test("Escape closes an open menu first", () => {
  const explorer = explorerWith({ pins: ["q1"] });
  explorer.parts.toolbar.closeMenu = () => true;
  handleEscape(explorer);
  assert.deepEqual(explorer.calls, []);
});

// Positions of the cells, outlines, labels and numbers that the explorer draws.

import assert from "node:assert/strict";
import { test } from "node:test";
import { context } from "./screen.js";

const js = "../../viz/components/attention/js";
const { mapLayout, paintMap, paintMapFocus } = await import(`${js}/map/map.js`);
const { linesLayout, paintLineTokens } = await import(`${js}/lines/lines.js`);
const { paintLineFocus } = await import(`${js}/views/lines.js`);
const { captionOf } = await import(`${js}/picture/picture.js`);
const { inkedPart, thumbnail } = await import(`${js}/picture/thumbnail.js`);
const { drawGradually } = await import(`${js}/controls/presenting.js`);
const { Explorer } = await import(`${js}/explorer.js`);
const { Pane } = await import(`${js}/pane.js`);

const ramp = { at: (ink) => `ink ${ink}`, textAt: () => "text", words: Uint32Array.from({ length: 256 }, (_, i) => i) };
const theme = { size: 13, small: 11, font: "sans", line: "line", ink: "ink", ramp: () => ramp, hue: () => [0, 0, 0] };
const state = { kind: "cross", view: "map", rows: "q", threshold: 0, scale: "one", palette: "kind", heads: [[0, 0]] };
const units = (texts) => ({ texts, length: texts.length, direction: "ltr", special: texts.map(() => false) });

/** A map whose weights are 0.1, 0.2 and so on. */
function mapOf(rows, columns) {
  const values = Float32Array.from({ length: rows * columns }, (_, at) => (at + 1) / 10);
  return {
    rows,
    columns,
    values,
    queries: units(Array.from({ length: rows }, (_, at) => `q${at}`)),
    keys: units(Array.from({ length: columns }, (_, at) => `k${at}`)),
    isSink: Array(columns).fill(false),
    isHidden: () => false,
    peaks: { byRow: new Float32Array(rows).fill(1), all: 1 },
  };
}

/** Records what is drawn. */
function recorder() {
  const drawn = { rects: [], texts: [] };
  return {
    ...drawn,
    rect: (x, y, width, height, look) => drawn.rects.push({ x, y, width, height, ...look }),
    text: (text, x, y, look) => drawn.texts.push({ text, x, y, ...look }),
    clip: (x, y, width, height, draw) => draw(),
    curve: () => undefined,
  };
}

test("each number is in the middle of its cell, and cells from 27 by 15 pixels have one", () => {
  const matrix = mapOf(2, 3);
  const layout = mapLayout(matrix, theme, { width: 700, height: 480 });
  const painter = recorder();
  paintMap(painter, layout, matrix, state, theme);
  const numbers = painter.texts.filter(({ text }) => /^[.\d]+$/.test(text));
  assert.equal(numbers.length, 6);
  numbers.forEach(({ x, y }, at) => {
    assert.ok(Math.abs(x - layout.x(at % 3) - layout.pitchX / 2) <= 1);
    assert.ok(Math.abs(y - layout.y(Math.floor(at / 3)) - layout.pitchY / 2) <= 1);
  });
  for (const [pitchX, pitchY, expected] of [
    [27, 15, 6],
    [26.9, 15, 0],
    [27, 14.9, 0],
  ]) {
    const small = recorder();
    paintMap(small, { ...layout, pitchX, pitchY }, matrix, state, theme);
    assert.equal(small.texts.filter(({ text }) => /^[.\d]+$/.test(text)).length, expected, `${pitchX} by ${pitchY}`);
  }
});

test("outlines enclose their rows, columns and cell", () => {
  const matrix = mapOf(3, 4);
  const layout = mapLayout(matrix, theme, { width: 700, height: 480 });
  const painter = recorder();
  paintMapFocus(painter, layout, matrix, theme, "hue", { rows: [1], columns: [2], cell: [1, 2] });
  const [row, column, cell] = painter.rects;
  const around = (rect, x, y, width, height) => {
    for (const [outer, inner] of [
      [rect.x, x],
      [rect.y, y],
    ])
      assert.ok(outer <= inner && outer >= inner - 2, `${outer} before ${inner}`);
    assert.ok(Math.abs(rect.width - width) <= 2 && Math.abs(rect.height - height) <= 2);
  };
  around(row, layout.left, layout.y(1), layout.width, layout.pitchY);
  around(column, layout.x(2), layout.top, layout.pitchX, layout.height);
  around(cell, layout.x(2), layout.y(1), layout.pitchX, layout.pitchY);
});

test("two columns of tokens keep a margin of 40 pixels where there is room for links", () => {
  for (const width of [400, 500, 900]) {
    const { ends } = linesLayout(mapOf(3, 3), theme, { kind: "cross", orientation: "vertical", width, height: 400 });
    const [left, right] = ends.map(({ boxes }) => boxes[0]);
    assert.ok(left[0] >= 40 && right[0] + right[2] <= width - 40, `${width}`);
    assert.ok(Math.abs(left[0] - (width - right[0] - right[2])) < 1e-6, "in the middle");
  }
});

test("tokens of the two columns stand next to the links, and weights between them", () => {
  const matrix = mapOf(2, 2);
  const layout = linesLayout(matrix, theme, { kind: "cross", orientation: "vertical", width: 600, height: 300 });
  const [left, right] = layout.ends.map(({ boxes }) => boxes[0]);
  const painter = recorder();
  paintLineTokens(painter, layout, theme, {});
  const [first, second] = [painter.texts[0], painter.texts[2]];
  assert.deepEqual([first.text, first.align], ["k0", "right"]);
  assert.deepEqual([second.text, second.align], ["q0", "left"]);
  assert.ok(first.x <= left[0] + left[2] && second.x >= right[0]);
  for (const [side, beside] of [
    ["q", (x) => x > left[0] + left[2] && x < left[0] + left[2] + 12],
    ["k", (x) => x < right[0] && x > right[0] - 12],
  ]) {
    const shown = recorder();
    const focus = { side, units: [0] };
    paintLineFocus(shown, layout, { matrices: [matrix], colours: ["hue"], theme, state, focus });
    const numbers = shown.texts.filter(({ text }) => /^[.\d]+$/.test(text));
    assert.equal(numbers.length, 2);
    assert.ok(
      numbers.every(({ x }) => beside(x)),
      side,
    );
  }
});

test("a picture says what its rows mean only for a map whose rows could mean two things", () => {
  const explorer = (changes, hasTwoMeanings) => ({
    strings: { cross: "cross-attention", encoder_self: "encoder", rows_are: "rows:", q: "queries" },
    state: { ...state, ...changes },
    views: [{ caption: "A sentence.", hasTwoMeanings, weighting: "raw" }],
    headsIn: () => [[0, 0]],
    headName: () => "",
    headsName: () => "Layer 1 · Head 1",
  });
  const last = (changes, hasTwoMeanings = true) => captionOf(explorer(changes, hasTwoMeanings)).at(-1);
  assert.equal(last({}), "cross-attention · Layer 1 · Head 1 · rows: queries");
  for (const shown of [last({ view: "lines" }), last({}, false)])
    assert.equal(shown, "cross-attention · Layer 1 · Head 1");
  assert.equal(last({ kind: "encoder_self" }), "encoder · Layer 1 · Head 1");
});

test("each pixel of a thumbnail is the largest weight of its cells", () => {
  thumbnail(mapOf(2, 3), state, theme, "cross", 8);
  assert.deepEqual([...new Uint32Array(context.image.data.buffer)], [26, 51, 77, 102, 128, 153]);
  thumbnail(mapOf(2, 4), state, theme, "cross", 2);
  assert.deepEqual([...new Uint32Array(context.image.data.buffer)], [51, 102, 153, 204]);
});

test("a token of one pane corresponds to the token of the other pane with the same text", () => {
  const pane = (texts) => Object.assign(Object.create(Pane.prototype), { unitsOf: () => units(texts) });
  const [first, second] = [pane(["the", "man", "eats"]), pane(["man", "eats", "man"])];
  assert.equal(second.counterpart(first, "q", 1), 0);
  assert.equal(second.counterpart(first, "q", 2), 1);
  assert.equal(second.counterpart(first, "q", 0), null);
  assert.equal(second.counterpart(second, "q", 2), 2);
  assert.equal(second.counterpart(first, "q", null), null);
});

test("strips of two widths correspond by their place in the picture, and are not subtracted", () => {
  const picture = new Uint8Array(384 * 32);
  const strips = (strip) => {
    const numbers = Array.from({ length: 384 / strip }, (_, at) => at);
    return { ...units(numbers.map(String)), picture, strip, strips: numbers };
  };
  const pane = (strip) => Object.assign(Object.create(Pane.prototype), { unitsOf: () => strips(strip) });
  const [coarse, fine] = [pane(6), pane(4)];
  for (const [from, to, expected] of [
    [coarse, fine, [0, 2, 3, 5]],
    [fine, coarse, [0, 1, 1, 2]],
  ])
    assert.deepEqual(
      [0, 1, 2, 3].map((strip) => to.counterpart(from, "k", strip)),
      expected,
    );
  const { get } = Object.getOwnPropertyDescriptor(Explorer.prototype, "canSubtract");
  const canSubtract = (kind, ...widths) => {
    const views = widths.map((strip) => ({ source: { strip }, kinds: new Map([[kind, { layers: 1, heads: 2 }]]) }));
    return get.call({ views, state: { kind } });
  };
  assert.deepEqual([canSubtract("cross", 6, 4), canSubtract("cross", 4, 4)], [false, true]);
  assert.equal(canSubtract("decoder_self", 6, 4), true);
});

test("only the head that is switched off counts as off", () => {
  const { isOff } = Explorer.prototype;
  const explorer = { view: { off: [["cross", 1, 2]] }, state: { kind: "cross" } };
  const off = [0, 1, 2].flatMap((layer) =>
    [0, 1, 2].filter((head) => isOff.call(explorer, layer, head)).map((head) => [layer, head]),
  );
  assert.deepEqual(off, [[1, 2]]);
  assert.equal(isOff.call({ ...explorer, state: { kind: "decoder_self" } }, 1, 2), false);
});

test("a destroyed explorer publishes nothing more to the stage", () => {
  const frames = new Map();
  globalThis.requestAnimationFrame = (act) => frames.set(1, act) && 1;
  globalThis.cancelAnimationFrame = (frame) => frames.delete(frame);
  globalThis.document.documentElement.removeAttribute = () => undefined;
  const calls = [];
  const fields = {
    hovering: null,
    frame: null,
    panes: [],
    parts: { card: { inWords: { show: () => undefined } } },
    bridge: { shade: () => calls.push("shade"), destroy: () => calls.push("withdrawn") },
    reporter: { flush: () => undefined },
    stopFollowing: () => undefined,
    root: { dataset: {}, remove: () => undefined },
  };
  const explorer = Object.create(Explorer.prototype, Object.getOwnPropertyDescriptors(fields));
  explorer.point({ row: 1, column: null });
  explorer.destroy();
  for (const act of frames.values()) act();
  assert.deepEqual(calls, ["withdrawn"]);
});

test("an explorer that is removed during its first drawing can be drawn later", async () => {
  globalThis.requestAnimationFrame = (act) => setTimeout(act);
  const [toolbar, grid, card] = [1, 2, 3].map(() => ({ root: { style: {} } }));
  const root = { isConnected: false, style: {} };
  const explorer = { root, parts: { toolbar, grid, card }, isBegun: true, isGradual: false };
  await drawGradually(explorer);
  assert.deepEqual([root.hidden, explorer.isBegun, explorer.isGradual], [false, true, false]);
  assert.deepEqual(
    [root, toolbar.root, grid.root, card.root].map(({ style }) => style.display ?? ""),
    ["", "", "", ""],
  );
});

test("a thumbnail of a picture has one column for all strips after the ink", () => {
  const picture = new Uint8Array(384 * 32);
  picture[384 + 11] = 255; // ink ends in the second strip
  const values = Float32Array.from([0.5, 0.1, 0.1, 0.3, 0.2, 0, 0, 0, 0, 0.6]);
  const peaks = { all: 0.6, byRow: Float32Array.from([0.5, 0.6]) };
  const whole = {
    rows: 2,
    columns: 5,
    values,
    peaks,
    isSink: Array(5).fill(false),
    queries: {},
    keys: { picture, strip: 6 },
  };
  const { rows, columns, values: merged } = inkedPart(whole);
  assert.deepEqual([rows, columns, ...merged], [2, 3, ...Float32Array.from([0.5, 0.1, 0.3, 0, 0, 0.6])]);
  assert.equal(inkedPart({ ...whole, keys: {} }).columns, 5);
});

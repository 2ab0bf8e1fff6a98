// Layouts of the map, the lines between tokens, and the tree of a beam search.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./screen.js";

const { mapLayout, windowOf } = await import("../../viz/components/attention/js/map/map.js");
const { groupLinks, linesLayout, linkCurve, linksOf } =
  await import("../../viz/components/attention/js/lines/lines.js");
const { layOut } = await import("../../viz/components/decoding/js/layout.js");
const { pitchOf } = await import("../../viz/components/decoding/js/mask.js");
const { strongest } = await import("../../viz/components/attention/js/data/transform.js");

const theme = { size: 13, small: 11, font: "sans" };
const units = (texts, direction = "ltr") => ({ texts, length: texts.length, direction });
const matrix = (rows, columns, texts = (n) => Array.from({ length: n }, (_, at) => `t${at}`)) => ({
  rows,
  columns,
  values: Float32Array.from({ length: rows * columns }, (_, at) => ((at * 7919) % 101) / 101),
  queries: units(texts(rows)),
  keys: units(texts(columns)),
  isSink: Array(columns).fill(false),
  greyed: false,
  peaks: { byRow: new Float32Array(rows).fill(1), all: 1 },
});

test("a map fills its room and no more, at every size", () => {
  for (const [rows, columns] of [
    [1, 1],
    [7, 9],
    [40, 3],
    [512, 512],
  ]) {
    const { left, top, width, height, x, y } = mapLayout(matrix(rows, columns), theme, { width: 700, height: 480 });
    assert.ok(left + width <= 700, `${columns} columns`);
    assert.ok(top + height <= Math.max(480, top + rows), `${rows} rows`);
    assert.equal(x(0), left);
    assert.equal(y(0), top);
    assert.ok(Math.abs(x(columns) - left - width) < 1e-6);
  }
});

test("the labels of the rows fit beside the map", () => {
  const { left } = mapLayout(
    matrix(4, 4, (n) => Array(n).fill("government")),
    theme,
    { width: 800, height: 400 },
  );
  assert.ok(left - 8 >= 6 * "government".length, `${left}`); // they end 8 pixels before the map
});

test("a long word is whole where cells leave room, beside the map, above it and in the lines", () => {
  const word = "प्रतिनिधित्वप्रतिनिधित्वप्रति"; // 29 characters of 6 pixels, as screen.js measures them
  const room = { width: 1000, height: 560 };
  const wide = matrix(4, 4, (n) => Array(n).fill(word));
  const { left, label, width } = mapLayout(wide, theme, room);
  assert.ok(left - 12 >= 6 * word.length && label >= 6 * word.length, `${left} ${label}`);
  assert.ok(left + width + 0.7 * label <= room.width, "the last label leans over the edge");
  const crowded = mapLayout(
    matrix(60, 60, (n) => Array(n).fill(word)),
    theme,
    room,
  );
  assert.ok(crowded.label <= 130 && crowded.left <= 164);
  const [end] = linesLayout(wide, theme, { kind: "cross", orientation: "horizontal", ...room }).ends;
  assert.ok(end.room >= 6 * word.length && end.boxes[3][0] + end.boxes[3][2] <= room.width);
  const { ends } = linesLayout(
    matrix(30, 30, (n) => Array(n).fill(word)),
    theme,
    { kind: "cross", orientation: "horizontal", ...room },
  );
  assert.equal(ends[0].room, 150);
});

test("column labels are flat where they fit, else slanted, else vertical", () => {
  const at = (width, columns) => mapLayout(matrix(4, columns), theme, { width, height: 400 });
  assert.equal(at(800, 4).isFlat, true);
  const leaning = mapLayout(
    matrix(4, 20, (n) => Array(n).fill("government")),
    theme,
    { width: 800, height: 400 },
  );
  assert.deepEqual([leaning.isFlat, leaning.isSteep], [false, false]);
  assert.equal(at(400, 60).isSteep, true);
});

test("a zoom stays inside the map and shows at least two tokens a side", () => {
  assert.deepEqual(windowOf(matrix(8, 6), null), [0, 0, 8, 6]);
  assert.deepEqual(windowOf(matrix(8, 6), [7, 5, 4, 3]), [4, 3, 4, 3]);
  assert.deepEqual(windowOf(matrix(8, 6), [-3, -3, 0.5, 0.5]), [0, 0, 2, 2]);
  assert.deepEqual(windowOf(matrix(1, 6), [0, 0, 1, 2]), [0, 0, 1, 2]);
});

test("tokens of the lines do not overlap, in both orientations and scripts", () => {
  const shown = matrix(9, 12);
  for (const orientation of ["vertical", "horizontal"]) {
    for (const direction of ["ltr", "rtl"]) {
      shown.keys.direction = direction;
      const layout = linesLayout(shown, theme, { kind: "cross", orientation, width: 900, height: 500 });
      for (const { boxes } of layout.ends) {
        const [place, size] = orientation === "vertical" ? [1, 3] : [0, 2];
        const sorted = [...boxes].sort((a, b) => a[place] - b[place]);
        for (let i = 1; i < sorted.length; i++)
          assert.ok(sorted[i - 1][place] + sorted[i - 1][size] <= sorted[i][place] + 1e-6, `${orientation} ${i}`);
      }
    }
  }
});

test("right-to-left tokens run from right to left", () => {
  const shown = matrix(3, 3);
  shown.keys.direction = "rtl";
  const { ends } = linesLayout(shown, theme, { kind: "cross", orientation: "horizontal", width: 900, height: 400 });
  const { boxes } = ends.find(({ side }) => side === "k");
  assert.ok(boxes[0][0] > boxes[1][0] && boxes[1][0] > boxes[2][0]);
});

test("a link joins its query to its key", () => {
  const shown = matrix(3, 4);
  const layout = linesLayout(shown, theme, { kind: "cross", orientation: "vertical", width: 900, height: 400 });
  const curve = linkCurve(layout, 2, 1);
  const [key, query] = layout.ends; // the source stands left in cross-attention
  assert.deepEqual(curve.slice(0, 2), key.joint(1));
  assert.deepEqual(curve.slice(-2), query.joint(2));
});

test("links are the strongest cells above the threshold", () => {
  const shown = matrix(20, 20);
  const sorted = [...shown.values].sort((a, b) => b - a);
  assert.deepEqual(
    strongest(shown, 5).map(([, , weight]) => weight),
    sorted.slice(0, 5),
  );
  const [links] = linksOf([shown], { threshold: 0.5, curve: "linear", scale: "common" });
  assert.equal(links.length, sorted.filter((weight) => weight > 0.5).length);
  const groups = groupLinks([links], 0, 20)[0];
  assert.equal(groups.flat().length, links.length);
  groups.forEach((group, row) => assert.ok(group.every(([from]) => from === row)));
});

test("nodes of the beam tree do not overlap, and the best path is straight", () => {
  const root = { depth: 0, isBest: true, search: 0, fate: "kept", piece: "<s>", score: 0, normalised: 0 };
  const nodes = [{ ...root, parentNode: null }];
  for (let depth = 1; depth < 6; depth++) {
    const parents = nodes.filter((node) => node.depth === depth - 1 && node.fate === "kept");
    parents.forEach((parentNode, at) => {
      for (let child = 0; child < 3; child++) {
        const isBest = parentNode.isBest && child === 0;
        const fate = child === 2 || (at > 0 && child === 1) ? "pruned" : "kept";
        nodes.push({ ...root, depth, isBest, fate, parentNode, piece: `▁word${child}`, score: -child - at });
      }
    });
  }
  const { columns, width } = layOut(nodes, {});
  const pitch = (a, b) => ((a.isSmall ? 21 : 34) + (b.isSmall ? 21 : 34)) / 2;
  for (const column of columns)
    for (let i = 1; i < column.length; i++)
      assert.ok(column[i].y - column[i - 1].y >= pitch(column[i], column[i - 1]) - 1e-6);
  assert.ok(nodes.every(({ x, width: size }) => x + size <= width + 1e-6));
  assert.deepEqual([...new Set(nodes.filter(({ isBest }) => isBest).map(({ y }) => Math.round(y)))], [0]);
});

test("the causal mask stays inside its card, however long the translation is", () => {
  for (const rows of [1, 8, 97, 98, 99, 136, 512]) assert.ok(rows * pitchOf(rows) <= 196 + 1e-9, `${rows} rows`);
  assert.deepEqual([pitchOf(1), pitchOf(8), pitchOf(20)], [22, 22, 9]);
});

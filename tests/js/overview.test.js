// Where the parts of the map of the whole model stand, at each width.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./elements.js";

globalThis.getComputedStyle = () => ({ fontFamily: "sans" });
const { planLayout, sideBySide } = await import("../../viz/components/overview/layout.js");

const PARTS = {
  encoder: [["encoder_self", "encoder_self"], ["encoder.feed"]],
  decoder: [["decoder_self", "decoder_self"], ["cross", "cross"], ["decoder.feed"]],
};
const partOf = ([name, kind = ""]) => ({ name, words: "part", kind, heads: [] });
const tokenOf = (text) => ({ text, is_lit: true, side: "source", index: 0 });
const stackOf = (name, nLayers) => ({
  title: name,
  caption: name,
  rows: [
    { label: "", parts: [partOf([`${name}.embedding`])] },
    ...Array.from({ length: nLayers }, (_, layer) => ({
      label: String(layer),
      parts: layer === 1 ? [] : PARTS[name].map(([part, kind]) => partOf([`${part}.${layer}`, kind])),
    })),
    { label: "", parts: [partOf([`${name}.output`])] },
  ],
  tokens: ["a", "government", "▁"].map(tokenOf),
});
const words = { encoder: "Encoder", decoder: "Decoder" };
const PLANS = {
  both: [stackOf("encoder", 4), stackOf("decoder", 2)],
  deeper: [stackOf("encoder", 2), stackOf("decoder", 6)],
  one: [stackOf("encoder", 3)],
};

for (const room of [0, 320, 390, 760, 1000, 1400])
  for (const [name, stacks] of Object.entries(PLANS))
    test(`at ${room} pixels boxes and tokens of "${name}" are on the map and cover nothing`, () => {
      const shown = planLayout({ plan: { stacks, candidates: [], predicted: "" }, words }, room);
      const tokens = shown.tokens.map((token) => ({ ...token, y: token.y - 14, height: 20, name: token.text }));
      const all = [...shown.boxes, ...tokens];
      for (const one of all) {
        const { x, y, width, height } = one;
        assert.ok(x >= 0 && x + width <= shown.width && y >= 0 && y + height <= shown.height, one.name);
        for (const other of all) {
          if (other === one) continue;
          const isBeside = x + width <= other.x || other.x + other.width <= x;
          assert.ok(isBeside || y + height <= other.y || other.y + other.height <= y, `${one.name}, ${other.name}`);
        }
      }
      const crosses = shown.boxes.filter(({ kind }) => kind === "cross").length;
      assert.equal(shown.paths.filter(([flow]) => flow === "memory").length, crosses);
      const rows = stacks.reduce((sum, stack) => sum + stack.rows.length - 1, 0);
      assert.equal(shown.paths.filter(([flow]) => flow === "stream").length, rows);
      assert.ok(!shown.paths.some(([, d]) => d.includes("NaN")));
    });

test("tokens stand beside each other within the room of their stack", () => {
  for (const texts of [Array(40).fill("a"), Array(12).fill("government"), ["a", "government", ""]]) {
    const { tokens } = sideBySide(texts.map(tokenOf), 24, 372);
    assert.equal(tokens[0].x, 24);
    const ends = tokens.map(({ x, width }) => x + width);
    assert.ok(ends[ends.length - 1] <= 24 + 372);
    assert.ok(tokens.slice(1).every(({ x }, place) => ends[place] < x));
    assert.equal(tokens[1].width, Math.max(...tokens.map(({ width }) => width)));
  }
});

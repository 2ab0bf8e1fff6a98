// The motion and the arithmetic of one step of a head.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./elements.js";

const { writeOut } = await import("../../viz/components/inside/js/arithmetic.js");
const { Motion } = await import("../../viz/components/inside/js/motion.js");

const block = (name, values) => ({ name, shape: [values.length, 1], at: (row) => values[row] });

test("the softmax settles in the block that is drawn, which on a narrow screen is a copy", async () => {
  let now = 0;
  Object.defineProperty(globalThis, "performance", { value: { now: () => (now += 200) } });
  globalThis.requestAnimationFrame = (act) => setTimeout(act);
  const [scores, weights] = [block("scores", [0, Math.log(3)]), block("weights", [0.25, 0.75])];
  const drawn = [];
  const copy = { ...weights };
  const view = {
    root: { isConnected: true },
    header: {
      find: { scores, weights },
      focus: ["weights", 0, 0],
      rules: [{ of: "weights", how: "softmax", parts: ["scores"], over: "column" }],
    },
    drawings: { weights: { block: copy, redraw: () => drawn.push(copy.at(1, 0)) } },
  };
  assert.equal(await new Motion(view, () => {}).play(), true);
  assert.ok(drawn.length > 3 && drawn[0] > 0.5 && drawn[0] < 0.6, `${drawn}`);
  assert.deepEqual(
    drawn.toSorted((a, b) => a - b),
    drawn,
  );
  assert.ok(Math.abs(drawn.at(-1) - 0.75) < 1e-9);
  assert.equal(copy.at, weights.at); // its own numbers again
});

test("a squeezed score is written as the hyperbolic tangent of what it was", () => {
  const header = { find: { divided: { at: () => 40 } }, words: {} };
  const nodes = writeOut(header, { of: "scaled", how: "cap", parts: ["divided"], factor: 50 }, [0, 0], false);
  assert.equal(nodes.map((node) => node.textContent ?? node).join(""), "50.0 × tanh( 40.0 ÷ 50.0 )");
});

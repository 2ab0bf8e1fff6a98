// The static page's stage while no translation is on it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Stage } from "../../viz/components/site/stage/stage.js";
import { showMatters } from "../../viz/components/site/desk/matter.js";

test("a walk through the model moves no stage that waits for another sentence", () => {
  const moved = [];
  const stage = {
    scene: null,
    step: 0,
    halt: () => undefined,
    draw: () => undefined,
    on: { moved: (at) => moved.push(at) },
  };
  Stage.prototype.go.call(stage, 3);
  assert.deepEqual([stage.step, moved], [0, []]);
});

test("heads are tried on while the explorer is made anew in another language", () => {
  assert.equal(showMatters({ explorer: null, trace: {} }), undefined);
});

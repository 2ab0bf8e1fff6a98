// The static page's stage while no translation is on it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { StagePlayer } from "../../viz/components/site/stage/player.js";
import { showMatters, tryHeads } from "../../viz/components/site/desk/matter.js";

test("a walk through the model moves no stage that waits for another sentence", () => {
  const moved = [];
  const stage = {
    scene: null,
    step: 0,
    pauseByReader: () => undefined,
    draw: () => undefined,
    on: { moved: (at) => moved.push(at) },
  };
  StagePlayer.prototype.go.call(stage, 3);
  assert.deepEqual([stage.step, moved], [0, []]);
});

test("heads are tried on while the explorer is made anew in another language", () => {
  assert.equal(showMatters({ explorer: null, trace: {} }), undefined);
});

/** A page whose worker answers when it is told to. */
function pageOfHeads() {
  const asked = [];
  const trace = { logProbs: [-1], edits: {}, main: "cross" };
  const heads = {
    note: {},
    effects: new Map(),
    trying: null,
    tries: (each) => (heads.trying = each),
    forget: () => (heads.effects = new Map()),
  };
  const score = () => new Promise((resolve, reject) => asked.push({ resolve, reject }));
  const desk = { about: {}, trace, runner: { score } };
  const t = { matter_running: "{ $done } of { $total }", matter_done: "done", failed_again: "failed" };
  const page = { heads, desk, isLive: true, t, stage: { scene: { layers: 1, heads: 3 } }, drawHeads: () => undefined };
  return { page, asked };
}

test("heads are tried once however often the button is pressed, and the second press stops them", async () => {
  const { page, asked } = pageOfHeads();
  const first = tryHeads(page);
  await tryHeads(page);
  asked[0].resolve({ logProb: -2 });
  await first;
  assert.deepEqual([asked.length, page.heads.effects.size, page.heads.trying], [1, 0, null]);
});

test("pressed a third time before the first answer has come, they are tried once more and not twice at a time", async () => {
  const { page, asked } = pageOfHeads();
  const first = tryHeads(page);
  await tryHeads(page);
  const second = tryHeads(page);
  for (const at of [0, 1, 2, 3]) {
    asked[at].resolve({ logProb: -2 });
    await new Promise(setImmediate);
  }
  await Promise.all([first, second]);
  assert.deepEqual([asked.length, page.heads.note.textContent], [4, "done"]);
});

test("a worker that fails while heads are tried is said to have, and they can be tried again", async () => {
  const { page, asked } = pageOfHeads();
  const first = tryHeads(page);
  asked[0].reject({ why: "other" });
  await first;
  assert.deepEqual([page.heads.note.textContent, page.heads.trying], ["failed", null]);
  const second = tryHeads(page);
  for (const at of [1, 2, 3]) {
    asked[at].resolve({ logProb: -2 });
    await new Promise(setImmediate);
  }
  await second;
  assert.deepEqual([page.heads.note.textContent, page.heads.effects.get("0.2")], ["done", -1]);
});

// The static page: its stage without a translation, the line in words, the measurement of heads, and the worker of the open
// model (its responses, and its termination when another model replaces it).

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { lineOf } from "../../viz/components/site/stage/view.js";
import { StagePlayer } from "../../viz/components/site/stage/player.js";
import { ribbonsAt } from "../../viz/components/site/stage/tokens.js";
import { Runner } from "../../viz/components/site/runner.js";
import { showMatters, toggleMeasurement } from "../../viz/components/site/desk/matter.js";

test("going to a step does nothing while a translation is awaited", () => {
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

test("without an explorer, as while it is rebuilt, the measurement is not shown", () => {
  assert.equal(showMatters({ explorer: null, trace: {} }), undefined);
});

/** A page whose worker resolves requests when the test does. */
function pageOfHeads() {
  const requests = [];
  const trace = { logProbs: [-1], edits: {}, main: "cross" };
  const heads = {
    note: {},
    effects: new Map(),
    run: null,
    setRun: (run) => (heads.run = run),
    clearEffects: () => (heads.effects = new Map()),
  };
  const score = () => new Promise((resolve, reject) => requests.push({ resolve, reject }));
  const desk = { about: {}, trace, runner: { score } };
  const t = { matter_running: "{ $done } of { $total }", matter_done: "done", failed_again: "failed" };
  const page = { heads, desk, isLive: true, t, stage: { scene: { layers: 1, heads: 3 } }, drawHeads: () => undefined };
  return { page, requests };
}

test("a second press stops the measurement of heads", async () => {
  const { page, requests } = pageOfHeads();
  const first = toggleMeasurement(page);
  await toggleMeasurement(page);
  requests[0].resolve({ logProb: -2 });
  await first;
  assert.deepEqual([requests.length, page.heads.effects.size, page.heads.run], [1, 0, null]);
});

test("a third press before the first response starts one measurement, not two", async () => {
  const { page, requests } = pageOfHeads();
  const first = toggleMeasurement(page);
  await toggleMeasurement(page);
  const second = toggleMeasurement(page);
  for (const at of [0, 1, 2, 3]) {
    requests[at].resolve({ logProb: -2 });
    await new Promise(setImmediate);
  }
  await Promise.all([first, second]);
  assert.deepEqual([requests.length, page.heads.note.textContent], [4, "done"]);
});

test("a failed measurement is reported and can be repeated", async () => {
  const { page, requests } = pageOfHeads();
  const first = toggleMeasurement(page);
  requests[0].reject({ why: "other" });
  await first;
  assert.deepEqual([page.heads.note.textContent, page.heads.run], ["failed", null]);
  const second = toggleMeasurement(page);
  for (const at of [1, 2, 3]) {
    requests[at].resolve({ logProb: -2 });
    await new Promise(setImmediate);
  }
  await second;
  assert.deepEqual([page.heads.note.textContent, page.heads.effects.get("0.2")], ["done", -1]);
});

const WORDS = {
  quoted: "“{ $text }”",
  comma: ", ",
  a_space: "a space",
  the_end: "the end",
  line: "To write { $said }: { $seen }.",
  line_source: "{ $seen } for { $said }.",
};
const source = { pieces: ["▁It", "▁is", "▁", "</s>"], ids: [1, 2, 3, 4], words: [0, 1, 2, -1] };
const target = { pieces: ["▁", "猫", "▁", "1", "9"], ids: [1, 2, 3, 4, 5], words: [0, 0, 1, 1, 1] };

/** The line of a step whose head has all its weight on one token. */
const lineAt = (/** @type {number} */ step, /** @type {number} */ seen, /** @type {number | null} */ from = null) => {
  const weightsOf = () => Float32Array.from({ length: 20 }, (_, i) => Number(i === 4 * step + seen));
  const at = { step, source: from, head: [0, 0], isOff: false };
  return lineOf(WORDS, { source, target, weightsOf }, at, {}).join("");
};

test("the line names a token that is only a space in words", () => {
  assert.equal(lineAt(0, 1), "To write a space: “is”.");
  assert.equal(lineAt(1, 2), "To write “猫”: a space.");
  assert.equal(lineAt(1, 2, 2), "a space for “猫”.");
});

test("the space before a word is not part of its name", () => {
  assert.equal(lineAt(3, 0), "To write “19”: “It”.");
});

test("the ribbons are those of the step, with fainter ones of written tokens, or those of a source token", () => {
  const weightsOf = () => Float32Array.from({ length: 20 }, (_, i) => i / 32);
  const scene = { source, target, weightsOf };
  const at = { head: [0, 0], step: 2, source: null, written: 2 };
  const drawn = ribbonsAt(scene, at).map(({ place, weights, isGrown }) => [place, [...weights], isGrown]);
  const row = (/** @type {number} */ place) => [0, 1, 2, 3].map((i) => (4 * place + i) / 32);
  assert.deepEqual(drawn, [
    [0, row(0), true],
    [1, row(1), true],
    [2, row(2), undefined],
  ]);
  const ofSource = ribbonsAt(scene, { ...at, source: 1 }).map(({ place, weights }) => [place, [...weights]]);
  assert.deepEqual(
    ofSource,
    target.ids.map((_, place) => [place, [0, row(place)[1], 0, 0]]),
  );
});

let workers;
globalThis.Worker = class {
  requests = [];
  isTerminated = false;

  constructor() {
    workers.push(this);
  }

  postMessage(message) {
    this.requests.push(message);
  }

  terminate() {
    this.isTerminated = true;
  }

  send(message) {
    this.onmessage({ data: message });
  }
};

let runner, progress;
beforeEach(() => {
  workers = [];
  progress = [];
  runner = new Runner({ progress: (...bytes) => progress.push(bytes), step: () => undefined });
});

test("while two models are opened in turn, neither failure nor progress of the first reaches the second", async () => {
  const first = runner.open("first");
  const rejected = assert.rejects(first, { why: "closed" });
  const second = runner.open("second");
  await rejected;
  const [replaced, current] = workers;
  assert.deepEqual([replaced.isTerminated, current.isTerminated], [true, false]);
  replaced.send({ kind: "progress", done: 1, total: 9 });
  replaced.send({ kind: "failed", id: replaced.requests[0].id, why: "network" });
  replaced.onerror?.();
  current.send({ kind: "progress", done: 5, total: 9 });
  current.send({ kind: "loaded", id: current.requests[0].id, about: "the second" });
  assert.equal(await second, "the second");
  assert.deepEqual(progress, [[5, 9]]);
  const response = runner.translate("a sentence", {}, []);
  replaced.send({ kind: "trace", id: current.requests[1].id, text: "of the first" });
  current.send({ kind: "trace", id: current.requests[1].id, text: "of the second" });
  assert.equal((await response).text, "of the second");
});

test("the requests of a worker whose code did not load fail, and the next model has another worker", async () => {
  const first = runner.open("first");
  workers[0].onerror();
  await assert.rejects(first, { why: "network" });
  await assert.rejects(runner.translate("a sentence", {}, []), { why: "closed" });
  const second = runner.open("second");
  workers[1].send({ kind: "loaded", id: workers[1].requests[0].id, about: "the second" });
  assert.equal(await second, "the second");
});

test("a failed response rejects its request, another one resolves it", async () => {
  const opening = runner.open("model");
  const [worker] = workers;
  worker.send({ kind: "loaded", id: worker.requests[0].id, about: {} });
  await opening;
  const [first, second] = ["a", "b"].map((text) => runner.translate(text, {}, []));
  worker.send({ kind: "failed", id: worker.requests[1].id, why: "long" });
  worker.send({ kind: "trace", id: worker.requests[2].id, text: "B" });
  await assert.rejects(first, { why: "long" });
  assert.equal((await second).text, "B");
});

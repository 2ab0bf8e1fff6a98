// The worker of the open model: one that another model has replaced is terminated, and no longer heard.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

let workers;
globalThis.Worker = class {
  asked = [];
  isTerminated = false;

  constructor() {
    workers.push(this);
  }

  postMessage(message) {
    this.asked.push(message);
  }

  terminate() {
    this.isTerminated = true;
  }

  say(message) {
    this.onmessage({ data: message });
  }
};
const { Runner } = await import("../../viz/components/site/runner.js");

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
  const [one, other] = workers;
  assert.deepEqual([one.isTerminated, other.isTerminated], [true, false]);
  one.say({ kind: "progress", done: 1, total: 9 });
  one.say({ kind: "failed", id: one.asked[0].id, why: "network" });
  one.onerror?.();
  other.say({ kind: "progress", done: 5, total: 9 });
  other.say({ kind: "loaded", id: other.asked[0].id, about: "the second" });
  assert.equal(await second, "the second");
  assert.deepEqual(progress, [[5, 9]]);
  const asked = runner.translate("a sentence", {}, []);
  one.say({ kind: "trace", id: other.asked[1].id, text: "of the first" });
  other.say({ kind: "trace", id: other.asked[1].id, text: "of the second" });
  assert.equal((await asked).text, "of the second");
});

test("a worker whose code did not come fails what it was asked, and the next model has another", async () => {
  const first = runner.open("first");
  workers[0].onerror();
  await assert.rejects(first, { why: "network" });
  await assert.rejects(runner.translate("a sentence", {}, []), { why: "closed" });
  const second = runner.open("second");
  workers[1].say({ kind: "loaded", id: workers[1].asked[0].id, about: "the second" });
  assert.equal(await second, "the second");
});

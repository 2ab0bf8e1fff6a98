// The worker of the open model: its responses, and its termination when another model replaces it.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

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

// Values and acts that one component publishes reach a component that mounts later.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

beforeEach(() => (globalThis.window = { location: { pathname: "/explore" } }));
const { requestAct, dropQueuedAct, subscribe, handleActs, publish, withdraw } =
  await import("../../viz/components/shared/signals.js");

test("a later subscriber receives the current value, until it is withdrawn", () => {
  const [view, received] = [{}, []];
  publish("shade", "first", view);
  publish("shade", "second", view);
  subscribe("shade", (value) => received.push(value));
  withdraw("shade", view);
  withdraw("shade", view);
  assert.deepEqual(received, ["second", null]);
});

test("the values of other publishers remain when one is withdrawn", () => {
  const [old, next, received] = [{}, {}, []];
  publish("shade", "old", old);
  publish("shade", "next", next);
  publish("shade", "old again", old);
  subscribe("shade", (value) => received.push(value));
  withdraw("shade", old);
  assert.deepEqual(received, ["old again", "next"]);
});

test("a queued act goes to the first view of its page, once", () => {
  const handled = [];
  requestAct({ index: 1 });
  requestAct({ index: 2 });
  const removeHandler = handleActs(({ index }) => handled.push(index));
  requestAct({ index: 3 });
  removeHandler();
  handleActs(({ index }) => handled.push(-index));
  assert.deepEqual(handled, [2, 3]);
});

test("a queued act is dropped on another page or for another sentence", () => {
  const handled = [];
  requestAct({ index: 1 });
  globalThis.window.location.pathname = "/inside";
  handleActs(({ index }) => handled.push(index))();
  requestAct({ index: 2 });
  dropQueuedAct();
  handleActs(({ index }) => handled.push(index));
  assert.deepEqual(handled, []);
});

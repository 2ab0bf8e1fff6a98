// What parts of a page tell each other reaches a part that mounts late.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

beforeEach(() => (globalThis.window = { location: { pathname: "/explore" } }));
const { ask, dropWaiting, follow, serveActs, tell, withdraw } = await import("../../viz/components/shared/signals.js");

test("a value that was told is heard by one who listens later, until it is withdrawn", () => {
  const [view, heard] = [{}, []];
  tell("shade", "first", view);
  tell("shade", "second", view);
  follow("shade", (value) => heard.push(value));
  withdraw("shade", view);
  withdraw("shade", view);
  assert.deepEqual(heard, ["second", null]);
});

test("a view that leaves takes only its own value with it", () => {
  const [old, next, heard] = [{}, {}, []];
  tell("shade", "old", old);
  tell("shade", "next", next);
  tell("shade", "old again", old);
  follow("shade", (value) => heard.push(value));
  withdraw("shade", old);
  assert.deepEqual(heard, ["old again", "next"]);
});

test("an act waits for the first view of its page, once", () => {
  const taken = [];
  ask({ index: 1 });
  ask({ index: 2 });
  const leave = serveActs(({ index }) => taken.push(index));
  ask({ index: 3 });
  leave();
  serveActs(({ index }) => taken.push(-index));
  assert.deepEqual(taken, [2, 3]);
});

test("an act does not wait for another page or another sentence", () => {
  const taken = [];
  ask({ index: 1 });
  globalThis.window.location.pathname = "/inside";
  serveActs(({ index }) => taken.push(index))();
  ask({ index: 2 });
  dropWaiting();
  serveActs(({ index }) => taken.push(index));
  assert.deepEqual(taken, []);
});

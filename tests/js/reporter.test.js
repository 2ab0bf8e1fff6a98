// A change is reported at once; later changes within a short time are reported together.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Reporter } from "../../viz/components/attention/js/data/reporter.js";

let said, reporter;
const dataset = {};
globalThis.window = {};
globalThis.document = { documentElement: { dataset } };

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  said = [];
  reporter = new Reporter({ state: { head: 0 } }, { report: (report) => said.push(report.state.head) });
});

function change(head) {
  reporter.explorer.state = { head };
  reporter.tell();
}

test("one change is told without waiting", () => {
  change(1);
  assert.equal(dataset.pending, "report");
  mock.timers.tick(1);
  assert.deepEqual(said, [1]);
  assert.equal(dataset.pending, undefined);
});

test("a drag is told when it begins and when it ends", () => {
  for (let head = 1; head <= 20; head += 1) {
    change(head);
    mock.timers.tick(30);
  }
  mock.timers.tick(1000);
  assert.deepEqual(said, [1, 20]);
  change(21);
  mock.timers.tick(1);
  assert.deepEqual(said, [1, 20, 21]);
});

test("what the reader did before the server changed the state is not told", () => {
  change(1);
  mock.timers.tick(1);
  change(2);
  assert.equal(reporter.acceptRevision(0), true);
  mock.timers.tick(1000);
  assert.deepEqual(said, [1]);
});

test("a revision is taken once, and an earlier one never", () => {
  assert.equal(reporter.acceptRevision(3), true);
  assert.equal(reporter.acceptRevision(3), false);
  assert.equal(reporter.acceptRevision(2), false);
  assert.equal(reporter.acceptRevision(4), true);
});

test("a second change is told before the page is left, and once", () => {
  change(1);
  mock.timers.tick(1);
  change(2);
  reporter.end();
  reporter.end();
  mock.timers.tick(1000);
  assert.deepEqual(said, [1, 2]);
});

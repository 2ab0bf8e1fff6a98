// A change is reported at once; later changes within a short time are reported together.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Reporter } from "../../viz/components/attention/js/data/state.js";

let reports, reporter;
const dataset = {};
globalThis.window = {};
globalThis.document = { documentElement: { dataset } };

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  reports = [];
  reporter = new Reporter({ state: { head: 0 } }, { report: (report) => reports.push(report.state.head) });
});

function change(head) {
  reporter.explorer.state = { head };
  reporter.schedule();
}

test("a single change is reported at once", () => {
  change(1);
  assert.equal(dataset.pending, "report");
  mock.timers.tick(1);
  assert.deepEqual(reports, [1]);
  assert.equal(dataset.pending, undefined);
});

test("a drag sends two reports, at its beginning and at its end", () => {
  for (let head = 1; head <= 20; head += 1) {
    change(head);
    mock.timers.tick(30);
  }
  mock.timers.tick(1000);
  assert.deepEqual(reports, [1, 20]);
  change(21);
  mock.timers.tick(1);
  assert.deepEqual(reports, [1, 20, 21]);
});

test("a newer server state cancels a scheduled report", () => {
  change(1);
  mock.timers.tick(1);
  change(2);
  assert.equal(reporter.acceptRevision(0), true);
  mock.timers.tick(1000);
  assert.deepEqual(reports, [1]);
});

test("a revision is accepted once, and an earlier one never", () => {
  assert.equal(reporter.acceptRevision(3), true);
  assert.equal(reporter.acceptRevision(3), false);
  assert.equal(reporter.acceptRevision(2), false);
  assert.equal(reporter.acceptRevision(4), true);
});

test("flush sends a scheduled report at once, and only once", () => {
  change(1);
  mock.timers.tick(1);
  change(2);
  reporter.flush();
  reporter.flush();
  mock.timers.tick(1000);
  assert.deepEqual(reports, [1, 2]);
});

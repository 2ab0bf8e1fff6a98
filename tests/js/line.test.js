// The phone's connection to the server: complete events, and a reconnect after a break, silence or sleep.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

globalThis.document = Object.assign(new EventTarget(), { visibilityState: "visible" });
globalThis.window = new EventTarget();
const { EventStream, post } = await import("../../viz/components/phone/line.js");

let asked, heard, answer, line;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  [asked, heard] = [[], []];
  answer = () => new Response(streaming());
  globalThis.fetch = async (address, { signal } = {}) => {
    asked.push(address);
    const given = answer();
    signal?.addEventListener("abort", () => stream.error(new Error("aborted")));
    return given;
  };
});

afterEach(() => line?.close());

let stream;

function streaming() {
  return new ReadableStream({ start: (controller) => void (stream = controller) });
}

const encoder = new TextEncoder();

async function say(...parts) {
  for (const part of parts) {
    stream.enqueue(typeof part === "string" ? encoder.encode(part) : part);
    await settled();
  }
}

/** Everything that needs no timer has happened. */
async function settled() {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function pass(milliseconds) {
  mock.timers.tick(milliseconds);
  await settled();
}

async function opened() {
  line = new EventStream("/events", {
    message: (snapshot) => heard.push(snapshot),
    packet: (name, encoded) => heard.push([name, encoded]),
    status: (isOn) => heard.push(isOn),
    gone: () => heard.push("gone"),
  });
  await settled();
}

test("events are read whole wherever the network has cut them", async () => {
  await opened();
  const bytes = encoder.encode('event: packet\ndata: p AB==\n\n: here\n\ndata: {"text":"课"}\n\n');
  await say(...[...bytes].map((byte) => Uint8Array.of(byte)));
  assert.deepEqual(
    heard.filter((each) => each !== true),
    [["p", "AB=="], { text: "课" }],
  );
});

test("a line that falls silent is begun again", async () => {
  await opened();
  await say(": here\n\n");
  await pass(39_000);
  assert.equal(asked.length, 1);
  await pass(2_000);
  assert.equal(asked.length, 2);
  assert.equal(heard.at(-1), false);
});

test("a phone that wakes begins again at once, one that was put aside for a moment does not", async () => {
  await opened();
  await say(": here\n\n");
  mock.timers.setTime(1_005_000);
  globalThis.document.dispatchEvent(new Event("visibilitychange"));
  await settled();
  assert.equal(asked.length, 1);
  mock.timers.setTime(1_025_000);
  globalThis.document.dispatchEvent(new Event("visibilitychange"));
  await settled();
  assert.equal(asked.length, 2);
});

test("a phone that falls asleep before it has heard anything connects again when it wakes", async () => {
  await opened();
  mock.timers.setTime(1_025_000);
  globalThis.document.dispatchEvent(new Event("visibilitychange"));
  await settled();
  assert.equal(asked.length, 2);
});

test("attempts grow rarer, and the network's return ends the wait", async () => {
  answer = () => {
    throw new TypeError("no network");
  };
  await opened();
  for (const [wait, attempts] of [
    [999, 1],
    [1, 2],
    [1_999, 2],
    [1, 3],
    [3_999, 3],
    [1, 4],
  ]) {
    await pass(wait);
    assert.equal(asked.length, attempts);
  }
  answer = () => new Response(streaming());
  globalThis.window.dispatchEvent(new Event("online"));
  await settled();
  assert.equal(asked.length, 5);
  await say('data: {"paused":false}\n\n');
  assert.deepEqual(heard.slice(-2), [true, { paused: false }]);
});

test("a server that is being started again is asked until it answers", async () => {
  answer = () => new Response("", { status: 503 });
  await opened();
  await pass(1_000);
  answer = () => new Response(streaming());
  await pass(2_000);
  await say(": here\n\n");
  assert.deepEqual(heard, [false, false, true]);
});

test("a room that ends is said once and asked for no more", async () => {
  await opened();
  await say("event: gone\ndata: {}\n\n");
  await pass(60_000);
  assert.deepEqual(heard, [true, "gone"]);
  assert.equal(asked.length, 1);
});

test("a room that has ended while the phone was away is said once and asked for no more", async () => {
  await opened();
  answer = () => new Response("", { status: 404 });
  stream.close();
  await settled();
  await pass(1_000);
  await pass(60_000);
  assert.deepEqual(heard, [false, "gone"]);
  assert.equal(asked.length, 2);
});

test("what is sent comes back as an answer, as a reason, or as offline", async () => {
  answer = () => Response.json({ vote: "1" });
  assert.deepEqual(await post("/vote", {}), { answer: { vote: "1" } });
  answer = () => Response.json({ error: "twice" }, { status: 409 });
  assert.deepEqual(await post("/vote", {}), { error: "twice" });
  answer = () => new Response("<h1>Bad gateway</h1>", { status: 502 });
  assert.deepEqual(await post("/vote", {}), { error: "offline" });
  answer = () => Response.json({ message: "Endpoint request timed out" }, { status: 504 }); // by a proxy
  assert.equal((await post("/vote", {})).error, "offline");
});

test("after a connection that was heard the attempts begin at their shortest wait again", async () => {
  answer = () => {
    throw new TypeError("no network");
  };
  await opened();
  await pass(1_000);
  await pass(2_000);
  answer = () => new Response(streaming());
  await pass(4_000);
  assert.equal(asked.length, 4);
  await say(": here\n\n");
  stream.close();
  await settled();
  await pass(499);
  assert.equal(asked.length, 4);
  await pass(1);
  assert.equal(asked.length, 5);
});

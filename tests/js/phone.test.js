// The phone of a class: its connection to the server (complete events, and a reconnect after a break, silence or sleep), the
// pictures and packets that it stores, and the act of the class.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { gzipSync } from "node:zlib";

globalThis.document = Object.assign(new EventTarget(), { visibilityState: "visible" });
globalThis.window = new EventTarget();
const { actOf } = await import("../../viz/components/phone/acts.js");
const { Blobs } = await import("../../viz/components/phone/blobs.js");
const { EventStream, post } = await import("../../viz/components/phone/line.js");

let requests, received, answer, events;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  [requests, received] = [[], []];
  answer = () => new Response(openStream());
  globalThis.fetch = async (address, { signal } = {}) => {
    requests.push(address);
    const response = answer();
    signal?.addEventListener("abort", () => stream.error(new Error("aborted")));
    return response;
  };
});

afterEach(() => events?.close());

let stream;

function openStream() {
  return new ReadableStream({ start: (controller) => void (stream = controller) });
}

const encoder = new TextEncoder();

async function send(...parts) {
  for (const part of parts) {
    stream.enqueue(typeof part === "string" ? encoder.encode(part) : part);
    await settle();
  }
}

/** Let everything happen that needs no timer. */
async function settle() {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function wait(milliseconds) {
  mock.timers.tick(milliseconds);
  await settle();
}

async function connect() {
  events = new EventStream("/events", {
    message: (snapshot) => received.push(snapshot),
    packet: (name, encoded) => received.push([name, encoded]),
    status: (isOn) => received.push(isOn),
    gone: () => received.push("gone"),
  });
  await settle();
}

test("events are read completely wherever the network splits them", async () => {
  await connect();
  const bytes = encoder.encode('event: packet\ndata: p AB==\n\n: here\n\ndata: {"text":"课"}\n\n');
  await send(...[...bytes].map((byte) => Uint8Array.of(byte)));
  assert.deepEqual(
    received.filter((event) => event !== true),
    [["p", "AB=="], { text: "课" }],
  );
});

test("a silent connection is opened again", async () => {
  await connect();
  await send(": here\n\n");
  await wait(39_000);
  assert.equal(requests.length, 1);
  await wait(2_000);
  assert.equal(requests.length, 2);
  assert.equal(received.at(-1), false);
});

test("a phone that wakes reconnects at once, but not after a few seconds", async () => {
  await connect();
  await send(": here\n\n");
  mock.timers.setTime(1_005_000);
  globalThis.document.dispatchEvent(new Event("visibilitychange"));
  await settle();
  assert.equal(requests.length, 1);
  mock.timers.setTime(1_025_000);
  globalThis.document.dispatchEvent(new Event("visibilitychange"));
  await settle();
  assert.equal(requests.length, 2);
});

test("a phone that sleeps before the first event reconnects when it wakes", async () => {
  await connect();
  mock.timers.setTime(1_025_000);
  globalThis.document.dispatchEvent(new Event("visibilitychange"));
  await settle();
  assert.equal(requests.length, 2);
});

test("the interval between attempts grows, and the network's return ends the wait", async () => {
  answer = () => {
    throw new TypeError("no network");
  };
  await connect();
  for (const [milliseconds, attempts] of [
    [999, 1],
    [1, 2],
    [1_999, 2],
    [1, 3],
    [3_999, 3],
    [1, 4],
  ]) {
    await wait(milliseconds);
    assert.equal(requests.length, attempts);
  }
  answer = () => new Response(openStream());
  globalThis.window.dispatchEvent(new Event("online"));
  await settle();
  assert.equal(requests.length, 5);
  await send('data: {"paused":false}\n\n');
  assert.deepEqual(received.slice(-2), [true, { paused: false }]);
});

test("a restarting server is requested until it answers", async () => {
  answer = () => new Response("", { status: 503 });
  await connect();
  await wait(1_000);
  answer = () => new Response(openStream());
  await wait(2_000);
  await send(": here\n\n");
  assert.deepEqual(received, [false, false, true]);
});

test("the end of a room is reported once, without further requests", async () => {
  await connect();
  await send("event: gone\ndata: {}\n\n");
  await wait(60_000);
  assert.deepEqual(received, [true, "gone"]);
  assert.equal(requests.length, 1);
});

test("the end of a room while the phone was away is reported once, without further requests", async () => {
  await connect();
  answer = () => new Response("", { status: 404 });
  stream.close();
  await settle();
  await wait(1_000);
  await wait(60_000);
  assert.deepEqual(received, [false, "gone"]);
  assert.equal(requests.length, 2);
});

test("post resolves to an answer, a reason, or offline", async () => {
  answer = () => Response.json({ vote: "1" });
  assert.deepEqual(await post("/vote", {}), { answer: { vote: "1" } });
  answer = () => Response.json({ error: "twice" }, { status: 409 });
  assert.deepEqual(await post("/vote", {}), { error: "twice" });
  answer = () => new Response("<h1>Bad gateway</h1>", { status: 502 });
  assert.deepEqual(await post("/vote", {}), { error: "offline" });
  answer = () => Response.json({ message: "Endpoint request timed out" }, { status: 504 }); // by a proxy
  assert.equal((await post("/vote", {})).error, "offline");
});

test("after a connection with events the interval between attempts is the shortest again", async () => {
  answer = () => {
    throw new TypeError("no network");
  };
  await connect();
  await wait(1_000);
  await wait(2_000);
  answer = () => new Response(openStream());
  await wait(4_000);
  assert.equal(requests.length, 4);
  await send(": here\n\n");
  stream.close();
  await settle();
  await wait(499);
  assert.equal(requests.length, 4);
  await wait(1);
  assert.equal(requests.length, 5);
});

const packed = (text) => gzipSync(Buffer.from(text)).toString("base64");
const always = () => true;

test("pictures stay cached, and a packet replaces the previous one", async () => {
  answer = () => new Response('"fetched"');
  const blobs = new Blobs("/class/A");
  blobs.store("picture-a", packed('{"kind":"texts"}'));
  blobs.store("one", packed("1"));
  blobs.store("picture-b", packed('{"kind":"maps"}'));
  blobs.store("two", packed("2"));
  assert.deepEqual(await blobs.picture("picture-a", always), { kind: "texts" });
  assert.deepEqual(await blobs.picture("picture-b", always), { kind: "maps" });
  assert.equal(new TextDecoder().decode(await blobs.bytes("two", always)), "2");
  assert.deepEqual(requests, []);
  assert.equal(new TextDecoder().decode(await blobs.bytes("one", always)), '"fetched"');
  assert.deepEqual(requests, ["/class/A/packet/one"]);
});

test("without a name there is no picture, and a room of an earlier version contains the picture itself", async () => {
  const blobs = new Blobs("/class/A");
  assert.equal(await blobs.picture(undefined, always), null);
  assert.deepEqual(await blobs.picture({ kind: "bars" }, always), { kind: "bars" });
});

test("a blob that is no longer wanted is not requested", async () => {
  globalThis.fetch = async () => assert.fail("requested");
  assert.equal(await new Blobs("/class/A").bytes("gone", () => false), null);
});

const open = { revealed: false, explained: false };
const closed = { revealed: true, explained: false };
const explained = { revealed: true, explained: true };
const lesson = { page: "lesson" };
const observed = { page: "lesson", experiment: "picture-a", late: false };

test("a question goes from asking to votes, the experiment and the explanation", () => {
  assert.equal(actOf({ question: null, shown: {} }), "lobby");
  assert.equal(actOf({ question: null, shown: { page: "room" } }), "lobby");
  assert.equal(actOf({ question: null, shown: { page: "explore" } }), "look");
  assert.equal(actOf({ question: open, shown: lesson }), "ask");
  assert.equal(actOf({ question: closed, shown: lesson }), "votes");
  assert.equal(actOf({ question: closed, shown: observed }), "observe");
  assert.equal(actOf({ question: explained, shown: observed }), "explain");
});

test("acts may be skipped: an experiment without a vote, an explanation without an experiment", () => {
  assert.equal(actOf({ question: null, shown: observed }), "observe");
  assert.equal(actOf({ question: explained, shown: lesson }), "explain");
  assert.equal(actOf({ question: explained, shown: { ...observed, late: true } }), "observe");
});

test("while a question is open its experiment is not shown", () => {
  assert.equal(actOf({ question: open, shown: observed }), "ask");
});

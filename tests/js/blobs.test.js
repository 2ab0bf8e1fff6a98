// What comes once over a phone's connection: kept by name, and asked for where it did not come.

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "node:test";

const { Blobs } = await import("../../viz/components/phone/blobs.js");

const packed = (text) => gzipSync(Buffer.from(text)).toString("base64");
const always = () => true;

test("a picture that came stays known when others come, and a packet gives way to the next", async () => {
  const asked = [];
  globalThis.fetch = async (address) => {
    asked.push(address);
    return { ok: true, arrayBuffer: async () => new TextEncoder().encode('"fetched"').buffer };
  };
  const blobs = new Blobs("/class/A");
  blobs.bring("picture-a", packed('{"kind":"texts"}'));
  blobs.bring("one", packed("1"));
  blobs.bring("picture-b", packed('{"kind":"maps"}'));
  blobs.bring("two", packed("2"));
  assert.deepEqual(await blobs.picture("picture-a", always), { kind: "texts" });
  assert.deepEqual(await blobs.picture("picture-b", always), { kind: "maps" });
  assert.equal(new TextDecoder().decode(await blobs.bytes("two", always)), "2");
  assert.deepEqual(asked, []);
  assert.equal(new TextDecoder().decode(await blobs.bytes("one", always)), '"fetched"');
  assert.deepEqual(asked, ["/class/A/packet/one"]);
});

test("no picture is none, and a room of an earlier version holds the picture itself", async () => {
  const blobs = new Blobs("/class/A");
  assert.equal(await blobs.picture(undefined, always), null);
  assert.deepEqual(await blobs.picture({ kind: "bars" }, always), { kind: "bars" });
});

test("what is wanted no more is asked for no more", async () => {
  globalThis.fetch = async () => assert.fail("asked");
  assert.equal(await new Blobs("/class/A").bytes("gone", () => false), null);
});

// What comes once over a phone's connection: kept by name, and requests for where it did not come.

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "node:test";

const { Blobs } = await import("../../viz/components/phone/blobs.js");

const packed = (text) => gzipSync(Buffer.from(text)).toString("base64");
const always = () => true;

test("pictures stay cached, and a packet replaces the previous one", async () => {
  const requests = [];
  globalThis.fetch = async (address) => {
    requests.push(address);
    return { ok: true, arrayBuffer: async () => new TextEncoder().encode('"fetched"').buffer };
  };
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

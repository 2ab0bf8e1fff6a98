// The worker of the page without a server, with the shipped model, fetched over HTTP.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { eos, golden, idsOf } from "./golden.js";

const FOLDER = new URL("../../pretrained/en-fr/", import.meta.url);
const messages = [];
Object.assign(globalThis, { self: globalThis, onmessage: null, postMessage: (message) => messages.push(message) });
await import("../../viz/components/site/worker.js");

/** The header's entry of an exported file. */
function fileOf(name) {
  const bytes = readFileSync(new URL(name, FOLDER));
  return { name, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

const header = {
  name: "en-fr",
  languages: {},
  config: golden.config,
  weights: fileOf("model.safetensors"),
  vocabulary: fileOf("tokenizer.model"),
};
const server = createServer(({ url }, response) =>
  response.end(url === "/model.json" ? JSON.stringify(header) : readFileSync(new URL(`.${url}`, FOLDER))),
).listen(0, "127.0.0.1");
after(() => server.close());

/** The worker's last message after a request. */
async function request(data) {
  await globalThis.onmessage({ data });
  return messages.at(-1);
}

test("a text with the maximum of tokens is translated, and one token more is refused", async () => {
  await new Promise((resolve) => server.once("listening", resolve));
  const loaded = await request({ kind: "load", address: `http://127.0.0.1:${server.address().port}` });
  assert.equal(loaded.kind, "loaded", loaded.what);
  const translateWords = (n) => {
    const text = Array(n).fill("I").join(" ");
    assert.equal(idsOf(text).length, n + 1);
    return request({ kind: "translate", id: n, text, edits: {}, prefix: [eos], temperature: 0, seed: 1 });
  };
  const limit = (await translateWords(1000)).most;
  const [fits, fails] = [await translateWords(limit - 1), await translateWords(limit)];
  assert.deepEqual([fits.kind, fits.source?.ids.length], ["trace", limit]);
  assert.deepEqual([fails.kind, fails.why, fails.n], ["failed", "long", limit + 1]);
});

test("a word is tokenized as in a sentence, and a piece comes with its neighbours in the vocabulary", async () => {
  const { pieces, words } = await request({ kind: "cut", id: 1, text: "the unbelievable" });
  assert.deepEqual([...pieces.map(({ id }) => id), eos], idsOf("the unbelievable"));
  assert.deepEqual(words, [0, ...Array(pieces.length - 1).fill(1)]);
  const around = async (token) => (await request({ kind: "around", id: 2, token })).pieces;
  assert.deepEqual(
    (await around(3142)).map(({ id }) => id),
    [3139, 3140, 3141, 3142, 3143, 3144, 3145],
  );
  const [piece] = (await request({ kind: "cut", id: 3, text: "animals" })).pieces;
  assert.ok((await around(piece.id)).some((listed) => listed.id === piece.id && listed.piece === piece.piece));
  const last = golden.config.target_vocab_size - 1;
  assert.deepEqual([(await around(0))[0].id, (await around(last)).at(-1).id], [0, last]);
});

// The worker of the page without a server, with the shipped model, which it fetches as in a browser.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { eos, golden, idsOf } from "./golden.js";

const FOLDER = new URL("../../pretrained/en-fr/", import.meta.url);
const told = [];
Object.assign(globalThis, { self: globalThis, onmessage: null, postMessage: (message) => told.push(message) });
await import("../../viz/components/site/worker.js");

/** A file as the header of an export names it. */
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

/** What the worker says last about a question. */
async function answer(data) {
  await globalThis.onmessage({ data });
  return told.at(-1);
}

test("a text of as many tokens as the page takes is translated, and one more is said to be too many", async () => {
  await new Promise((resolve) => server.once("listening", resolve));
  const loaded = await answer({ kind: "load", address: `http://127.0.0.1:${server.address().port}` });
  assert.equal(loaded.kind, "loaded", loaded.what);
  const ask = (n) => {
    const text = Array(n).fill("I").join(" ");
    assert.equal(idsOf(text).length, n + 1);
    return answer({ kind: "translate", id: n, text, edits: {}, prefix: [eos], temperature: 0, seed: 1 });
  };
  const most = (await ask(1000)).most;
  const [fits, fails] = [await ask(most - 1), await ask(most)];
  assert.deepEqual([fits.kind, fits.source?.ids.length], ["trace", most]);
  assert.deepEqual([fails.kind, fails.why, fails.n], ["failed", "long", most + 1]);
});

test("a word is cut as in a sentence, and a piece is shown among those beside it in the list", async () => {
  const { pieces, words } = await answer({ kind: "cut", id: 1, text: "the unbelievable" });
  assert.deepEqual([...pieces.map(({ id }) => id), eos], idsOf("the unbelievable"));
  assert.deepEqual(words, [0, ...Array(pieces.length - 1).fill(1)]);
  const around = async (token) => (await answer({ kind: "around", id: 2, token })).pieces;
  assert.deepEqual(
    (await around(3142)).map(({ id }) => id),
    [3139, 3140, 3141, 3142, 3143, 3144, 3145],
  );
  const [of] = (await answer({ kind: "cut", id: 3, text: "animals" })).pieces;
  assert.ok((await around(of.id)).some(({ id, piece }) => id === of.id && piece === of.piece));
  const last = golden.config.target_vocab_size - 1;
  assert.deepEqual([(await around(0))[0].id, (await around(last)).at(-1).id], [0, last]);
});

// Where two ways to cut a text score the same, the page cuts it as SentencePiece does.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Tokenizer } from "../../viz/components/engine/tokenizer.js";

const { file, ids } = JSON.parse(readFileSync(new URL("tie.json", import.meta.url), "utf8"));
const tokenizer = new Tokenizer(Uint8Array.from(Buffer.from(file, "base64")));

for (const [text, wanted] of Object.entries(ids))
  test(`"${text}" is cut as SentencePiece cuts it`, () => assert.deepEqual(tokenizer.encode(text), wanted));

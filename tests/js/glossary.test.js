// A label that contains a term of the field is explained; a sentence, a number and other words are not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { GLOSSARY, meaningOf } from "../../viz/components/sentence/menu.js";

Object.assign(GLOSSARY, {
  en: [
    [["sink", "sinks"], "where weight goes"],
    [["head", "heads"], "one of several attentions"],
    [["layer"], "one step"],
  ],
  zh: [
    [["头"], "多个注意力之一"],
    [["词元"], "单位"],
  ],
  fr: [[["tête", "têtes"], "une des attentions"]],
});

test("each term in a label is explained, in the order of the glossary", () => {
  assert.equal(meaningOf("Sinks: shown", "en"), "sink: where weight goes");
  assert.equal(meaningOf("Layer 2 · Head 1", "en"), "head: one of several attentions\nlayer: one step");
  assert.equal(meaningOf("Tête 3", "fr"), "tête\u00a0: une des attentions");
  assert.equal(meaningOf("第 2 层 · 头 1", "zh"), "头：多个注意力之一");
  assert.equal(meaningOf("关闭此头", "zh"), "头：多个注意力之一");
  assert.equal(meaningOf("查询词元", "zh"), "词元：单位");
});

test("other words, long texts and other languages are not explained", () => {
  for (const label of ["Heading", "", "overhead", "A head looks at the word that it needs most."])
    assert.equal(meaningOf(label, "en"), "");
  assert.equal(meaningOf("开头", "zh"), "");
  assert.equal(meaningOf("head", "de"), "");
});

// The page warns of the translations that the application warns of; confidence_golden.py wrote Python's measure.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loopedText, poorness } from "../../viz/components/engine/confidence.js";
import { openModel } from "../../viz/components/engine/open.js";
import { translate } from "../../viz/components/engine/translate.js";
import { inCapitals, usualCase } from "../../viz/components/site/desk/notes.js";

const read = (path) => new Uint8Array(readFileSync(new URL(path, import.meta.url)));
const text = (path) => JSON.parse(new TextDecoder().decode(read(path)));
const { calibration, cases } = text("confidence_golden.json");
const { config } = text("engine_golden.json");
const weights = read("../../pretrained/en-fr/model.safetensors").buffer;
const { model, tokenizer } = openModel(config, weights, read("../../pretrained/en-fr/tokenizer.model"));

test("a translation is as likely to be poor as Python finds it, and repeats the same", () => {
  assert.ok(cases.filter(({ poor }) => poor > calibration.threshold).length > 5);
  for (const wanted of cases) {
    const source = [...tokenizer.encode(wanted.text), config.eos_id];
    const { target, logProbs } = translate(model, source);
    const poor = poorness(model, tokenizer, { text: wanted.text, source, target, logProbs }, calibration);
    assert.ok(Math.abs(poor - wanted.poor) < 2e-3, `${wanted.text}: ${poor}, ${wanted.poor}`);
    assert.equal(loopedText(tokenizer, target, config.eos_id), wanted.loop);
  }
});

test("capitals are a sentence's, not an abbreviation's, and are taken back as in the application", () => {
  assert.ok(inCapitals("THE CAT IS SLEEPING.", false));
  assert.ok(!inCapitals("NATO", false) && inCapitals("NATO", true));
  assert.ok(!inCapitals("The CAT is sleeping.", true) && !inCapitals("123 456", true) && !inCapitals("I", true));
  assert.equal(usualCase("I'M HAPPY, AND I LIKE IT"), "I'm happy, and I like it");
});

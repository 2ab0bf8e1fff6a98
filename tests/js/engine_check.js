// Compares the page's engine with traces that Python wrote: node tests/js/engine_check.js FOLDER
// FOLDER holds model.json, weights.bin and cases.json; what was found is printed as JSON.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "../../viz/components/engine/tokenizer.js";
import { Transformer } from "../../viz/components/engine/transformer.js";
import { translate } from "../../viz/components/engine/translate.js";
import { readWeights } from "../../viz/components/engine/weights.js";

const folder = process.argv[2];
const read = (name) => readFileSync(join(folder, name));
const header = JSON.parse(read("model.json"));
const bytes = read("weights.bin");
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const model = new Transformer(header.config, readWeights(buffer, header.tensors, header.bytes));
const tokenizer = new Tokenizer(header.vocabulary);
const cases = JSON.parse(read("cases.json"));

const largest = (ours, theirs) => theirs.reduce((most, value, i) => Math.max(most, Math.abs(value - ours[i])), 0);

const results = cases.map((one) => {
  const ids = [...tokenizer.encode(one.text), header.config.eos_id];
  const result = { text: one.text, ids, words: tokenizer.wordsOf(tokenizer.segment(one.text)) };
  if (one.only === "ids") return result;
  const trace = translate(model, ids, { edits: one.edits, prefix: one.prefix });
  const isSame = JSON.stringify(trace.target) === JSON.stringify(one.target);
  return {
    ...result,
    target: trace.target,
    translation: tokenizer.decode(trace.target),
    logProbs: isSame ? largest(trace.logProbs, one.logProbs) : null,
    encoderSelf: one.encoderSelf ? largest(trace.encoderSelf, one.encoderSelf) : 0,
    decoderSelf: isSame && one.decoderSelf ? largest(trace.decoderSelf, one.decoderSelf) : 0,
    cross: isSame && one.cross ? largest(trace.cross, one.cross) : 0,
  };
});
process.stdout.write(JSON.stringify(results));

// The model runs here, so that the page never stalls. Its files are fetched once, checked, and kept in Cache Storage.

import { loopedText, poorness } from "../engine/confidence.js";
import { embeddingOf, neighboursOf } from "../engine/embedding.js";
import { cut, listedAround } from "../engine/listing.js";
import { oneHead } from "../engine/one_head.js";
import { feedForwardOf, logitsAt } from "../engine/one_step.js";
import { openModel } from "../engine/open.js";
import { readingOf } from "../engine/reading.js";
import { filteredProbabilities } from "../engine/sampling.js";
import { translate } from "../engine/translate.js";
import { fetchModel } from "./desk/fetching.js";

/** @import { Interventions } from "../engine/edits.js" */

/** The most tokens of a sentence: with more, the maps alone would take more memory than a phone allows a page. */
const MOST_PIECES = 256;
/** Tokens beside one in the embedding table, and tokens of a distribution that are named. */
const [NEIGHBOURS, NAMED] = [6, 200];
/** Pieces that are shown on each side of one in the tokenizer's list. */
const BESIDE = 3;
/** Milliseconds between two progress reports on a long translation. */
const TELL_EVERY = 400;

/** @type {{header: import("./types.js").Header, model: import("../engine/transformer.js").Transformer, tokenizer:
 *   import("../engine/tokenizer.js").Tokenizer | import("../engine/characters.js").Characters} | null} */
let loaded = null;

/** The open model. The page asks for nothing before it was told that there is one. */
function modelThere() {
  if (!loaded) throw new Error("no model is open");
  return loaded;
}

onmessage = async ({ data }) => {
  try {
    if (data.kind === "load") await load(data);
    else if (data.kind === "doubt") doubt(data);
    else if (data.kind === "score") score(data);
    else if (data.kind === "inside") inside(data);
    else if (data.kind === "embedding") embedding(data);
    else if (data.kind === "feedForward") feedForward(data);
    else if (data.kind === "logits") logits(data);
    else if (data.kind === "cut") cutUp(data);
    else if (data.kind === "around") around(data);
    else answer(data);
  } catch (error) {
    const why = error instanceof RangeError ? "memory" : error instanceof Error && "why" in error ? error.why : "other";
    postMessage({ kind: "failed", id: data.id, why, what: error instanceof Error ? error.message : String(error) });
  }
};

/** Open the worker's one model.
 * @param {{id: number, address: string}} question with the folder of model.json */
async function load({ id, address }) {
  const { header, weights, vocabulary } = await fetchModel(address, (done, total) =>
    postMessage({ kind: "progress", done, total }),
  );
  const { model, tokenizer } = openModel(header.config, weights, new Uint8Array(vocabulary));
  loaded = { header, model, tokenizer };
  const { name, languages, config } = header;
  const nParameters = [...model.tensors.values()].reduce((sum, { length }) => sum + length, 0);
  postMessage({ kind: "loaded", id, about: { name, languages, config, nParameters } });
}

/** Whether a translation without changes can be trusted; it takes one more pass, so it is asked for after drawing.
 * @param {{id: number, text: string, source: number[], target: number[], logProbs: number[]}} question */
function doubt({ id, ...found }) {
  const { model, tokenizer, header } = modelThere();
  const { calibration } = header;
  const isDoubtful = Boolean(calibration && poorness(model, tokenizer, found, calibration) > calibration.threshold);
  postMessage({ kind: "doubted", id, isDoubtful, loop: loopedText(tokenizer, found.target, header.config.eos_id) });
}

/** The log-probability of a given translation under changes.
 * @param {{id: number, source: number[], target: number[], edits: Interventions}} question */
function score({ id, source, target, edits }) {
  const { logProbs, nRead } = translate(modelThere().model, source, { edits, prefix: target, nCandidates: 2 });
  const logProb = logProbs.slice(nRead, nRead + target.length).reduce((sum, each) => sum + each, 0);
  postMessage({ kind: "scored", id, logProb });
}

/** Everything that one head computes for one query.
 * @param {{id: number, source: number[], target: number[], edits: Interventions, head:
 *   import("./links/choices.js").Head, query: number}} question */
function inside({ id, source, target, edits, head, query }) {
  postMessage({ kind: "inside", id, ...oneHead(modelThere().model, { source, target, edits, head, query }) });
}

/** @param {{id: number, token: number, place: number}} question */
function embedding({ id, token, place }) {
  const { model, tokenizer } = modelThere();
  const isShown = (/** @type {number} */ each) =>
    /\p{L}/u.test(tokenizer.pieces[each]) && !/^<.*>$/.test(tokenizer.pieces[each]);
  const neighbours = neighboursOf(model, token, isShown, NEIGHBOURS).map((each) => ({
    ...each,
    piece: tokenizer.pieces[each.id],
  }));
  postMessage({ kind: "embedding", id, ...embeddingOf(model, token, place), neighbours });
}

/** @param {{id: number, source: number[], edits: Interventions, layer: number, place: number}} question */
function feedForward({ id, ...asked }) {
  postMessage({ kind: "feedForward", id, ...feedForwardOf(modelThere().model, asked) });
}

/** @param {{id: number, source: number[], target: number[], edits: Interventions, step: number}} question */
function logits({ id, ...asked }) {
  const { model, tokenizer, header } = modelThere();
  const found = logitsAt(model, asked);
  const { ids } = filteredProbabilities(found, {}, header.config.target_pad_id);
  const pieces = Object.fromEntries([...ids.subarray(0, NAMED)].map((each) => [each, tokenizer.pieces[each]]));
  postMessage({ kind: "logits", id, logits: found, pieces });
}

/** @param {{id: number, text: string}} question */
function cutUp({ id, text }) {
  postMessage({ kind: "cut", id, ...cut(modelThere().tokenizer, text) });
}

/** @param {{id: number, token: number}} question */
function around({ id, token }) {
  postMessage({ kind: "around", id, pieces: listedAround(modelThere().tokenizer, token, BESIDE) });
}

/** @param {number} id */
function telling(id) {
  let told = performance.now();
  return (/** @type {number} */ step, /** @type {number} */ most) => {
    if (performance.now() - told < TELL_EVERY) return;
    told = performance.now();
    postMessage({ kind: "step", id, step, most });
  };
}

/** @param {{id: number, text: string, edits: Interventions, prefix: number[], temperature: number, topK: number,
 *   topP: number, seed: number}} question */
function answer({ id, text, edits, prefix, ...drawn }) {
  const { model, tokenizer, header } = modelThere();
  const { bos_id, alone } = header.config;
  const [begin] = tokenizer.describe([bos_id]);
  const { read, pieces, words } = readingOf(tokenizer, header.config, text);
  if (read.length > MOST_PIECES)
    return postMessage({ kind: "failed", id, why: "long", n: read.length, most: MOST_PIECES });
  const started = performance.now();
  const trace = translate(model, read, { edits, prefix, ...drawn, onStep: telling(id) });
  const whole = tokenizer.describe(trace.target);
  const fed = [begin, ...whole.slice(0, -1)];
  const first = trace.nRead; // what a decoder-only model goes on from is no part of what it writes
  const written = trace.target.slice(first);
  const side = (/** @type {{id: number, piece: string}[]} */ pieces, words = tokenizer.wordsOf(pieces)) => ({
    ids: pieces.map((piece) => piece.id),
    pieces: pieces.map(({ piece }) => piece),
    words,
  });
  const message = {
    kind: "trace",
    id,
    text,
    edits,
    main: alone ? "decoder_self" : "cross",
    read,
    first,
    translation: tokenizer.decode(written),
    source: alone ? side(fed) : side(pieces, words),
    fed: side(fed),
    target: side(first ? tokenizer.describe(written) : whole),
    predicted: side(whole),
    isCut: trace.isCut,
    logProbs: trace.logProbs.slice(first),
    candidates: trace.candidates
      .slice(first)
      .map((step) => step.map((each) => ({ ...each, piece: tokenizer.pieces[each.id] }))),
    unknown: tokenizer.unknownCharacters(text),
    maps: { encoder_self: trace.encoderSelf, decoder_self: trace.decoderSelf, cross: trace.cross },
    milliseconds: performance.now() - started,
  };
  const buffers = Object.values(message.maps).map((map) => map.buffer);
  return postMessage(message, { transfer: buffers });
}

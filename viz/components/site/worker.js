// The model runs here, so that the page never stalls. Its files are fetched once, checked, and kept in Cache Storage.

import { loopedText, poorness } from "../engine/confidence.js";
import { embeddingOf, neighboursOf } from "../engine/embedding.js";
import { cut, listedAround, readingOf } from "../engine/reading.js";
import { oneHead } from "../engine/one_head.js";
import { feedForwardOf, logitsAt } from "../engine/one_step.js";
import { openModel } from "../engine/open.js";
import { filteredProbabilities } from "../engine/sampling.js";
import { translate } from "../engine/translate.js";
import { fetchModel } from "./desk/fetching.js";

/** @import { Interventions } from "../engine/edits.js" */
/** @import { Head } from "./links/choices.js" */
/** @import { Trace } from "./types.js" */

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

onmessage = async ({ data: { kind, id, ...asked } }) => {
  try {
    const message = await ANSWERS[kind](/** @type {never} */ (asked), id);
    const transfer = "maps" in message ? Object.values(/** @type {Trace["maps"]} */ (message.maps)) : [];
    postMessage({ id, ...message }, { transfer: transfer.map(({ buffer }) => buffer) });
  } catch (error) {
    const why = error instanceof RangeError ? "memory" : error instanceof Error && "why" in error ? error.why : "other";
    postMessage({ kind: "failed", id, why, what: error instanceof Error ? error.message : String(error) });
  }
};

/** Open the worker's one model.
 * @param {{address: string}} question with the folder of model.json */
async function load({ address }) {
  const { header, weights, vocabulary } = await fetchModel(address, (done, total) =>
    postMessage({ kind: "progress", done, total }),
  );
  const { model, tokenizer } = openModel(header.config, weights, new Uint8Array(vocabulary));
  loaded = { header, model, tokenizer };
  const { name, languages, config } = header;
  const nParameters = [...model.tensors.values()].reduce((sum, { length }) => sum + length, 0);
  return { kind: "loaded", about: { name, languages, config, nParameters } };
}

/** Whether a translation without changes can be trusted; it takes one more pass, so it is asked for after drawing.
 * @param {{text: string, source: number[], target: number[], logProbs: number[]}} found */
function doubt(found) {
  const { model, tokenizer, header } = modelThere();
  const { calibration } = header;
  const isDoubtful = Boolean(calibration && poorness(model, tokenizer, found, calibration) > calibration.threshold);
  return { kind: "doubted", isDoubtful, loop: loopedText(tokenizer, found.target, header.config.eos_id) };
}

/** The log-probability of a given translation under changes.
 * @param {{source: number[], target: number[], edits: Interventions}} question */
function score({ source, target, edits }) {
  const { logProbs, nRead } = translate(modelThere().model, source, { edits, prefix: target, nCandidates: 2 });
  const logProb = logProbs.slice(nRead, nRead + target.length).reduce((sum, each) => sum + each, 0);
  return { kind: "scored", logProb };
}

/** Everything that one head computes for one query.
 * @param {{source: number[], target: number[], edits: Interventions, head: Head, query: number}} question */
const inside = (question) => ({ kind: "inside", ...oneHead(modelThere().model, question) });

/** @param {{token: number, place: number}} question */
function embedding({ token, place }) {
  const { model, tokenizer } = modelThere();
  const isShown = (/** @type {number} */ each) =>
    /\p{L}/u.test(tokenizer.pieces[each]) && !/^<.*>$/.test(tokenizer.pieces[each]);
  const nearest = neighboursOf(model, token, isShown, NEIGHBOURS);
  const neighbours = nearest.map((each) => ({ ...each, piece: tokenizer.pieces[each.id] }));
  return { kind: "embedding", ...embeddingOf(model, token, place), neighbours };
}

/** @param {{source: number[], edits: Interventions, layer: number, place: number}} question */
const feedForward = (question) => ({ kind: "feedForward", ...feedForwardOf(modelThere().model, question) });

/** @param {{source: number[], target: number[], edits: Interventions, step: number}} question */
function logits(question) {
  const { model, tokenizer, header } = modelThere();
  const found = logitsAt(model, question);
  const { ids } = filteredProbabilities(found, {}, header.config.target_pad_id);
  const pieces = Object.fromEntries([...ids.subarray(0, NAMED)].map((each) => [each, tokenizer.pieces[each]]));
  return { kind: "logits", logits: found, pieces };
}

/** @param {{text: string}} question */
const cutUp = ({ text }) => ({ kind: "cut", ...cut(modelThere().tokenizer, text) });

/** @param {{token: number}} question */
const around = ({ token }) => ({ kind: "around", pieces: listedAround(modelThere().tokenizer, token, BESIDE) });

/** @param {number} id */
function telling(id) {
  let told = performance.now();
  return (/** @type {number} */ step, /** @type {number} */ most) => {
    if (performance.now() - told < TELL_EVERY) return;
    told = performance.now();
    postMessage({ kind: "step", id, step, most });
  };
}

/** @param {{text: string, edits: Interventions, prefix: number[], temperature: number, topK: number, topP: number,
 *   seed: number}} question
 * @param {number} id of the question */
function answer({ text, edits, prefix, ...drawn }, id) {
  const { model, tokenizer, header } = modelThere();
  const { bos_id, alone } = header.config;
  const [begin] = tokenizer.describe([bos_id]);
  const { read, pieces, words } = readingOf(tokenizer, header.config, text);
  if (read.length > MOST_PIECES) return { kind: "failed", why: "long", n: read.length, most: MOST_PIECES };
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
  return {
    kind: "trace",
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
}

/** What is answered to each kind of question. @type {Record<string, (asked: never, id: number) => object>} */
const ANSWERS = { load, doubt, score, inside, embedding, feedForward, logits, cut: cutUp, around, translate: answer };

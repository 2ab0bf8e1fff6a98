// The web worker that runs the model. Its files are taken from Cache Storage, else from the host, and verified; a file with a
// wrong digest is fetched again.

import { loopedText, poorness } from "../engine/confidence.js";
import { digestOf } from "../engine/digest.js";
import { embeddingOf, feedForwardOf, logitsAt, neighboursOf, oneHead } from "../engine/inspect.js";
import { openModel } from "../engine/open.js";
import { segmentText, listedAround, readingOf } from "../engine/reading.js";
import { filteredProbabilities } from "../engine/sampling.js";
import { translate } from "../engine/translate.js";

/** @import { Interventions } from "../engine/edits.js" */
/** @import { Head } from "./links/choices.js" */
/** @import { Trace } from "./types.js" */

/** With more source tokens, the attention maps alone would take more memory than a phone allows a page. */
const MAX_SOURCE_TOKENS = 256;
const N_NAMED = 200; // tokens of a distribution whose pieces are sent
const REPORT_INTERVAL = 400; // milliseconds between progress reports on a long translation
const N_NEIGHBOURS = 6; // in the embedding table

const MODEL_CACHE = "regard-models";

/** An error with a reason for which the page has a message. */
class FetchError extends Error {
  /** @param {string} why @param {string} what */
  constructor(why, what) {
    super(what);
    this.why = why;
  }
}

/** @param {string} address folder of model.json
 * @param {(done: number, total: number) => void} onProgress called with loaded and total bytes */
async function fetchModel(address, onProgress) {
  const header = await (await request(`${address}/model.json`)).json();
  const total = header.weights.bytes + header.vocabulary.bytes;
  const [vocabulary, weights] = await Promise.all([
    fetchFile(address, header.vocabulary),
    fetchFile(address, header.weights, (done) => onProgress(header.vocabulary.bytes + done, total)),
  ]);
  void deleteOthers(address, [header.vocabulary.name, header.weights.name]);
  return { header, weights, vocabulary };
}

/** One verified file.
 * @param {string} address @param {{name: string, bytes: number, sha256: string}} file
 * @param {(done: number) => void} [onProgress] */
async function fetchFile(address, { name, bytes, sha256 }, onProgress) {
  const url = `${address}/${name}`;
  const isIntact = async (/** @type {ArrayBuffer} */ content) =>
    content.byteLength === bytes && (await digestOf(content)) === sha256;
  const response = await (await openCache())?.match(url);
  const cached = await response?.arrayBuffer();
  if (cached && (await isIntact(cached))) return cached;
  for (const cache of /** @type {RequestCache[]} */ (["default", "reload"])) {
    const content = await read(await request(url, { cache }), bytes, onProgress);
    if (!(await isIntact(content))) continue;
    void putInCache(url, new Response(content)); // in the background
    return content;
  }
  throw new FetchError("damaged", name);
}

/** Fetch, or throw a FetchError. @param {string} url @param {RequestInit} [options] */
async function request(url, options) {
  const response = await fetch(url, options).catch((error) => {
    throw new FetchError("network", String(error.message));
  });
  if (!response.ok) throw new FetchError("network", `${response.status}`);
  return response;
}

/**
 * Read a response; empty if it is longer than expected.
 * @param {Response} response
 * @param {number} length expected bytes
 * @param {(done: number) => void} [onProgress]
 */
async function read(response, length, onProgress) {
  const bytes = new Uint8Array(length);
  const reader = response.body?.getReader();
  for (let place = 0; ;) {
    const part = await reader?.read().catch(() => undefined); // undefined after a broken connection
    const value = part?.value;
    if (!value) return place === length ? bytes.buffer : bytes.buffer.slice(0, place);
    if (place + value.length > length) return new ArrayBuffer(0);
    bytes.set(value, place);
    place += value.length;
    onProgress?.(place);
  }
}

/** Cache a response for the next visit; failures are ignored.
 * @param {string} url @param {Response} response */
async function putInCache(url, response) {
  await (await openCache())?.put(url, response).catch(() => undefined);
}

/** The cache of models; undefined without HTTPS or localhost. */
async function openCache() {
  return globalThis.caches?.open(MODEL_CACHE).catch(() => undefined);
}

/** Delete other files of the same folder: they belong to an earlier version.
 * @param {string} address @param {string[]} names */
async function deleteOthers(address, names) {
  const cache = await openCache();
  if (!cache) return;
  for (const { url } of await cache.keys())
    if (url.startsWith(`${address}/`) && !names.some((name) => url.endsWith(`/${name}`))) await cache.delete(url);
}

const N_BESIDE = 3; // pieces on each side of one in the vocabulary

/** @type {{header: import("./types.js").Header, model: import("../engine/transformer.js").Transformer, tokenizer:
 *   import("../engine/tokenizer.js").Tokenizer | import("../engine/reading.js").Characters} | null} */
let loaded = null;

/** The open model. The page sends no request before "loaded". */
function openedModel() {
  if (!loaded) throw new Error("no model is open");
  return loaded;
}

onmessage = async ({ data: { kind, id, ...question } }) => {
  try {
    const message = await HANDLERS[kind](/** @type {never} */ (question), id);
    const transfer = "maps" in message ? Object.values(/** @type {Trace["maps"]} */ (message.maps)) : [];
    postMessage({ id, ...message }, { transfer: transfer.map(({ buffer }) => buffer) });
  } catch (error) {
    const why = error instanceof RangeError ? "memory" : error instanceof Error && "why" in error ? error.why : "other";
    postMessage({ kind: "failed", id, why, what: error instanceof Error ? error.message : String(error) });
  }
};

/** Open the worker's model.
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

/** Whether an unchanged translation is likely to be poor; it takes another pass, so the page requests it after drawing.
 * @param {{text: string, source: number[], target: number[], logProbs: number[]}} translation */
function doubt(translation) {
  const { model, tokenizer, header } = openedModel();
  const { calibration } = header;
  const isDoubtful = Boolean(
    calibration && poorness(model, tokenizer, translation, calibration) > calibration.threshold,
  );
  return { kind: "doubted", isDoubtful, loop: loopedText(tokenizer, translation.target, header.config.eos_id) };
}

/** The log-probability of a translation under interventions.
 * @param {{source: number[], target: number[], edits: Interventions}} question */
function score({ source, target, edits }) {
  const { logProbs, nRead } = translate(openedModel().model, source, { edits, prefix: target, nCandidates: 2 });
  const logProb = logProbs.slice(nRead, nRead + target.length).reduce((sum, value) => sum + value, 0);
  return { kind: "scored", logProb };
}

/** The intermediate results of one head for one query.
 * @param {{source: number[], target: number[], edits: Interventions, head: Head, query: number}} question */
const inside = (question) => ({ kind: "inside", ...oneHead(openedModel().model, question) });

/** @param {{token: number, place: number}} question */
function embedding({ token, place }) {
  const { model, tokenizer } = openedModel();
  const hasLetters = (/** @type {number} */ id) =>
    /\p{L}/u.test(tokenizer.pieces[id]) && !/^<.*>$/.test(tokenizer.pieces[id]);
  const nearest = neighboursOf(model, token, hasLetters, N_NEIGHBOURS);
  const neighbours = nearest.map((neighbour) => ({ ...neighbour, piece: tokenizer.pieces[neighbour.id] }));
  return { kind: "embedding", ...embeddingOf(model, token, place), neighbours };
}

/** @param {{source: number[], edits: Interventions, layer: number, place: number}} question */
const feedForward = (question) => ({ kind: "feedForward", ...feedForwardOf(openedModel().model, question) });

/** @param {{source: number[], target: number[], edits: Interventions, step: number}} question */
function logits(question) {
  const { model, tokenizer, header } = openedModel();
  const values = logitsAt(model, question);
  const { ids } = filteredProbabilities(values, {}, header.config.target_pad_id);
  const pieces = Object.fromEntries([...ids.subarray(0, N_NAMED)].map((token) => [token, tokenizer.pieces[token]]));
  return { kind: "logits", logits: values, pieces };
}

/** @param {{text: string}} question */
const cutText = ({ text }) => ({ kind: "cut", ...segmentText(openedModel().tokenizer, text) });

/** @param {{token: number}} question */
const around = ({ token }) => ({ kind: "around", pieces: listedAround(openedModel().tokenizer, token, N_BESIDE) });

/** Report steps at most every REPORT_INTERVAL. @param {number} id of the request */
function stepReporter(id) {
  let reported = performance.now();
  return (/** @type {number} */ step, /** @type {number} */ most) => {
    if (performance.now() - reported < REPORT_INTERVAL) return;
    reported = performance.now();
    postMessage({ kind: "step", id, step, most });
  };
}

/** @param {{text: string, edits: Interventions, prefix: number[], temperature: number, topK: number, topP: number,
 *   seed: number}} question
 * @param {number} id of the request */
function translateText({ text, edits, prefix, ...sampling }, id) {
  const { model, tokenizer, header } = openedModel();
  const { bos_id, alone } = header.config;
  const [begin] = tokenizer.describe([bos_id]);
  const { read, pieces, words } = readingOf(tokenizer, header.config, text);
  if (read.length > MAX_SOURCE_TOKENS) return { kind: "failed", why: "long", n: read.length, most: MAX_SOURCE_TOKENS };
  const started = performance.now();
  const trace = translate(model, read, { edits, prefix, ...sampling, onStep: stepReporter(id) });
  const whole = tokenizer.describe(trace.target);
  const fed = [begin, ...whole.slice(0, -1)];
  const first = trace.nRead; // the prompt of a decoder-only model is no part of its output
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
      .map((step) => step.map((candidate) => ({ ...candidate, piece: tokenizer.pieces[candidate.id] }))),
    unknown: tokenizer.unknownCharacters(text),
    maps: { encoder_self: trace.encoderSelf, decoder_self: trace.decoderSelf, cross: trace.cross },
    milliseconds: performance.now() - started,
  };
}

/** Handlers by kind of request. @type {Record<string, (question: never, id: number) => object>} */
const HANDLERS = {
  load,
  doubt,
  score,
  inside,
  embedding,
  feedForward,
  logits,
  cut: cutText,
  around,
  translate: translateText,
};

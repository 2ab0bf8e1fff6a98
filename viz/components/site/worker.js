// The model runs here, so that the page never stalls: fetched once, checked, kept by the service worker's cache.

import { Tokenizer } from "../engine/tokenizer.js";
import { Transformer } from "../engine/transformer.js";
import { translate } from "../engine/translate.js";
import { readWeights } from "../engine/weights.js";

/** @type {{header: any, model: Transformer, tokenizer: Tokenizer} | null} */
let loaded = null;
/** Milliseconds between two words about a long translation. */
const TELL_EVERY = 400;

onmessage = async ({ data }) => {
  try {
    if (data.kind === "load") await load(data.address);
    else answer(data);
  } catch (error) {
    postMessage({ kind: "failed", id: data.id, what: String(error?.message ?? error), name: error?.name });
  }
};

/** @param {string} address folder of model.json and weights.bin */
async function load(address) {
  const header = await (await checked(fetch(`${address}/model.json`))).json();
  let bytes = await download(`${address}/${header.weights}`, header.bytes);
  if (!(await isWhole(bytes, header))) {
    bytes = await download(`${address}/${header.weights}`, header.bytes, { cache: "reload" });
    if (!(await isWhole(bytes, header))) throw new Error("damaged");
  }
  const model = new Transformer(header.config, readWeights(bytes, header.tensors, header.bytes));
  loaded = { header, model, tokenizer: new Tokenizer(header.vocabulary) };
  const { vocabulary, tensors, ...about } = header;
  postMessage({ kind: "loaded", about, nPieces: vocabulary.pieces.length, nTensors: Object.keys(tensors).length });
}

/** @param {Promise<Response>} request */
async function checked(request) {
  const response = await request;
  if (!response.ok) throw new Error(`${response.status}`);
  return response;
}

/**
 * @param {string} address
 * @param {number} total
 * @param {RequestInit} [options]
 */
async function download(address, total, options) {
  const response = await checked(fetch(address, options));
  const reader = response.body.getReader();
  const bytes = new Uint8Array(total);
  let place = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (place + value.length > total) break;
    bytes.set(value, place);
    place += value.length;
    postMessage({ kind: "progress", done: place, total });
  }
  return bytes.buffer.slice(0, place);
}

/**
 * Whether the bytes are those that were exported. Without a secure context there is no digest, and the length must do.
 * @param {ArrayBuffer} bytes
 * @param {{bytes: number, sha256: string}} header
 */
async function isWhole(bytes, header) {
  if (bytes.byteLength !== header.bytes) return false;
  if (!globalThis.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") === header.sha256;
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

/** @param {{id: number, text: string, edits: any, prefix: number[]}} question */
function answer({ id, text, edits, prefix }) {
  const { model, tokenizer, header } = loaded;
  const eos = { id: header.config.eos_id, piece: tokenizer.pieces[header.config.eos_id] };
  const source = [...tokenizer.segment(text), eos];
  const started = performance.now();
  const trace = translate(
    model,
    source.map((piece) => piece.id),
    { edits, prefix, onStep: telling(id) },
  );
  const target = tokenizer.describe(trace.target);
  const fed = [...tokenizer.describe([header.config.bos_id]), ...target.slice(0, -1)];
  const side = (/** @type {{id: number, piece: string}[]} */ pieces) => ({
    ids: pieces.map((piece) => piece.id),
    pieces: pieces.map(({ piece }) => piece),
    words: tokenizer.wordsOf(pieces),
  });
  const message = {
    kind: "trace",
    id,
    text,
    edits,
    translation: tokenizer.decode(trace.target),
    source: side(source),
    fed: side(fed),
    target: side(target),
    logProbs: trace.logProbs,
    isCut: trace.isCut,
    candidates: trace.candidates.map((step) => step.map((each) => ({ ...each, piece: tokenizer.pieces[each.id] }))),
    unknown: tokenizer.unknownCharacters(text),
    maps: { encoder_self: trace.encoderSelf, decoder_self: trace.decoderSelf, cross: trace.cross },
    milliseconds: performance.now() - started,
  };
  const buffers = Object.values(message.maps).map((map) => map.buffer);
  /** @type {any} */ (self).postMessage(message, buffers);
}

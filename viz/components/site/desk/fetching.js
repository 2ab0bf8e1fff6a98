// Loads a model's files from Cache Storage, else from the host; a file with a wrong digest is fetched again.

import { digestOf } from "../../engine/digest.js";

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
export async function fetchModel(address, onProgress) {
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

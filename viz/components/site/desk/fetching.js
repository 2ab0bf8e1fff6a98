// A model's files: from Cache Storage, else from the host; checked, and fetched again where they arrived damaged.

import { digestOf } from "../../engine/digest.js";

const KEPT = "regard-models";

/** The error as one word, for which the page has a sentence. */
class FetchError extends Error {
  /** @param {string} why @param {string} what */
  constructor(why, what) {
    super(what);
    this.why = why;
  }
}

/** @param {string} address folder of model.json
 * @param {(done: number, total: number) => void} tell how many bytes there are */
export async function fetchModel(address, tell) {
  const header = await (await asked(`${address}/model.json`)).json();
  const total = header.weights.bytes + header.vocabulary.bytes;
  const [vocabulary, weights] = await Promise.all([
    whole(address, header.vocabulary),
    whole(address, header.weights, (done) => tell(header.vocabulary.bytes + done, total)),
  ]);
  void forgetOthers(address, [header.vocabulary.name, header.weights.name]);
  return { header, weights, vocabulary };
}

/** One file, as it was exported.
 * @param {string} address @param {{name: string, bytes: number, sha256: string}} file
 * @param {(done: number) => void} [tell] */
async function whole(address, { name, bytes, sha256 }, tell) {
  const at = `${address}/${name}`;
  const isWhole = async (/** @type {ArrayBuffer} */ found) =>
    found.byteLength === bytes && (await digestOf(found)) === sha256;
  const kept = await (await store())?.match(at);
  const known = await kept?.arrayBuffer();
  if (known && (await isWhole(known))) return known;
  for (const cache of /** @type {RequestCache[]} */ (["default", "reload"])) {
    const found = await read(await asked(at, { cache }), bytes, tell);
    if (!(await isWhole(found))) continue;
    void keep(at, new Response(found)); // the translation does not wait for it
    return found;
  }
  throw new FetchError("damaged", name);
}

/** @param {string} at @param {RequestInit} [options] */
async function asked(at, options) {
  const response = await fetch(at, options).catch((error) => {
    throw new FetchError("network", String(error.message));
  });
  if (!response.ok) throw new FetchError("network", `${response.status}`);
  return response;
}

/**
 * What arrives, and no more than there should be.
 * @param {Response} response
 * @param {number} most bytes
 * @param {(done: number) => void} [tell]
 */
async function read(response, most, tell) {
  const bytes = new Uint8Array(most);
  const reader = response.body?.getReader();
  for (let place = 0; ;) {
    const part = await reader?.read().catch(() => undefined); // nothing where it was cut on its way
    const value = part?.value;
    if (!value) return place === most ? bytes.buffer : bytes.buffer.slice(0, place);
    if (place + value.length > most) return new ArrayBuffer(0);
    bytes.set(value, place);
    place += value.length;
    tell?.(place);
  }
}

/** Store an answer for the next visit. A device that cannot can still use it now.
 * @param {string} at @param {Response} response */
async function keep(at, response) {
  await (await store())?.put(at, response).catch(() => undefined);
}

/** Cache Storage, which exists only over HTTPS and on localhost. */
async function store() {
  return globalThis.caches?.open(KEPT).catch(() => undefined);
}

/** Files of the same folder by other names are of an earlier version.
 * @param {string} address @param {string[]} names */
async function forgetOthers(address, names) {
  const cache = await store();
  if (!cache) return;
  for (const { url } of await cache.keys())
    if (url.startsWith(`${address}/`) && !names.some((name) => url.endsWith(`/${name}`))) await cache.delete(url);
}

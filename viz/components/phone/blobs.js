// Packets of attention maps and pictures of experiments: each is sent once, under a name that is a hash of its content.

import { decompress } from "../shared/packet.js";

/** @import { ClassWords, Experiment, Question } from "./types" */

const RETRY_DELAY = 2000; // milliseconds

const isPicture = (/** @type {string} */ name) => name.startsWith("picture-");

export class Blobs {
  /** @param {string} at the room's address */
  constructor(at) {
    this.at = at;
    /** @type {Map<string, Promise<Uint8Array | null>>} */
    this.cache = new Map();
  }

  /** Store a blob of the event stream: every picture, but only the newest packet.
   * @param {string} name @param {string} encoded */
  store(name, encoded) {
    if (!isPicture(name)) for (const cached of this.cache.keys()) if (!isPicture(cached)) this.cache.delete(cached);
    this.cache.set(
      name,
      decompress(encoded).catch(() => null), // a browser that cannot decompress fetches it
    );
  }

  /** The bytes of a name, with retries; null when `isWanted` returns false.
   * @param {string} name @param {() => boolean} isWanted @returns {Promise<Uint8Array | null>} */
  async bytes(name, isWanted) {
    while (isWanted()) {
      const bytes = (await this.cache.get(name)) ?? (await this.#fetch(name));
      if (bytes) return bytes;
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
    }
    return null;
  }

  /** The picture of an experiment, or null.
   * @param {string | Experiment | undefined} name @param {() => boolean} isWanted
   * @returns {Promise<Experiment | null>} */
  async picture(name, isWanted) {
    if (typeof name !== "string") return name ?? null;
    return this.#read(name, isWanted);
  }

  /** The words that a class has written, or null while they are not shown.
   * @param {Question | null} question @param {() => boolean} isWanted @returns {Promise<ClassWords | null>} */
  async words(question, isWanted) {
    return question?.shown ? this.#read(question.shown, isWanted) : null;
  }

  /** @param {string} name @param {() => boolean} isWanted */
  async #read(name, isWanted) {
    const bytes = await this.bytes(name, isWanted);
    return bytes && JSON.parse(new TextDecoder().decode(bytes));
  }

  /** @param {string} name */
  async #fetch(name) {
    const answer = await fetch(`${this.at}/packet/${name}`).catch(() => null);
    return answer?.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  }
}

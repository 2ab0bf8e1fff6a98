// The packets of maps and the pictures of experiments: each comes once over the connection, under a name that its
// content gives it.

import { unpressed } from "../shared/packet.js";

/** @import { ClassWords, Experiment, Question } from "./types" */

const BETWEEN_FETCHES = 2000; // milliseconds

const isPicture = (/** @type {string} */ name) => name.startsWith("picture-");

export class Blobs {
  /** @param {string} at the room's address */
  constructor(at) {
    this.at = at;
    /** @type {Map<string, Promise<Uint8Array | null>>} */
    this.known = new Map();
  }

  /** Keep what has come with the events: every picture, and the newest packet.
   * @param {string} name @param {string} encoded */
  bring(name, encoded) {
    if (!isPicture(name)) for (const each of this.known.keys()) if (!isPicture(each)) this.known.delete(each);
    this.known.set(
      name,
      unpressed(encoded).catch(() => null), // an older browser asks for it
    );
  }

  /** The bytes with a name, fetched until they come; null once they are wanted no more.
   * @param {string} name @param {() => boolean} isWanted @returns {Promise<Uint8Array | null>} */
  async bytes(name, isWanted) {
    while (isWanted()) {
      const found = (await this.known.get(name)) ?? (await this.#fetched(name));
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_FETCHES));
    }
    return null;
  }

  /** The picture of an experiment; null where none is shown.
   * @param {string | Experiment | undefined} name @param {() => boolean} isWanted
   * @returns {Promise<Experiment | null>} */
  async picture(name, isWanted) {
    if (typeof name !== "string") return name ?? null;
    return this.#read(name, isWanted);
  }

  /** The words that a class has written; null where they are not shown.
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
  async #fetched(name) {
    const answer = await fetch(`${this.at}/packet/${name}`).catch(() => null);
    return answer?.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  }
}

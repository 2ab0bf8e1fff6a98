// The packets of maps and the pictures of experiments: each comes once over the connection, under a name that its
// content gives it.

import { unpressed } from "../shared/packet.js";

const BETWEEN_FETCHES = 2000; // milliseconds

const isPicture = (name) => name.startsWith("picture-");

export class Blobs {
  /** @param {string} at the room's address */
  constructor(at) {
    this.at = at;
    this.known = new Map();
  }

  /** Keep what has come with the events: every picture, and the newest packet. */
  bring(name, encoded) {
    if (!isPicture(name)) for (const each of this.known.keys()) if (!isPicture(each)) this.known.delete(each);
    this.known.set(
      name,
      unpressed(encoded).catch(() => null), // an older browser asks for it
    );
  }

  /**
   * The bytes with a name, fetched until they come; null once they are wanted no more.
   * @param {string} name
   * @param {() => boolean} isWanted
   * @returns {Promise<Uint8Array | null>}
   */
  async bytes(name, isWanted) {
    while (isWanted()) {
      const found = (await this.known.get(name)) ?? (await this.#fetched(name));
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_FETCHES));
    }
    return null;
  }

  /**
   * The picture of an experiment; null where none is shown.
   * @param {string | object | undefined} name rooms of earlier versions hold the picture itself
   * @param {() => boolean} isWanted
   */
  async picture(name, isWanted) {
    if (typeof name !== "string") return name ?? null;
    const bytes = await this.bytes(name, isWanted);
    return bytes && JSON.parse(new TextDecoder().decode(bytes));
  }

  async #fetched(name) {
    const answer = await fetch(`${this.at}/packet/${name}`).catch(() => null);
    return answer?.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  }
}

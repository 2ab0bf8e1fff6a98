// The connection to the server: an event stream that reconnects, also after a phone's sleep, and POST requests.

const RETRY_DELAYS = [500, 1000, 2000, 4000, 8000]; // milliseconds
const MAX_SILENCE = 40_000; // milliseconds; the server sends something every 10 s
const PACKET = "event: packet\ndata: ";
const MAX_SLEEP = 20_000; // milliseconds of sleep after which a phone's connection may be dead

/** @import { Snapshot } from "./types" */

/** Follows an event stream, and reconnects when it breaks or is silent. */
export class EventStream {
  /**
   * @param {string} address
   * @param {{message: (snapshot: Snapshot) => void, packet: (name: string, encoded: string) => void,
   *   status: (isOn: boolean) => void, gone: () => void}} listeners
   * @param {Record<string, string>} headers sent with the request: a phone's name
   */
  constructor(address, { message, packet, status, gone }, headers = {}) {
    this.address = address;
    this.headers = headers;
    this.message = message;
    this.packet = packet;
    this.status = status;
    this.gone = gone;
    this.failures = 0;
    this.isOpen = true;
    this.isHurried = false;
    this.lastReceived = Date.now();
    this.wake = (/** @type {Event} */ { type }) => {
      const isAwake = document.visibilityState === "visible";
      if (isAwake && (type === "online" || Date.now() - this.lastReceived > MAX_SLEEP)) this.reconnect();
    };
    document.addEventListener("visibilitychange", this.wake);
    window.addEventListener("online", this.wake);
    this.#run();
  }

  close() {
    this.isOpen = false;
    this.stopper?.abort();
    document.removeEventListener("visibilitychange", this.wake);
    window.removeEventListener("online", this.wake);
  }

  /** Reconnect at once, whether connected or waiting for the next attempt. */
  reconnect() {
    this.isHurried = true;
    this.stopper?.abort();
    this.endWait?.();
  }

  async #run() {
    while (this.isOpen) {
      this.isHurried = false;
      this.stopper = new AbortController();
      try {
        const { headers } = this;
        const answer = await fetch(this.address, { headers, signal: this.stopper.signal, cache: "no-store" });
        if (answer.status === 404 || answer.status === 403) return this.#finish();
        if (!answer.ok || !answer.body) throw new Error(String(answer.status));
        await this.#read(answer.body);
      } catch {
        this.failures += 1;
      }
      if (!this.isOpen) return;
      this.status(false);
      if (!this.isHurried) await this.#wait(RETRY_DELAYS[Math.min(this.failures, RETRY_DELAYS.length - 1)]);
    }
  }

  /** @param {number} milliseconds */
  #wait(milliseconds) {
    return new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
      this.endWait = resolve;
      setTimeout(resolve, milliseconds);
    });
  }

  /** @param {ReadableStream<Uint8Array>} stream */
  async #read(stream) {
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      this.lastReceived = Date.now();
      const silence = setTimeout(() => this.reconnect(), MAX_SILENCE);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      this.failures = 0;
      this.status(true);
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) this.#receive(part);
    }
  }

  /** @param {string} part */
  #receive(part) {
    if (part.startsWith("event: gone")) return this.#finish();
    if (part.startsWith(PACKET)) {
      const [name, encoded] = part.slice(PACKET.length).split(" ");
      this.packet(name, encoded);
    }
    if (part.startsWith("data: ")) this.message(JSON.parse(part.slice(6)));
  }

  #finish() {
    this.close();
    this.gone();
  }
}

/**
 * @typedef {{device: string, vote: string, text: string}} Stored the phone's name, vote and sentence as the room has
 *   stored them
 * @typedef {Partial<Stored> & {answer?: Partial<Stored>, error?: string}} Reply
 */

/** POST content; returns the room's answer, or an error with what the room has stored instead. "offline" means that there
 * was no answer; the content may have arrived.
 * @param {string} address @param {object} content @returns {Promise<Reply>} */
export async function post(address, content) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(content),
    });
    const body = await answer.json();
    return answer.ok ? { answer: body } : { error: "offline", ...body }; // a proxy's error has no reason
  } catch {
    return { error: "offline" };
  }
}

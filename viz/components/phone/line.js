// The connection to the server: an event stream that reconnects after a phone's sleep, and short messages back.

const AGAIN = [500, 1000, 2000, 4000, 8000]; // milliseconds between attempts
const SILENCE = 40_000; // the server sends something every 10 s
const PACKET = "event: packet\ndata: ";
const SLEPT = 20_000; // after this long, a phone's connection may be dead

/** @import { Snapshot } from "./types" */

/** Follows an event stream, and reconnects when it breaks or is silent. */
export class EventStream {
  /**
   * @param {string} address
   * @param {{message: (snapshot: Snapshot) => void, packet: (name: string, encoded: string) => void, status: (isOn: boolean) => void, gone: () => void}} listeners
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
    this.heard = Date.now();
    this.wake = (/** @type {Event} */ { type }) => {
      const isAwake = document.visibilityState === "visible";
      if (isAwake && (type === "online" || Date.now() - this.heard > SLEPT)) this.again();
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
  again() {
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
      if (!this.isHurried) await this.#wait(AGAIN[Math.min(this.failures, AGAIN.length - 1)]);
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
      this.heard = Date.now();
      const silence = setTimeout(() => this.again(), SILENCE);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      this.failures = 0;
      this.status(true);
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) this.#hear(part);
    }
  }

  /** @param {string} part */
  #hear(part) {
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
 * @typedef {{device: string, vote: string, text: string}} Held the name of the phone, its vote and its sentence, as the
 *   room holds them
 * @typedef {Partial<Held> & {answer?: Partial<Held>, error?: string}} Reply
 */

/** Send a few words; the answer, or why it was refused ("offline" when the room did not answer, which does not say
 * whether it arrived) with what the room holds instead.
 * @param {string} address @param {object} content @returns {Promise<Reply>} */
export async function post(address, content) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(content),
    });
    const said = await answer.json();
    return answer.ok ? { answer: said } : { error: "offline", ...said }; // a proxy gives no reason
  } catch {
    return { error: "offline" };
  }
}

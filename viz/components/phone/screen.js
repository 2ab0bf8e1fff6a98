// The second screen, on a projector beside the teacher's page. It only reads: it neither joins the room nor sends votes.

import { unpack } from "../attention/js/data/unpack.js";
import { h } from "../shared/dom.js";
import { fill } from "../shared/text.js";
import { actOf } from "./acts.js";
import { Blobs } from "./blobs.js";
import { Countdown } from "./countdown.js";
import { experimentView } from "./experiment.js";
import { EventStream } from "./line.js";
import { lookView } from "./look.js";
import { questionScreen } from "./question.js";

/** @import { Packet } from "../attention/js/types" */
/** @import { PageWords, Snapshot } from "./types" */

/** Whether an address is local to this computer, so that no phone can open it. */
const isLocal = (/** @type {string} */ host) => host === "localhost" || host === "[::1]" || host.startsWith("127.");

const COUNT_INTERVAL = 1000; // milliseconds

export class Screen {
  /** @type {Snapshot | undefined} the drawn one */ snapshot;
  /** @type {Snapshot | undefined} the latest one */ latest;
  /** @type {(Packet & {name: string}) | null} */ packet = null;

  /** @param {HTMLElement} root @param {PageWords} words
   * @param {string} at the room's address
   * @param {string} code */
  constructor(root, words, at, code) {
    this.root = root;
    this.words = words.room;
    this.attention = words.attention;
    this.at = at;
    this.blobs = new Blobs(at);
    document.body.classList.add("screen");
    this.count = h("p", { class: "counted", role: "status" });
    this.connection = h("p", { class: "remark", role: "status" });
    this.wall = h("div", { class: "wall" });
    this.countdown = new Countdown();
    this.act = h("p", { class: "act" });
    const joinPanel = h(
      "aside",
      {},
      h("p", { class: "kicker" }, words.room.join),
      h("p", { class: "code" }, code),
      isLocal(window.location.hostname) ? h("p", { class: "local" }, words.room.local) : this.#address(),
      this.act,
      this.countdown.root,
      this.count,
      this.connection,
    );
    root.replaceChildren(joinPanel, this.wall);
    this.line = new EventStream(`${at}/events`, {
      message: (snapshot) => this.#update(snapshot),
      packet: (name, encoded) => this.blobs.store(name, encoded),
      status: (isOn) => this.#showConnection(isOn ? "" : words.room.offline),
      gone: () => this.#end(),
    });
    this.timer = setInterval(() => this.#tally(), COUNT_INTERVAL);
    this.#tally();
  }

  #address() {
    const address = `${window.location.origin}${this.at}`;
    const picture = h("img", { src: `${this.at}/qr`, alt: address });
    return [picture, h("p", { class: "address" }, address.replace(/^https?:\/\//, ""))];
  }

  async #tally() {
    const answer = await fetch(`${this.at}/count`, { cache: "no-store" }).catch(() => null);
    if (!answer?.ok) return;
    const { phones, answers } = await answer.json();
    const { question } = this.snapshot ?? {};
    const isCounted = question && !question.hands;
    const template = isCounted ? this.words.answers_of : this.words.here;
    this.count.textContent = fill(template, { n: isCounted ? answers : phones, phones });
  }

  /** @param {Snapshot} snapshot */
  async #update(snapshot) {
    this.latest = snapshot;
    const isWanted = () => this.latest === snapshot;
    const picture = await this.#pictureOf(snapshot, isWanted);
    if (!isWanted()) return;
    this.snapshot = snapshot;
    const { question, shown } = snapshot;
    document.body.dataset.act = actOf(snapshot);
    this.act.textContent = (shown.page !== "room" && shown.title?.[document.documentElement.lang]) || "";
    this.countdown.show(question?.left);
    this.wall.replaceChildren(...(picture ? [picture] : []));
    this.#tally();
  }

  /** The picture of the act; null in the lobby, which shows how to join.
   * @param {Snapshot} snapshot @param {() => boolean} isWanted */
  async #pictureOf(snapshot, isWanted) {
    const { question, shown } = snapshot;
    const { words, attention } = this;
    const act = actOf(snapshot);
    const context = { words, attention, shown, votes: {}, language: document.documentElement.lang };
    if (act === "look") {
      const packet = await this.#packet(shown.packet, isWanted);
      return packet && lookView({ packet, ...context });
    }
    if (act === "observe") {
      const experiment = await this.blobs.picture(shown.experiment, isWanted);
      return experiment && experimentView(experiment, context);
    }
    const written = await this.blobs.words(question, isWanted);
    return question && questionScreen(question, { ...context, written });
  }

  /** @param {string | undefined} name @param {() => boolean} isWanted */
  async #packet(name, isWanted) {
    if (name && this.packet?.name !== name) {
      const bytes = await this.blobs.bytes(name, isWanted);
      this.packet = bytes && { ...unpack(bytes), name };
    }
    return name ? this.packet : null;
  }

  /** @param {string} words */
  #showConnection(words) {
    this.connection.textContent = words;
  }

  #end() {
    clearInterval(this.timer);
    this.root.replaceChildren(h("p", { class: "wait" }, this.words.screen_gone));
  }
}

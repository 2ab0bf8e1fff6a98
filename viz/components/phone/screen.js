// The second screen, on a projector beside the teacher's page. It only reads: it neither joins the room nor sends votes.

import { fitState, pinnedUnits } from "../attention/js/data/state.js";
import { inkOf, matrixOf } from "../attention/js/data/transform.js";
import { unpack } from "../attention/js/data/unpack.js";
import { h } from "../shared/dom.js";
import { clamp, fill } from "../shared/text.js";
import { actOf } from "./acts.js";
import { Blobs } from "./blobs.js";
import { experimentView, mapGrid } from "./experiment.js";
import { EventStream } from "./line.js";
import { Countdown, questionScreen } from "./question.js";

/** @import { Packet, State } from "../attention/js/types" */
/** @import { PageWords, ScreenContext, Snapshot, Words } from "./types" */

/** Whether an address is local to this computer, so that no phone can open it. */
const isLocal = (/** @type {string} */ host) => host === "localhost" || host === "[::1]" || host.startsWith("127.");

const COUNT_INTERVAL = 1000; // milliseconds
const MAX_TOKENS_ON_WALL = 16; // rows and columns that are readable from the last row of seats

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

/** The act "look": the sentence, its translation and one attention map. @param {ScreenContext & {packet: Packet, attention: Words}} context */
function lookView({ packet, shown, words, attention, language }) {
  const [view] = packet.views;
  const state = fitState(shown.state ?? {}, view, packet.defaults);
  const matrix = matrixOf(view, state);
  const [marked = -1] = pinnedUnits(state.pins, "q", matrix.queries);
  const [rows, columns] = [indexesAround(matrix.rows, marked), indexesAround(matrix.columns, -1)];
  const inked = inkOf(matrix, state);
  const at = (/** @type {number} */ i, /** @type {number} */ j) => matrix.values[i * matrix.columns + j];
  const grid = mapGrid({
    ink: rows.map((i) => columns.map((j) => (matrix.isHidden(i, j) ? 0 : inked(at(i, j), i)))),
    weights: rows.map((i) => columns.map((j) => at(i, j))),
    rows: rows.map((i) => matrix.queries.texts[i]),
    columns: columns.map((j) => matrix.keys.texts[j]),
    kind: state.kind,
    marked: rows.indexOf(marked),
  });
  const isCut = rows.length < matrix.rows || columns.length < matrix.columns;
  const notes = [shown.note?.[language], isCut && fill(words.cut, { n: MAX_TOKENS_ON_WALL })].filter(Boolean);
  return h(
    "div",
    { class: "experiment of-maps look" },
    h("div", { class: "about" }, h("p", {}, shown.sentence), h("p", {}, shown.text)),
    notes.map((note) => h("p", { class: "note" }, note)),
    h("ul", { class: "changes" }, ...(shown.changes?.[language] ?? []).map((change) => h("li", {}, change))),
    h("p", { class: "which" }, `${whichHeads(state, packet, attention)} · ${attention[state.kind]}`),
    h("div", { class: "picture-of" }, grid),
  );
}

/** The heads by name, or how many there are. @type {(state: State, packet: Packet, attention: Words) => string} */
function whichHeads({ heads, combine }, { firstIndex }, attention) {
  const [[layer, head]] = heads;
  if (heads.length === 1) return fill(attention.head_name, { layer: layer + firstIndex, head: head + firstIndex });
  return fill(attention[combine === "max" ? "heads_max" : "heads_mean"], { count: heads.length });
}

/** At most MAX_TOKENS_ON_WALL consecutive indexes that include the marked one. @type {(n: number, marked: number) => number[]} */
function indexesAround(n, marked) {
  const count = Math.min(n, MAX_TOKENS_ON_WALL);
  const first = clamp(marked - Math.floor(count / 2), 0, n - count);
  return Array.from({ length: count }, (_, i) => first + i);
}

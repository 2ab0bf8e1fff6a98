// The teacher's view on a phone: title, note and explorer, which follow the teacher until the student changes the explorer.

import { Explorer } from "../attention/js/explorer.js";
import { nameMarks } from "../attention/js/words.js";
import { unpack } from "../attention/js/data/unpack.js";
import { h } from "../shared/dom.js";

/** @import { Packet } from "../attention/js/types" */
/** @import { Blobs } from "./blobs.js" */
/** @import { Place, Words } from "./types" */

export class TeacherView {
  /** @type {Place} */ shown = {};
  /** @type {Packet | undefined} the drawn packet, and its name */ packet;
  /** @type {string | undefined} */ packetName;
  /** @type {Explorer | undefined} */ explorer;

  /** @param {{words: Words, attention: Words, blobs: Blobs, follow: HTMLButtonElement}} parts */
  constructor({ words, attention, blobs, follow }) {
    this.words = words;
    this.attention = attention;
    this.blobs = blobs;
    this.followButton = follow;
    this.isFollowing = true;
    this.title = h("p", { class: "kicker" });
    this.note = h("p", { class: "note" });
    this.changes = h("ul", { class: "changes", "aria-label": words.changed });
    this.where = h("div", { class: "where" }, this.title, this.note, this.changes);
    this.picture = h("div", { class: "picture" }, h("p", { class: "wait" }, words.wait));
    this.root = h("section", { class: "place" }, this.where, this.picture);
    follow.onclick = () => this.#followAgain();
  }

  /** Follow the teacher to another view, once its packet has loaded. @param {Place} shown */
  async follow(shown) {
    this.shown = shown;
    this.#drawText(shown);
    if (shown.packet && shown.packet !== this.packetName) await this.#open(shown.packet);
    else if (this.isFollowing) this.#draw();
    this.followButton.hidden = this.isFollowing;
  }

  /** @param {Place} shown */
  #drawText({ page, title, note, changes }) {
    const { lang } = document.documentElement;
    this.title.textContent = page === "room" ? "" : (title?.[lang] ?? "");
    this.note.textContent = note?.[lang] ?? "";
    this.changes.replaceChildren(...(changes?.[lang] ?? []).map((words) => h("li", {}, words)));
  }

  /** @param {string} name */
  async #open(name) {
    const bytes = await this.blobs.bytes(name, () => this.shown.packet === name);
    if (!bytes || this.shown.packet !== name) return;
    this.packet = { ...unpack(bytes), strings: this.attention };
    nameMarks(this.packet.views, this.attention);
    this.packetName = name;
    this.isFollowing = true;
    this.#draw();
  }

  #draw() {
    const { packet, explorer, picture, shown } = this;
    if (!packet) return;
    if (explorer) return explorer.load(packet, { state: shown.state });
    picture.replaceChildren();
    this.explorer = new Explorer(picture, { report: () => this.#stopFollowing() }, packet, { state: shown.state });
  }

  #stopFollowing() {
    this.isFollowing = false;
    this.followButton.hidden = false;
  }

  #followAgain() {
    this.isFollowing = true;
    this.followButton.hidden = true;
    this.#draw();
  }

  destroy() {
    this.explorer?.destroy();
  }
}

// The teacher's view: where the class is, and the explorer, which follows until the student looks around.

import { Explorer } from "../attention/js/explorer.js";
import { unpack } from "../attention/js/unpack.js";
import { h } from "../shared/dom.js";
import { unpressed } from "../shared/packet.js";

export class Shown {
  constructor({ words, attention, at, follow }) {
    this.words = words;
    this.attention = attention;
    this.at = at;
    this.follow = follow;
    this.isFollowing = true;
    this.title = h("p", { class: "kicker" });
    this.note = h("p", { class: "note" });
    this.changes = h("ul", { class: "changes", "aria-label": words.changed });
    this.where = h("div", { class: "where" }, this.title, this.note, this.changes);
    this.picture = h("div", { class: "picture" }, h("p", { class: "wait" }, words.wait));
    this.root = h("section", { class: "place" }, this.where, this.picture);
    follow.onclick = () => this.#followAgain();
  }

  /** Follow to what the teacher shows now; a packet that is new is fetched first. */
  async take(shown) {
    this.shown = shown;
    this.#say(shown);
    if (shown.packet && shown.packet !== this.packetName) await this.#fetch(shown);
    else if (this.explorer && this.isFollowing) this.explorer.load(this.packet, { state: shown.state });
    this.follow.hidden = this.isFollowing;
  }

  #say({ title, note, changes }) {
    const { lang } = document.documentElement;
    this.title.textContent = title?.[lang] ?? "";
    this.note.textContent = note?.[lang] ?? "";
    this.changes.replaceChildren(...(changes?.[lang] ?? []).map((words) => h("li", {}, words)));
  }

  /** Keep a packet that has come with the events. */
  bring(name, encoded) {
    this.brought = { name, bytes: unpressed(encoded).catch(() => null) }; // null: an older browser asks for it
  }

  async #bytesOf(name) {
    const bytes = this.brought?.name === name && (await this.brought.bytes);
    if (bytes) return bytes;
    const answer = await fetch(`${this.at}/packet/${name}`).catch(() => null);
    return answer?.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  }

  async #fetch(shown) {
    const bytes = await this.#bytesOf(shown.packet);
    if (this.shown.packet !== shown.packet) return;
    if (!bytes) return void setTimeout(() => this.shown.packet === shown.packet && this.take(this.shown), 2000);
    this.packet = unpack(bytes);
    this.packet.strings = this.attention;
    this.packetName = shown.packet;
    this.isFollowing = true;
    if (!this.explorer) {
      this.picture.replaceChildren();
      this.explorer = new Explorer(this.picture, { report: () => this.#wander() });
    }
    this.explorer.load(this.packet, { state: this.shown.state });
  }

  #wander() {
    this.isFollowing = false;
    this.follow.hidden = false;
  }

  #followAgain() {
    this.isFollowing = true;
    this.follow.hidden = true;
    this.explorer.load(this.packet, { state: this.shown.state });
  }

  destroy() {
    this.explorer?.destroy?.();
  }
}

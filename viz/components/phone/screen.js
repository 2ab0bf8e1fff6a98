// The second screen: what a projector shows beside the teacher's own page. It does not join the room and cannot send
// anything.

import { h } from "../shared/dom.js";
import { fill } from "../shared/text.js";
import { Line } from "./line.js";
import { questionScreen } from "./question.js";
import { Shown } from "./shown.js";

const COUNTING = 1000; // milliseconds between two counts

export class Screen {
  constructor(root, words, at, code) {
    this.root = root;
    this.words = words.room;
    this.at = at;
    document.body.classList.add("screen");
    this.address = `${window.location.origin}${at}`;
    this.count = h("p", { class: "counted", role: "status" });
    this.connection = h("p", { class: "remark", role: "status" });
    this.asked = h("section", { class: "asked", hidden: true });
    this.follow = h("button", { type: "button", class: "follow", hidden: true }, words.room.follow);
    this.shown = new Shown({ words: words.room, attention: words.attention, at, follow: this.follow });
    const way = h(
      "aside",
      {},
      h("p", { class: "kicker" }, words.room.join),
      h("p", { class: "code" }, code),
      h("img", { src: `${at}/qr`, alt: this.address }),
      h("p", { class: "address" }, this.address.replace(/^https?:\/\//, "")),
      this.count,
      this.connection,
    );
    root.replaceChildren(way, h("div", { class: "wall" }, this.asked, this.shown.root, this.follow));
    this.line = new Line(`${at}/events`, {
      message: (snapshot) => this.#take(snapshot),
      packet: (name, encoded) => this.shown.bring(name, encoded),
      status: (isOn) => this.#say(isOn ? "" : words.room.offline),
      gone: () => this.#end(),
    });
    this.timer = setInterval(() => this.#tally(), COUNTING);
    this.#tally();
  }

  async #tally() {
    const answer = await fetch(`${this.at}/count`, { cache: "no-store" }).catch(() => null);
    if (!answer?.ok) return;
    const { phones, answers } = await answer.json();
    const { question } = this.snapshot ?? {};
    const said = question ? this.words.answers_of : this.words.here;
    this.count.textContent = fill(said, { n: question ? answers : phones, phones });
  }

  #take(snapshot) {
    this.snapshot = snapshot;
    const { question, shown } = snapshot;
    this.asked.hidden = !question;
    this.shown.root.hidden = Boolean(question);
    if (question) {
      const { lang } = document.documentElement;
      this.asked.replaceChildren(questionScreen(question, { words: this.words, shown, mine: {}, language: lang }));
    }
    this.shown.take(shown);
    this.#tally();
  }

  #say(words) {
    this.connection.textContent = words;
  }

  #end() {
    clearInterval(this.timer);
    this.root.replaceChildren(h("p", { class: "wait" }, this.words.screen_gone));
  }
}

// A student's page: what the teacher shows, the question that is open, and a box for a sentence of one's own.

import { h, sleep } from "../shared/dom.js";
import { sentences } from "../shared/text.js";
import { actOf } from "./acts.js";
import { Blobs } from "./blobs.js";
import { Countdown } from "./countdown.js";
import { experimentView } from "./experiment.js";
import { EventStream, post } from "./line.js";
import { questionScreen } from "./question.js";
import { Screen } from "./screen.js";
import { Shown } from "./shown.js";
import { Writing } from "./writing.js";

/** @type {Record<string, number>} */
const UNANSWERED = { offline: 1500, fast: 1000 }; // milliseconds until the same vote is sent again

/** @import { ClassWords, PageWords, Place, Question, Snapshot, Votes, Words } from "./types" */

/** Draw the page for the room in the address, or the form for a code if there is none.
 * @param {HTMLElement} root @param {PageWords} words */
export function begin(root, words) {
  document.title = `Regard · ${words.room.title}`;
  const [, base, code, screen] = window.location.pathname.match(/^(.*)\/class(?:\/([^/]*))?(\/screen)?\/?$/) ?? [];
  if (!code) return root.replaceChildren(doorScreen(words.room));
  const Way = screen ? Screen : Phone;
  return new Way(root, words, `${base}/class/${encodeURIComponent(code.toUpperCase())}`, code.toUpperCase());
}

/** @param {Words} words */
function doorScreen(words, remark = "") {
  const box = h("input", {
    name: "code",
    autocomplete: "off",
    autocapitalize: "characters",
    maxlength: 12,
    required: true,
    "aria-label": words.code,
    placeholder: "• • • • • •",
  });
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    const base = window.location.pathname.replace(/\/class(\/.*)?$/, "");
    const code = box.value.replace(/[^0-9a-z]/gi, "").toUpperCase();
    if (code) window.location.assign(`${base}/class/${code}`);
  };
  return h(
    "form",
    { class: "door", onsubmit: enter },
    h("p", { class: "brand" }, "Regard"),
    remark && h("p", { class: "remark", role: "alert" }, remark),
    h("h1", {}, words.enter_code),
    box,
    h("button", { type: "submit", class: "main" }, words.enter),
  );
}

class Phone {
  /** @type {string | undefined} the act in which the phone joined */ first;
  /** @type {string | undefined} its name in the room */ device;
  /** @type {EventStream | undefined} */ line;
  /** @type {Snapshot | undefined} what is drawn */ snapshot;
  /** @type {Snapshot | undefined} what has come */ coming;
  /** @type {object | undefined} the vote that is being sent */ attempt;
  /** @type {{choices: {text: string}} | undefined} the model on this phone, once it is open */ desk;
  /** @type {ClassWords | null} what the class has written, where it is shown */ written = null;

  /** @param {HTMLElement} root @param {PageWords} words
   * @param {string} at the room's address
   * @param {string} code */
  constructor(root, words, at, code) {
    this.root = root;
    this.words = words.room;
    this.at = at;
    this.code = code;
    this.source = words.code;
    /** By question. @type {Record<string, Votes>} */
    this.votes = JSON.parse(kept(`regard.votes.${code}`) ?? "{}");
    this.status = h("span", { class: "status", role: "status" });
    this.follow = h("button", { class: "follow", hidden: true }, this.words.follow);
    this.blobs = new Blobs(at);
    this.shown = new Shown({ words: this.words, attention: words.attention, blobs: this.blobs, follow: this.follow });
    this.asked = h("section", { class: "asked", hidden: true });
    this.welcome = h(
      "section",
      { class: "welcome", hidden: true },
      h("h1", {}, this.words.in),
      h("p", {}, this.words.in_next),
    );
    this.countdown = new Countdown();
    this.observed = h("section", { class: "observed", hidden: true });
    this.box = h("textarea", { rows: 2, maxlength: 500 });
    this.explore = h("button", { class: "main" }, this.words.explore);
    this.writing = new Writing(this.words, words.pad, (question, text) => this.#write(question, text));
    this.own = this.#ownSentence();
    root.replaceChildren(
      h(
        "header",
        {},
        h("b", {}, "Regard"),
        h("span", { class: "room" }, code),
        this.status,
        this.countdown.root,
        this.follow,
      ),
      this.welcome,
      this.asked,
      this.observed,
      this.shown.root,
      this.own,
    );
    this.#join();
  }

  async #join() {
    const name = `regard.device.${this.code}`;
    const { answer, error } = await post(`${this.at}/join`, { device: kept(name) ?? "" });
    this.#show(error !== "offline");
    if (error === "fast") this.status.textContent = this.words.joining;
    if (error === "offline" || error === "fast")
      return void setTimeout(() => this.#join(), 1500 + 1500 * Math.random());
    if (!answer?.device) return this.#end(this.words[`error_${error}`] ?? this.words.error_gone);
    this.device = answer.device;
    this.isNew = answer.device !== kept(name);
    keep(name, answer.device);
    const listeners = {
      message: (/** @type {Snapshot} */ snapshot) => this.#take(snapshot),
      packet: (/** @type {string} */ name, /** @type {string} */ encoded) => this.blobs.bring(name, encoded),
      status: (/** @type {boolean} */ isOn) => this.#show(isOn),
      gone: () => this.#end(this.words.error_gone),
    };
    // The name is in a header, because the logs of proxies hold addresses.
    this.line = new EventStream(`${this.at}/events`, listeners, { "Regard-Device": this.device });
  }

  /** @param {boolean} isOn */
  #show(isOn) {
    this.status.textContent = isOn ? "" : this.words.offline;
  }

  /** @param {string} remark */
  #end(remark) {
    this.line?.close();
    this.shown.destroy();
    this.root.replaceChildren(doorScreen(this.words, remark));
  }

  /** @param {Snapshot} snapshot */
  async #take(snapshot) {
    this.coming = snapshot;
    const isWanted = () => this.coming === snapshot;
    const experiment = await this.blobs.picture(snapshot.shown.experiment, isWanted);
    const written = await this.blobs.words(snapshot.question, isWanted);
    if (!isWanted()) return;
    Object.assign(this, { snapshot, written });
    const { question, shown, paused } = snapshot;
    const act = actOf(snapshot);
    this.first ??= act;
    this.isNew &&= act === this.first && (act === "look" || act === "lobby");
    this.root.dataset.paused = String(paused);
    this.root.dataset.act = act;
    const isAsked = paused || ["ask", "votes", "explain"].includes(act);
    const isObserved = !paused && Boolean(experiment) && (act === "observe" || act === "explain");
    this.welcome.hidden = paused || !(act === "lobby" || this.isNew);
    this.asked.hidden = !isAsked;
    this.observed.hidden = !isObserved;
    this.shown.root.hidden = paused || isObserved || act === "ask" || act === "votes";
    this.own.hidden = isAsked || isObserved || Boolean(shown.of_picture); // a sentence could not be read
    if (isAsked) this.#ask();
    const { lang: language } = document.documentElement;
    const given = { words: this.words, language, shown: isAsked ? {} : shown }; // above stands where the class is
    if (isObserved && experiment) this.observed.replaceChildren(experimentView(experiment, given));
    this.countdown.show(question?.left);
    this.#fitOwn(shown);
    this.shown.take(shown);
  }

  /** The model on the phone reads English: where the class reads another language, a sentence can only be sent.
   * @param {Place} shown */
  #fitOwn({ language }) {
    const isEnglish = !language || language.startsWith("en");
    const { own, own_other } = this.words;
    this.box.placeholder = this.box.ariaLabel = isEnglish ? own : own_other;
    this.explore.hidden = Boolean(this.desk) || !isEnglish;
  }

  #ask() {
    const { question, shown, paused } = this.snapshot ?? {};
    if (paused) return this.asked.replaceChildren(h("p", { class: "paused" }, this.words.paused));
    if (!question || !shown) return;
    const answer = (/** @type {string} */ vote) => this.#vote(question, vote);
    const mine = this.votes[question.id] ?? {};
    const language = document.documentElement.lang;
    if (question.kind === "write" && !question.revealed) {
      this.writing.show(question, { words: this.words, shown, language, own: mine.all });
      if (!this.writing.root.isConnected) this.asked.replaceChildren(this.writing.root);
      return;
    }
    const { words, written } = this;
    const screen = questionScreen(question, { words, shown, mine, language, answer, written });
    this.asked.replaceChildren(screen);
  }

  /** Send a vote until the room answers; shown as one's own is what the room says that it counted.
   * @param {Question} question @param {string} vote */
  async #vote(question, vote) {
    const attempt = (this.attempt = {});
    const isOpen = () => attempt === this.attempt && this.snapshot?.question?.id === question.id;
    for (;;) {
      const said = await post(`${this.at}/vote`, { device: this.device, question: question.id, vote });
      const counted = said.answer?.vote ?? said.vote;
      if (counted) this.#keepVote(question, counted);
      if (!isOpen()) return;
      this.#ask();
      this.status.textContent = counted ? "" : (this.words[`error_${said.error}`] ?? this.words.offline);
      const wait = UNANSWERED[said.error ?? ""];
      if (counted || !wait) return;
      await sleep(wait);
      if (!isOpen()) return;
    }
  }

  /** Send a word that was written; the last one counts. A remark is returned where it was not taken.
   * @type {(question: string, text: string) => Promise<string>} */
  async #write(question, text) {
    for (;;) {
      const { answer, error = "" } = await post(`${this.at}/writing`, { device: this.device, question, text });
      if (answer) this.#keep(question, { all: text });
      const isOver = !UNANSWERED[error] || this.snapshot?.question?.id !== question;
      if (answer || isOver) return answer ? "" : (this.words[`error_${error}`] ?? this.words.offline);
      await sleep(UNANSWERED[error]);
    }
  }

  /** @type {(question: Question, vote: string) => void} */
  #keepVote(question, vote) {
    this.#keep(question.id, { [question.kind === "quiz" ? vote.split(".")[0] : "all"]: vote });
  }

  /** @type {(id: string, votes: Votes) => void} */
  #keep(id, votes) {
    this.votes[id] = { ...this.votes[id], ...votes };
    keep(`regard.votes.${this.code}`, JSON.stringify(this.votes));
  }

  #ownSentence() {
    const { words, box, explore } = this;
    const said = h("p", { role: "status" });
    const desk = h("section", { class: "mine" });
    const ownText = () => this.desk?.choices.text ?? box.value;
    const send = async (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!ownText().trim()) return;
      const written = ownText().trim();
      const given = { device: this.device, text: written };
      let reply = await post(`${this.at}/sentence`, given);
      if (reply.error === "fast") {
        await sleep(UNANSWERED.fast);
        reply = await post(`${this.at}/sentence`, given);
      }
      const { answer, error, text } = reply;
      const held = answer?.text ?? text;
      const refusal = error && held !== written ? (words[`sentence_${error}`] ?? words.offline) : "";
      said.textContent = sentences(held ? sentences(words.sent, held) : "", refusal);
      if (!refusal) box.value = "";
    };
    explore.onclick = async () => {
      explore.disabled = true;
      said.textContent = words.explore_loading;
      try {
        this.desk = await this.#openDesk(desk, box.value.trim());
        box.hidden = explore.hidden = true;
        said.textContent = "";
      } catch {
        explore.disabled = false;
        said.textContent = words.explore_failed;
      }
    };
    return h(
      "div",
      { class: "own" },
      desk,
      h("form", { onsubmit: send }, box, explore, h("button", { type: "submit", class: "send" }, words.send), said),
    );
  }

  /** Open the model on this phone: its code and weights are fetched now, and later nothing is sent or requested.
   * @param {HTMLElement} root @param {string} text */
  async #openDesk(root, text) {
    const base = this.at.replace(/\/class\/[^/]*$/, "");
    const { openDesk } = await import(`${window.location.origin}${base}/${this.source}/site/phone_desk.js`);
    return openDesk(root, `${base}/engine/setup/${document.documentElement.lang}`, text);
  }
}

/** @param {string} name */
function kept(name) {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null; // a browser without storage can still take part until it is reloaded
  }
}

/** @type {(name: string, value: string) => void} */
function keep(name, value) {
  try {
    window.localStorage.setItem(name, value);
  } catch {
    // see above
  }
}

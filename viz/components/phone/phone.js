// A student's page: the teacher's view, the open question, and a box to send a sentence.

import { h, sleep } from "../shared/dom.js";
import { sentences } from "../shared/text.js";
import { actOf } from "./acts.js";
import { Blobs } from "./blobs.js";
import { experimentView } from "./experiment.js";
import { EventStream, post } from "./line.js";
import { Countdown, questionScreen } from "./question.js";
import { Screen } from "./screen.js";
import { TeacherView } from "./teacher_view.js";
import { Writing } from "./writing.js";

/** @type {Record<string, number>} */
const RETRY_DELAY_BY_ERROR = { offline: 1500, fast: 1000 }; // milliseconds until a vote is sent again

/** @import { ClassWords, PageWords, Place, Question, Snapshot, Votes, Words } from "./types" */

/** Draw the page for the room in the address, or the form to enter a room's code.
 * @param {HTMLElement} root @param {PageWords} words */
export function begin(root, words) {
  document.title = `Regard · ${words.room.title}`;
  const [, base, code, screen] = window.location.pathname.match(/^(.*)\/class(?:\/([^/]*))?(\/screen)?\/?$/) ?? [];
  if (!code) return root.replaceChildren(codeForm(words.room));
  const View = screen ? Screen : Phone;
  return new View(root, words, `${base}/class/${encodeURIComponent(code.toUpperCase())}`, code.toUpperCase());
}

/** @param {Words} words */
function codeForm(words, remark = "") {
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
  /** @type {string | undefined} the act in which the phone joined */ firstAct;
  /** @type {string | undefined} its name in the room */ device;
  /** @type {EventStream | undefined} */ line;
  /** @type {Snapshot | undefined} the drawn one */ snapshot;
  /** @type {Snapshot | undefined} the latest one */ latest;
  /** @type {object | undefined} token of the vote that is being sent */ attempt;
  /** @type {{choices: {text: string}} | undefined} the model on this phone, once it is open */ desk;
  /** @type {ClassWords | null} the class's words, while they are shown */ written = null;

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
    this.votes = JSON.parse(load(`regard.votes.${code}`) ?? "{}");
    this.status = h("span", { class: "status", role: "status" });
    this.follow = h("button", { class: "follow", hidden: true }, this.words.follow);
    this.blobs = new Blobs(at);
    this.teacherView = new TeacherView({
      words: this.words,
      attention: words.attention,
      blobs: this.blobs,
      follow: this.follow,
    });
    this.questionRoot = h("section", { class: "asked", hidden: true });
    this.welcome = h(
      "section",
      { class: "welcome", hidden: true },
      h("h1", {}, this.words.in),
      h("p", {}, this.words.in_next),
    );
    this.countdown = new Countdown();
    this.experimentRoot = h("section", { class: "observed", hidden: true });
    this.box = h("textarea", { rows: 2, maxlength: 500 });
    this.explore = h("button", { class: "main" }, this.words.explore);
    this.writing = new Writing(this.words, words.pad, (question, text) => this.#write(question, text));
    this.sentenceForm = this.#buildSentenceForm();
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
      this.questionRoot,
      this.experimentRoot,
      this.teacherView.root,
      this.sentenceForm,
    );
    this.#join();
  }

  async #join() {
    const name = `regard.device.${this.code}`;
    const { answer, error } = await post(`${this.at}/join`, { device: load(name) ?? "" });
    this.#showStatus(error !== "offline");
    if (error === "fast") this.status.textContent = this.words.joining;
    if (error === "offline" || error === "fast")
      return void setTimeout(() => this.#join(), 1500 + 1500 * Math.random());
    if (!answer?.device) return this.#end(this.words[`error_${error}`] ?? this.words.error_gone);
    this.device = answer.device;
    this.isNew = answer.device !== load(name);
    save(name, answer.device);
    const listeners = {
      message: (/** @type {Snapshot} */ snapshot) => this.#update(snapshot),
      packet: (/** @type {string} */ name, /** @type {string} */ encoded) => this.blobs.store(name, encoded),
      status: (/** @type {boolean} */ isOn) => this.#showStatus(isOn),
      gone: () => this.#end(this.words.error_gone),
    };
    // The name is in a header, because proxies log addresses.
    this.line = new EventStream(`${this.at}/events`, listeners, { "Regard-Device": this.device });
  }

  /** @param {boolean} isOn */
  #showStatus(isOn) {
    this.status.textContent = isOn ? "" : this.words.offline;
  }

  /** @param {string} remark */
  #end(remark) {
    this.line?.close();
    this.teacherView.destroy();
    this.root.replaceChildren(codeForm(this.words, remark));
  }

  /** @param {Snapshot} snapshot */
  async #update(snapshot) {
    this.latest = snapshot;
    const isWanted = () => this.latest === snapshot;
    const experiment = await this.blobs.picture(snapshot.shown.experiment, isWanted);
    const written = await this.blobs.words(snapshot.question, isWanted);
    if (!isWanted()) return;
    Object.assign(this, { snapshot, written });
    const { question, shown, paused } = snapshot;
    const act = actOf(snapshot);
    this.firstAct ??= act;
    this.isNew &&= act === this.firstAct && (act === "look" || act === "lobby");
    this.root.dataset.paused = String(paused);
    this.root.dataset.act = act;
    const hasQuestion = paused || ["ask", "votes", "explain"].includes(act);
    const hasExperiment = !paused && Boolean(experiment) && (act === "observe" || act === "explain");
    this.welcome.hidden = paused || !(act === "lobby" || this.isNew);
    this.questionRoot.hidden = !hasQuestion;
    this.experimentRoot.hidden = !hasExperiment;
    this.teacherView.root.hidden = paused || hasExperiment || act === "ask" || act === "votes";
    this.sentenceForm.hidden = hasQuestion || hasExperiment || Boolean(shown.of_picture); // a model of pictures reads no sentence
    if (hasQuestion) this.#drawQuestion();
    const { lang: language } = document.documentElement;
    const context = { words: this.words, language, shown: hasQuestion ? {} : shown }; // the question shows the title
    if (hasExperiment && experiment) this.experimentRoot.replaceChildren(experimentView(experiment, context));
    this.countdown.show(question?.left);
    this.#fitSentenceForm(shown);
    this.teacherView.follow(shown);
  }

  /** The model on the phone reads English: for another language, a sentence can only be sent.
   * @param {Place} shown */
  #fitSentenceForm({ language }) {
    const isEnglish = !language || language.startsWith("en");
    const { own, own_other } = this.words;
    this.box.placeholder = this.box.ariaLabel = isEnglish ? own : own_other;
    this.explore.hidden = Boolean(this.desk) || !isEnglish;
  }

  #drawQuestion() {
    const { question, shown, paused } = this.snapshot ?? {};
    if (paused) return this.questionRoot.replaceChildren(h("p", { class: "paused" }, this.words.paused));
    if (!question || !shown) return;
    const answer = (/** @type {string} */ vote) => this.#vote(question, vote);
    const votes = this.votes[question.id] ?? {};
    const language = document.documentElement.lang;
    if (question.kind === "write" && !question.revealed) {
      this.writing.show(question, { words: this.words, shown, language, ownVote: votes.all });
      if (!this.writing.root.isConnected) this.questionRoot.replaceChildren(this.writing.root);
      return;
    }
    const { words, written } = this;
    const screen = questionScreen(question, { words, shown, votes, language, answer, written });
    this.questionRoot.replaceChildren(screen);
  }

  /** Send a vote, with retries until the room answers, and mark the vote that the room has counted.
   * @param {Question} question @param {string} vote */
  async #vote(question, vote) {
    const attempt = (this.attempt = {});
    const isOpen = () => attempt === this.attempt && this.snapshot?.question?.id === question.id;
    for (;;) {
      const reply = await post(`${this.at}/vote`, { device: this.device, question: question.id, vote });
      const counted = reply.answer?.vote ?? reply.vote;
      if (counted) this.#saveVote(question, counted);
      if (!isOpen()) return;
      this.#drawQuestion();
      this.status.textContent = counted ? "" : (this.words[`error_${reply.error}`] ?? this.words.offline);
      const wait = RETRY_DELAY_BY_ERROR[reply.error ?? ""];
      if (counted || !wait) return;
      await sleep(wait);
      if (!isOpen()) return;
    }
  }

  /** Send a written word; the last one counts. Returns an error message, or "".
   * @type {(question: string, text: string) => Promise<string>} */
  async #write(question, text) {
    for (;;) {
      const { answer, error = "" } = await post(`${this.at}/writing`, { device: this.device, question, text });
      if (answer) this.#saveVotes(question, { all: text });
      const isOver = !RETRY_DELAY_BY_ERROR[error] || this.snapshot?.question?.id !== question;
      if (answer || isOver) return answer ? "" : (this.words[`error_${error}`] ?? this.words.offline);
      await sleep(RETRY_DELAY_BY_ERROR[error]);
    }
  }

  /** @type {(question: Question, vote: string) => void} */
  #saveVote(question, vote) {
    this.#saveVotes(question.id, { [question.kind === "quiz" ? vote.split(".")[0] : "all"]: vote });
  }

  /** @type {(id: string, votes: Votes) => void} */
  #saveVotes(id, votes) {
    this.votes[id] = { ...this.votes[id], ...votes };
    save(`regard.votes.${this.code}`, JSON.stringify(this.votes));
  }

  #buildSentenceForm() {
    const { words, box, explore } = this;
    const status = h("p", { role: "status" });
    const desk = h("section", { class: "mine" });
    const currentText = () => this.desk?.choices.text ?? box.value;
    const send = async (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!currentText().trim()) return;
      const written = currentText().trim();
      const content = { device: this.device, text: written };
      let reply = await post(`${this.at}/sentence`, content);
      if (reply.error === "fast") {
        await sleep(RETRY_DELAY_BY_ERROR.fast);
        reply = await post(`${this.at}/sentence`, content);
      }
      const { answer, error, text } = reply;
      const stored = answer?.text ?? text;
      const refusal = error && stored !== written ? (words[`sentence_${error}`] ?? words.offline) : "";
      status.textContent = sentences(stored ? sentences(words.sent, stored) : "", refusal);
      if (!refusal) box.value = "";
    };
    explore.onclick = async () => {
      explore.disabled = true;
      status.textContent = words.explore_loading;
      try {
        this.desk = await this.#openDesk(desk, box.value.trim());
        box.hidden = explore.hidden = true;
        status.textContent = "";
      } catch {
        explore.disabled = false;
        status.textContent = words.explore_failed;
      }
    };
    return h(
      "div",
      { class: "own" },
      desk,
      h("form", { onsubmit: send }, box, explore, h("button", { type: "submit", class: "send" }, words.send), status),
    );
  }

  /** Open the model on this phone: its code and weights are fetched now; later it sends no requests.
   * @param {HTMLElement} root @param {string} text */
  async #openDesk(root, text) {
    const base = this.at.replace(/\/class\/[^/]*$/, "");
    const { openDesk } = await import(`${window.location.origin}${base}/${this.source}/site/phone_desk.js`);
    return openDesk(root, `${base}/engine/setup/${document.documentElement.lang}`, text);
  }
}

/** @param {string} name */
function load(name) {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null; // a browser without storage can still take part until it is reloaded
  }
}

/** @type {(name: string, value: string) => void} */
function save(name, value) {
  try {
    window.localStorage.setItem(name, value);
  } catch {
    // see above
  }
}

// A student's page: what the teacher shows, the question that is open, and a box for a sentence of one's own.

import { h } from "../shared/dom.js";
import { sentences } from "../shared/text.js";
import { Line, post } from "./line.js";
import { questionScreen } from "./question.js";
import { Screen } from "./screen.js";
import { Shown } from "./shown.js";

/** Draw the page for the room in the address, or the form for a code if there is none. */
export function begin(root, words) {
  document.title = `Regard · ${words.room.title}`;
  const [, base, code, screen] = window.location.pathname.match(/^(.*)\/class(?:\/([^/]*))?(\/screen)?\/?$/) ?? [];
  if (!code) return root.replaceChildren(doorScreen(words.room));
  const Way = screen ? Screen : Phone;
  return new Way(root, words, `${base}/class/${encodeURIComponent(code.toUpperCase())}`, code.toUpperCase());
}

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
  const enter = (event) => {
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
  /** @type {any} where a sentence is written */ box;
  /** @type {HTMLElement} */ explore;

  constructor(root, words, at, code) {
    this.root = root;
    this.words = words.room;
    this.at = at;
    this.code = code;
    this.source = words.code;
    this.votes = JSON.parse(kept(`regard.votes.${code}`) ?? "{}");
    this.status = h("span", { class: "status", role: "status" });
    this.follow = h("button", { type: "button", class: "follow", hidden: true }, this.words.follow);
    this.shown = new Shown({ words: this.words, attention: words.attention, at, follow: this.follow });
    this.asked = h("section", { class: "asked", hidden: true });
    this.own = this.#ownSentence();
    root.replaceChildren(
      h("header", {}, h("b", {}, "Regard"), h("span", { class: "room" }, code), this.status, this.follow),
      this.asked,
      this.shown.root,
      this.own,
    );
    this.#join();
  }

  async #join() {
    const name = `regard.device.${this.code}`;
    const { answer, error } = await post(`${this.at}/join`, { device: kept(name) ?? "" });
    this.#show(error !== "offline");
    if (error === "offline") return void setTimeout(() => this.#join(), 1500);
    if (error) return this.#end(this.words[`error_${error}`] ?? this.words.error_gone);
    this.device = answer.device;
    keep(name, answer.device);
    this.line = new Line(`${this.at}/events`, {
      message: (snapshot) => this.#take(snapshot),
      packet: (name, encoded) => this.shown.bring(name, encoded),
      status: (isOn) => this.#show(isOn),
      gone: () => this.#end(this.words.error_gone),
    });
  }

  #show(isOn) {
    this.status.textContent = isOn ? "" : this.words.offline;
  }

  #end(remark) {
    this.line?.close();
    this.shown.destroy();
    this.root.replaceChildren(doorScreen(this.words, remark));
  }

  #take(snapshot) {
    this.snapshot = snapshot;
    this.root.dataset.paused = String(snapshot.paused);
    const { question, shown } = snapshot;
    const isAsked = Boolean(question) || snapshot.paused;
    this.asked.hidden = !isAsked;
    this.shown.root.hidden = isAsked && (snapshot.paused || !question.revealed);
    this.own.hidden = isAsked;
    if (snapshot.paused) this.asked.replaceChildren(h("p", { class: "paused" }, this.words.paused));
    else if (question) this.#ask(question);
    this.#fitOwn(shown);
    this.shown.take(shown);
  }

  /** The model on the phone reads English: where the class reads another language, a sentence can only be sent. */
  #fitOwn({ language }) {
    const isEnglish = !language || language.startsWith("en");
    const { own, own_other } = this.words;
    this.box.placeholder = this.box.ariaLabel = isEnglish ? own : own_other;
    this.explore.hidden = Boolean(this.desk) || !isEnglish;
  }

  #ask(question) {
    const answer = (vote) => this.#vote(question, vote);
    const mine = this.votes[question.id] ?? {};
    const language = document.documentElement.lang;
    const { shown } = this.snapshot;
    const screen = questionScreen(question, { words: this.words, shown, mine, language, answer });
    this.asked.replaceChildren(screen);
  }

  async #vote(question, vote) {
    const { error } = await post(`${this.at}/vote`, { device: this.device, question: question.id, vote });
    const isKept = !error || error === "twice";
    if (isKept) {
      const item = question.kind === "quiz" ? vote.split(".")[0] : "all";
      this.votes[question.id] = { ...this.votes[question.id], [item]: vote };
      keep(`regard.votes.${this.code}`, JSON.stringify(this.votes));
    }
    if (this.snapshot.question?.id === question.id) this.#ask(this.snapshot.question);
    this.status.textContent = isKept ? "" : (this.words[`error_${error}`] ?? this.words.offline);
  }

  #ownSentence() {
    const { words } = this;
    const box = h("textarea", { rows: 2, maxlength: 500 });
    const said = h("p", { role: "status" });
    const desk = h("section", { class: "mine" });
    const ownText = () => this.desk?.choices.text ?? box.value;
    const send = async (event) => {
      event.preventDefault();
      if (!ownText().trim()) return;
      const { answer, error } = await post(`${this.at}/sentence`, { device: this.device, text: ownText() });
      said.textContent = error ? (words[`sentence_${error}`] ?? words.offline) : sentences(words.sent, answer.text);
      if (!error) box.value = "";
    };
    const explore = h("button", { type: "button", class: "main" }, words.explore);
    Object.assign(this, { box, explore });
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

  /** Open the model on this phone: its code and weights are fetched now, and later nothing is sent or requested. */
  async #openDesk(root, text) {
    const base = this.at.replace(/\/class\/[^/]*$/, "");
    const { openDesk } = await import(`${window.location.origin}${base}/${this.source}/site/own.js`);
    return openDesk(root, `${base}/engine/setup/${document.documentElement.lang}`, text);
  }
}

function kept(name) {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null; // a browser without storage can still take part until it is reloaded
  }
}

function keep(name, value) {
  try {
    window.localStorage.setItem(name, value);
  } catch {
    // see above
  }
}

// One question on a phone: the answers to tap, then the class's votes with one's own and the right one marked.

import { h } from "../shared/dom.js";

/** The screen of a question, open or revealed. */
export function questionScreen(question, given) {
  if (question.kind === "quiz") return quizScreen(question, given);
  const { words, mine, language } = given;
  const own = mine.all;
  return h(
    "div",
    { class: "question" },
    h("h1", {}, question.words[language] ?? question.words.en),
    answersOf(question, { ...given, own }),
    remarkOf(question, { words, own, language }),
  );
}

function remarkOf(question, { words, own, language }) {
  const why = question.revealed ? question.why?.[language] : "";
  const said = question.revealed ? "" : own === undefined ? words.vote_once : words.voted;
  return h("p", { class: "remark", role: "status" }, why || said);
}

function answersOf(question, { shown, own, language, answer }) {
  if (question.kind === "head") return headsOf(question, { own, answer });
  const names = question.kind === "source" ? (shown.source ?? []) : (question.options[language] ?? question.options.en);
  const total = Object.values(question.tally ?? {}).reduce((sum, n) => sum + n, 0);
  const buttons = names.slice(0, question.n).map((name, i) => {
    const key = String(i);
    return answerButton(name, { key, question, own, total, answer });
  });
  return h("div", { class: `answers ${question.kind}` }, ...buttons);
}

function answerButton(name, { key, question, own, total, answer }) {
  const share = total ? (question.tally?.[key] ?? 0) / total : 0;
  const button = h(
    "button",
    {
      type: "button",
      disabled: question.revealed || own !== undefined,
      "aria-pressed": String(own === key),
      "data-right": question.revealed && question.right === key,
      onclick: () => answer(key),
    },
    h("span", {}, name),
    question.tally && h("b", {}, `${Math.round(100 * share)} %`),
  );
  if (question.tally) button.style.setProperty("--share", String(share));
  return button;
}

function headsOf(question, { own, answer }) {
  const [layers, heads] = question.shape;
  const most = Math.max(1, ...Object.values(question.tally ?? {}));
  const buttons = Array.from({ length: layers * heads }, (_, i) => {
    const key = `${Math.floor(i / heads)}.${i % heads}`;
    const button = h(
      "button",
      {
        type: "button",
        disabled: question.revealed || own !== undefined,
        "aria-pressed": String(own === key),
        "data-right": question.revealed && question.right === key,
        onclick: () => answer(key),
      },
      key.replace(".", "·"),
    );
    if (question.tally) button.style.setProperty("--share", String((question.tally[key] ?? 0) / most));
    return button;
  });
  const grid = h("div", { class: "answers heads" }, ...buttons);
  grid.style.gridTemplateColumns = `repeat(${heads}, 1fr)`;
  return grid;
}

/** One item after the other; once revealed, all of them with what explains them. */
function quizScreen(question, { words, mine, language, answer }) {
  const place = question.items.findIndex((_, i) => mine[i] === undefined);
  if (question.revealed && question.answers) {
    const right = question.answers.filter(({ right }, i) => mine[i] === `${i}.${right}`).length;
    return h(
      "div",
      { class: "question quiz" },
      h("h1", {}, `${right} / ${question.items.length}`),
      ...question.items.map((item, i) => solved(item, question.answers[i], mine[i], language)),
    );
  }
  if (place < 0 || question.revealed)
    return h("div", { class: "question" }, h("h1", {}, words.quiz_done), h("p", { class: "remark" }, words.voted));
  const item = question.items[place];
  const buttons = item.options[language].map((name, i) =>
    h("button", { type: "button", onclick: () => answer(`${place}.${i}`) }, h("span", {}, name)),
  );
  return h(
    "div",
    { class: "question quiz" },
    h("p", { class: "count" }, `${place + 1} / ${question.items.length}`),
    h("h1", {}, item.words[language]),
    h("div", { class: "answers options" }, ...buttons),
  );
}

function solved(item, found, own, language) {
  const chosen = own === undefined ? null : Number(own.split(".")[1]);
  return h(
    "section",
    { class: "solved", "data-right": chosen === found.right },
    h("h2", {}, item.words[language]),
    h("p", {}, h("b", {}, item.options[language][found.right])),
    chosen !== null && chosen !== found.right && h("p", {}, h("s", {}, item.options[language][chosen])),
    h("p", { class: "remark" }, found.why[language]),
  );
}

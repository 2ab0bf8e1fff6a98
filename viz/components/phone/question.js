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
    h("p", { class: "kicker" }, question.revealed ? words.answer_shown : words.question),
    h("h1", {}, question.words[language] ?? question.words.en),
    aboutOf(question, given.shown),
    answersOf(question, { ...given, own }),
    remarkOf(question, { words, own, language }),
  );
}

/** The sentence that is asked about; not its translation where that would give away what comes next. */
function aboutOf({ id, revealed }, { sentence, text }) {
  const isGuessed = id.startsWith("next") && !revealed;
  return sentence && h("div", { class: "about" }, h("p", {}, sentence), !isGuessed && h("p", {}, text));
}

function remarkOf(question, { words, own, language }) {
  const why = question.revealed ? question.why?.[language] : "";
  const said = question.revealed ? "" : own === undefined ? words.vote_once : words.voted;
  return h("p", { class: "remark", role: "status" }, why || said);
}

function answersOf(question, { words, own, language, answer }) {
  if (question.kind === "head") return headChoices(question, { own, answer });
  const names = question.options[language] ?? question.options.en;
  if (question.kind === "source" && question.tally) return besideOf(question, names, { words, own });
  const total = votesOf(question);
  const buttons = names.slice(0, question.n).map((name, i) => {
    const key = String(i);
    return answerButton(name, { key, question, own, total, answer });
  });
  return h("div", { class: `answers ${question.kind}` }, ...buttons);
}

function votesOf(question) {
  return Object.values(question.tally ?? {}).reduce((sum, n) => sum + n, 0);
}

function answerButton(name, { key, question, own, total, answer }) {
  const share = total ? (question.tally?.[key] ?? 0) / total : 0;
  const button = h(
    "button",
    {
      type: "button",
      disabled: !answer || question.revealed || own !== undefined,
      "aria-pressed": String(own === key),
      "data-right": question.revealed && question.right === key,
      onclick: () => answer(key),
    },
    h("span", {}, name),
    question.tally && h("b", {}, wholePercent(share)),
  );
  if (question.tally) button.style.setProperty("--share", String(share));
  return button;
}

/** The class's taps beside the head's own row, a line for each token. */
function besideOf(question, names, { words, own }) {
  const total = Math.max(1, votesOf(question));
  const cell = (share) => {
    const shown = h("td", {}, share >= 0.005 ? wholePercent(share) : "");
    shown.style.setProperty("--share", String(share));
    return shown;
  };
  const lines = names
    .slice(0, question.n)
    .map((name, i) =>
      h(
        "tr",
        { "data-right": question.right === String(i) },
        h("th", { scope: "row" }, name, own === String(i) && h("small", {}, ` ${words.you}`)),
        cell((question.tally[i] ?? 0) / total),
        cell(question.measured[i] ?? 0),
      ),
    );
  const heads = [h("td"), h("th", { scope: "col" }, words.votes), h("th", { scope: "col" }, words.measured)];
  return h("table", { class: "beside" }, h("tr", {}, ...heads), ...lines);
}

function wholePercent(share) {
  return `${Math.round(100 * share)} %`;
}

function headChoices(question, { own, answer }) {
  const [layers, heads] = question.shape;
  const most = Math.max(1, ...Object.values(question.tally ?? {}));
  const buttons = Array.from({ length: layers * heads }, (_, i) => {
    const [layer, head] = [Math.floor(i / heads), i % heads];
    const key = `${layer}.${head}`;
    const button = h(
      "button",
      {
        type: "button",
        disabled: !answer || question.revealed || own !== undefined,
        "aria-pressed": String(own === key),
        "data-right": question.revealed && question.right === key,
        onclick: () => answer(key),
      },
      `${layer + question.first}·${head + question.first}`,
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
      answer && h("h1", {}, `${right} / ${question.items.length}`),
      ...question.items.map((item, i) => solved(item, question.answers[i], mine[i], language)),
    );
  }
  if (!answer)
    return h(
      "div",
      { class: "question" },
      h("p", { class: "kicker" }, words.question),
      h("h1", {}, question.words[language]),
    );
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

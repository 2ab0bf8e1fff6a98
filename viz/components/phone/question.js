// One question on a phone: the answers to tap, then the class's votes with one's own and the right one marked.

import { h } from "../shared/dom.js";
import { placeOf } from "./acts.js";
import { learningView } from "./experiment.js";
import { fill, fixed, percent } from "../shared/text.js";

const LINES_OF_A_WALL = 9; // that are large enough for the last row
const HEADS_IN_A_LINE = 8; // that a thumb can tell apart
const WORTH_SAYING = 0.05; // of log-probability

/** The screen of a question, open or revealed. */
export function questionScreen(question, given) {
  if (question.kind === "quiz") return quizScreen(question, given);
  const { words, mine, language } = given;
  const own = mine.all;
  return h(
    "div",
    { class: `question${question.revealed ? " revealed" : ""}${question.explained ? " explained" : ""}` },
    h("p", { class: "kicker" }, placeOf(given.shown, language, kickerOf(question, words))),
    h("h1", {}, question.words[language] ?? question.words.en),
    aboutOf(question, given.shown),
    answersOf(question, { ...given, own }),
    remarkOf(question, { words, own, language, answer: given.answer }),
  );
}

/** The sentence of the question, its own or the one that is shown; without the translation if that would be the answer. */
function aboutOf(question, shown) {
  const { sentence, text } = question.sentence ? question : shown;
  return sentence && h("div", { class: "about" }, h("p", {}, sentence), text && h("p", {}, text));
}

const kickerOf = ({ revealed, explained }, words) =>
  explained ? words.answer_shown : revealed ? words.act_votes : words.question;

/** What follows the answers: on a wall one sentence, on a phone the whole reason, or what to do. */
function remarkOf(question, { words, own, language, answer }) {
  const read = question.kind === "head" && question.measured?.length ? words.heads_shaded : "";
  const said = question.replies?.[language]?.[own] ?? question.said?.[language] ?? "";
  if (!answer)
    return h("p", { class: "remark", role: "status" }, question.explained ? said || (read && words.heads_wall) : "");
  if (question.explained)
    return h(
      "p",
      { class: "remark", role: "status" },
      said && h("b", {}, `${said} `),
      question.why?.[language] || read,
    );
  const todo = question.hands ? words.raise_hands : own === undefined ? words.vote_once : words.voted;
  return h("p", { class: "remark", role: "status" }, question.revealed ? words.vote_closed : todo);
}

function answersOf(question, { words, own, language, answer }) {
  if (question.kind === "head") return headChoices(question, { own, answer });
  const names = question.options[language] ?? question.options.en;
  if (question.kind === "source" && question.measured)
    return besideOf(question, names, { words, own, isWall: !answer });
  const total = votesOf(question);
  const buttons = names.slice(0, question.n).map((name, i) => {
    const key = String(i);
    return answerButton(name, { key, question, own, total, answer, words });
  });
  return h("div", { class: `answers ${question.kind}` }, ...buttons);
}

function votesOf(question) {
  return Object.values(question.tally ?? {}).reduce((sum, n) => sum + n, 0);
}

function answerButton(name, { key, question, own, total, answer, words }) {
  const share = total ? (question.tally?.[key] ?? 0) / total : 0;
  return choice(
    { key, question, own, answer, share },
    h("span", {}, name),
    question.tally && h("b", {}, earlierOf(question, key), percent(share, 0), modelOf(question, key, words)),
  );
}

/** The model's own probability of an answer. */
const modelOf = ({ measured }, key, words) =>
  measured?.length > 0 && h("small", {}, ` ${fill(words.model_says, { share: percent(measured[key], 0) })}`);

/** The share that an answer had before the class discussed it. */
function earlierOf({ earlier }, key) {
  const total = Object.values(earlier ?? {}).reduce((sum, n) => sum + n, 0);
  return total > 0 && h("small", {}, `${percent((earlier[key] ?? 0) / total, 0)} → `);
}

/** What is tapped to answer; its share of the votes is shaded once there is a tally. */
function choice({ key, question, own, answer, share }, ...label) {
  const button = h(
    "button",
    {
      type: "button",
      disabled: !answer || question.revealed || question.hands || own !== undefined,
      "aria-pressed": String(own === key),
      "data-right": question.explained && question.right === key,
      onclick: () => answer(key),
    },
    ...label,
  );
  if (question.tally) button.style.setProperty("--share", String(share));
  return button;
}

/** The class's taps beside the head's own row, a line for each token. */
function besideOf(question, names, { words, own, isWall }) {
  const total = Math.max(1, votesOf(question));
  const kept = isWall ? notable(question, total) : names.map((_, i) => i);
  const cell = (share) => {
    const shown = h("td", {}, share >= 0.005 ? percent(share, 0) : "");
    shown.style.setProperty("--share", String(share));
    return shown;
  };
  const lines = kept
    .filter((i) => i < question.n)
    .map((i) =>
      h(
        "tr",
        { "data-right": question.right === String(i) },
        h("th", { scope: "row" }, names[i], own === String(i) && h("small", {}, ` ${words.you}`)),
        cell((question.tally[i] ?? 0) / total),
        cell(question.measured[i] ?? 0),
      ),
    );
  const heads = [h("td"), h("th", { scope: "col" }, words.votes), h("th", { scope: "col" }, words.measured)];
  return h("table", { class: "beside" }, h("tr", {}, ...heads), ...lines);
}

/** The tokens that a wall has room for, in their order: those with the most taps or weight. */
function notable({ n, tally, measured }, total) {
  const worth = Array.from({ length: n }, (_, i) => Math.max((tally[i] ?? 0) / total, measured[i] ?? 0));
  const most = worth.map((_, i) => i).sort((i, j) => worth[j] - worth[i] || i - j);
  return most.slice(0, LINES_OF_A_WALL).sort((i, j) => i - j);
}

const MAP = 10; // rows and columns of a small map, as Python packs it

/** A head's map on its button: darker for larger weights. */
function smallMap(maps, place) {
  if (!maps) return null;
  const [rows, columns, encoded] = maps.split(".");
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  const canvas = h("canvas", { width: columns, height: rows, "aria-hidden": "true" });
  const pen = canvas.getContext("2d");
  const hue = getComputedStyle(document.documentElement).getPropertyValue("--kind-cross").trim();
  for (let i = 0; i < Number(rows); i += 1)
    for (let j = 0; j < Number(columns); j += 1) {
      pen.globalAlpha = bytes[(place * MAP + i) * MAP + j] / 255;
      pen.fillStyle = hue;
      pen.fillRect(j, i, 1, 1);
    }
  return canvas;
}

function headChoices(question, { own, answer }) {
  const [layers, heads] = question.shape;
  const most = Math.max(1, ...Object.values(question.tally ?? {}));
  const buttons = Array.from({ length: layers * heads }, (_, i) => {
    const [layer, head] = [Math.floor(i / heads), i % heads];
    const key = `${layer}.${head}`;
    const lost = question.measured?.[i] ?? 0;
    return choice(
      { key, question, own, answer, share: (question.tally?.[key] ?? 0) / most },
      smallMap(question.maps, i),
      h(
        "span",
        {},
        `${layer + question.first}·${head + question.first}`,
        lost >= WORTH_SAYING && h("small", {}, fixed(-lost, 1)),
      ),
    );
  });
  const grid = h("div", { class: "answers heads" }, ...buttons);
  const lines = answer ? Math.ceil(heads / HEADS_IN_A_LINE) : 1;
  grid.style.gridTemplateColumns = `repeat(${Math.ceil(heads / lines)}, 1fr)`;
  grid.style.setProperty("--lines", String(layers));
  return grid;
}

/** One item after the other; once revealed, all of them with what explains them. */
function quizScreen(question, { words, mine, language, answer }) {
  const place = question.items.findIndex((_, i) => mine[i] === undefined);
  if (question.revealed && question.answers) {
    const right = question.answers.filter(({ right }, i) => mine[i] === `${i}.${right}`).length;
    const { before, after } = { before: question.shares?.["quiz.before"], after: question.shares?.["quiz.after"] };
    const learned = before?.length && after?.length ? learningView(question, { words, language }) : null;
    if (learned && !answer) return h("div", { class: "question quiz explained" }, learned);
    return h(
      "div",
      { class: "question quiz revealed" },
      answer && h("h1", {}, `${right} / ${question.items.length}`),
      learned,
      ...question.items.map((_, i) => solved(question, i, { own: mine[i], language, isWall: !answer })),
    );
  }
  if (!answer)
    return h(
      "div",
      { class: "question" },
      h("p", { class: "kicker" }, words.question),
      h("h1", {}, question.words[language]),
      h("p", { class: "remark" }, fill(words.quiz_wall, { n: question.items.length })),
    );
  if (place < 0 || question.revealed)
    return h(
      "div",
      { class: "question" },
      h("h1", {}, words.quiz_done),
      h("p", { class: "remark" }, afterQuiz(question, words)),
    );
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

/** The first quiz is not revealed: the lesson follows it. */
const afterQuiz = ({ id }, words) => (id === "quiz.before" ? words.quiz_before_done : words.voted);

/** An item with the right answer, the share of the class that gave it, and on a phone one's own and the reason. */
function solved({ items, answers, tally }, place, { own, language, isWall }) {
  const { words, options } = items[place];
  const { right, why } = answers[place];
  const counts = options[language].map((_, i) => tally[`${place}.${i}`] ?? 0);
  const total = counts.reduce((sum, n) => sum + n, 0);
  const share = total ? counts[right] / total : 0;
  const chosen = own === undefined ? null : Number(own.split(".")[1]);
  const bar = h("p", { class: "share" }, h("span", {}, options[language][right]), h("b", {}, percent(share, 0)));
  bar.style.setProperty("--share", String(share));
  return h(
    "section",
    { class: "solved", "data-right": chosen === right },
    h("h2", {}, words[language]),
    bar,
    chosen !== null && chosen !== right && h("p", {}, h("s", {}, options[language][chosen])),
    !isWall && h("p", { class: "remark" }, why[language]),
  );
}

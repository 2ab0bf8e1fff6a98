// One question on a phone: the answers to tap, then the class's votes with one's own and the right one marked.

import { h, context2d } from "../shared/dom.js";
import { placeOf } from "./acts.js";
import { learningView } from "./experiment.js";
import { wordsView } from "./writing.js";
import { bytesOfBase64 } from "../shared/packet.js";
import { textOrPicture } from "../shared/pad/drawn.js";
import { fill, fixed, percent } from "../shared/text.js";

const LINES_OF_A_WALL = 9; // that are large enough for the last row
const HEADS_IN_A_LINE = 8; // that a thumb can tell apart
const WORTH_SAYING = 0.05; // of log-probability

/**
 * @import { Child } from "../shared/dom.js"
 * @import { Asked, Place, Question, Solution, Words } from "./types"
 */

/** @typedef {Omit<Asked, "mine"> & {own: string | undefined}} Answering with the own vote */
/** @typedef {Pick<Answering, "own" | "answer"> & {key: string, question: Question}} Choice one of the answers */

/** The screen of a question, open or revealed. @param {Question} question @param {Asked} given */
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
    remarkOf(question, { ...given, own }),
  );
}

/** The sentence of the question, its own or the one that is shown; without the translation if that would be the answer.
 * @type {(question: Question, shown: Place) => Child} */
function aboutOf(question, shown) {
  if (question.kind === "write") return null;
  const { sentence, text } = question.sentence ? question : shown;
  return (
    sentence && h("div", { class: "about" }, h("p", {}, textOrPicture({ text: sentence })), text && h("p", {}, text))
  );
}

/** @type {(question: Question, words: Words) => string} */
const kickerOf = ({ kind, revealed, explained }, words) =>
  kind === "write" && revealed
    ? words.write_class
    : explained
      ? words.answer_shown
      : revealed
        ? words.act_votes
        : words.question;

/** What follows the answers: on a wall one sentence, on a phone the whole reason, or what to do.
 * @type {(question: Question, given: Answering) => HTMLElement} */
function remarkOf(question, { words, own, language, answer }) {
  if (question.kind === "write") return h("p", { class: "remark" }, question.revealed ? "" : words.write_wall);
  const read = question.kind === "head" && question.measured?.length ? words.heads_shaded : "";
  const said = question.replies?.[language]?.[Number(own)] ?? question.said?.[language] ?? "";
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

/** @type {(question: Question, given: Answering) => HTMLElement} */
function answersOf(question, { words, own, language, answer, written }) {
  if (question.kind === "write") return written ? wordsView(written, { words, own }) : h("div");
  if (question.kind === "head") return headChoices(question, { own, answer });
  const names = question.options[language] ?? question.options.en;
  if (question.kind === "source" && question.measured) return besideOf(question, names, { words, own, answer });
  const total = votesOf(question.tally);
  const buttons = names.slice(0, question.n).map((name, i) => {
    const key = String(i);
    return answerButton(name, { key, question, own, total, answer, words });
  });
  return h("div", { class: `answers ${question.kind}` }, ...buttons);
}

/** @type {(votes: Record<string, number> | number[] | undefined) => number} */
function votesOf(votes) {
  return Object.values(votes ?? {}).reduce((sum, n) => sum + n, 0);
}

/** @type {(name: string, given: Choice & {total: number, words: Words}) => HTMLElement} */
function answerButton(name, { key, question, own, total, answer, words }) {
  const share = total ? (question.tally?.[key] ?? 0) / total : 0;
  return choice(
    { key, question, own, answer, share },
    h("span", {}, name),
    question.tally && h("b", {}, earlierOf(question, key), percent(share, 0), modelOf(question, key, words)),
  );
}

/** The model's own probability of an answer. @type {(question: Question, key: string, words: Words) => Child} */
const modelOf = ({ measured }, key, words) =>
  measured?.length ? h("small", {}, ` ${fill(words.model_says, { share: percent(measured[Number(key)], 0) })}`) : null;

/** The share that an answer had before the class discussed it. @type {(question: Question, key: string) => Child} */
function earlierOf({ earlier }, key) {
  const total = votesOf(earlier);
  return total > 0 && h("small", {}, `${percent((earlier?.[key] ?? 0) / total, 0)} → `);
}

/** What is tapped to answer; its share of the votes is shaded once there is a tally.
 * @type {(given: Choice & {share: number}, ...label: Child[]) => HTMLElement} */
function choice({ key, question, own, answer, share }, ...label) {
  return h(
    "button",
    {
      disabled: !answer || question.revealed || question.hands || own !== undefined,
      "aria-pressed": String(own === key),
      "data-right": question.explained && question.right === key,
      style: question.tally && { "--share": share },
      onclick: () => answer?.(key),
    },
    ...label,
  );
}

/** The class's taps beside the head's own row, a line for each token.
 * @type {(question: Question, names: string[], given: Pick<Answering, "words" | "own" | "answer">) => HTMLElement} */
function besideOf(question, names, { words, own, answer }) {
  const { tally = {}, measured = [] } = question;
  const total = Math.max(1, votesOf(tally));
  const kept = answer ? names.map((_, i) => i) : notable(question, total);
  const cell = (/** @type {number} */ share) =>
    h("td", { style: { "--share": share } }, share >= 0.005 ? percent(share, 0) : "");
  const lines = kept
    .filter((i) => i < question.n)
    .map((i) =>
      h(
        "tr",
        { "data-right": question.right === String(i) },
        h("th", { scope: "row" }, names[i], own === String(i) && h("small", {}, ` ${words.you}`)),
        cell((tally[i] ?? 0) / total),
        cell(measured[i] ?? 0),
      ),
    );
  const heads = [h("td"), h("th", { scope: "col" }, words.votes), h("th", { scope: "col" }, words.measured)];
  return h("table", { class: "beside" }, h("tr", {}, ...heads), ...lines);
}

/** The tokens that a wall has room for, in their order: those with the most taps or weight.
 * @type {(question: Question, total: number) => number[]} */
function notable({ n, tally = {}, measured = [] }, total) {
  const worth = Array.from({ length: n }, (_, i) => Math.max((tally[i] ?? 0) / total, measured[i] ?? 0));
  const most = worth.map((_, i) => i).sort((i, j) => worth[j] - worth[i] || i - j);
  return most.slice(0, LINES_OF_A_WALL).sort((i, j) => i - j);
}

const MAP = 10; // rows and columns of a small map, as Python packs it

/** A head's map on its button: darker for larger weights. @type {(maps: string, place: number) => Child} */
function smallMap(maps, place) {
  if (!maps) return null;
  const [rows, columns, encoded] = maps.split(".");
  const bytes = bytesOfBase64(encoded);
  const canvas = h("canvas", { width: columns, height: rows, "aria-hidden": "true" });
  const pen = context2d(canvas);
  const hue = getComputedStyle(document.documentElement).getPropertyValue("--cross").trim();
  for (let i = 0; i < Number(rows); i += 1)
    for (let j = 0; j < Number(columns); j += 1) {
      pen.globalAlpha = bytes[(place * MAP + i) * MAP + j] / 255;
      pen.fillStyle = hue;
      pen.fillRect(j, i, 1, 1);
    }
  return canvas;
}

/** @type {(question: Question, given: Pick<Answering, "own" | "answer">) => HTMLElement} */
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
  const lines = answer ? Math.ceil(heads / HEADS_IN_A_LINE) : 1;
  const style = { gridTemplateColumns: `repeat(${Math.ceil(heads / lines)}, 1fr)`, "--lines": layers };
  return h("div", { class: "answers heads", style }, ...buttons);
}

/** One item after the other; once revealed, all of them with what explains them.
 * @type {(question: Question, given: Asked) => HTMLElement} */
function quizScreen(question, { words, mine, language, answer }) {
  const place = question.items.findIndex((_, i) => mine[i] === undefined);
  if (question.revealed && question.answers) {
    const right = question.answers.filter(({ right }, i) => mine[i] === `${i}.${right}`).length;
    const { shares } = question;
    const isTwice = shares?.["quiz.before"].length && shares["quiz.after"].length;
    const learned = isTwice ? learningView(question.items, shares, { words, language }) : null;
    if (learned && !answer) return h("div", { class: "question quiz explained" }, learned);
    return h(
      "div",
      { class: "question quiz revealed" },
      answer && h("h1", {}, `${right} / ${question.items.length}`),
      learned,
      ...question.answers.map((each, i) => solved(question, each, i, { own: mine[i], language, isWall: !answer })),
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
    h("button", { onclick: () => answer(`${place}.${i}`) }, h("span", {}, name)),
  );
  return h(
    "div",
    { class: "question quiz" },
    h("p", { class: "count" }, `${place + 1} / ${question.items.length}`),
    h("h1", {}, item.words[language]),
    h("div", { class: "answers options" }, ...buttons),
  );
}

/** The first quiz is not revealed: the lesson follows it. @type {(question: Question, words: Words) => string} */
const afterQuiz = ({ id }, words) => (id === "quiz.before" ? words.quiz_before_done : words.voted);

/** An item with the right answer, the share of the class that gave it, and on a phone one's own and the reason.
 * @type {(question: Question, solution: Solution, place: number, given: {own: string | undefined, language: string,
 *   isWall: boolean}) => HTMLElement} */
function solved({ items, tally = {} }, { right, why }, place, { own, language, isWall }) {
  const { words, options } = items[place];
  const counts = options[language].map((_, i) => tally[`${place}.${i}`] ?? 0);
  const total = votesOf(counts);
  const share = total ? counts[right] / total : 0;
  const chosen = own === undefined ? null : Number(own.split(".")[1]);
  const said = [h("span", {}, options[language][right]), h("b", {}, percent(share, 0))];
  return h(
    "section",
    { class: "solved", "data-right": chosen === right },
    h("h2", {}, words[language]),
    h("p", { class: "share", style: { "--share": share } }, said),
    chosen !== null && chosen !== right && h("p", {}, h("s", {}, options[language][chosen])),
    !isWall && h("p", { class: "remark" }, why[language]),
  );
}

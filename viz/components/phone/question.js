// A question on a phone or a wall: the answers to tap, then the class's votes with the student's and the right one marked.

import { h, context2d } from "../shared/dom.js";
import { placeOf } from "./acts.js";
import { learningView } from "./experiment.js";
import { wordsView } from "./writing.js";
import { bytesOfBase64 } from "../shared/packet.js";
import { textOrPicture } from "../shared/pad/pad.js";
import { fill, formatFixed, percent } from "../shared/text.js";

const MAX_LINES_ON_WALL = 9; // lines that are readable from the last row of seats
const HEADS_PER_LINE = 8; // on a phone, large enough for a thumb
const MIN_LOSS = 0.05; // of log-probability, to be shown

/**
 * @import { Child } from "../shared/dom.js"
 * @import { QuestionContext, Place, Question, Solution, Words } from "./types"
 */

/** @typedef {Omit<QuestionContext, "votes"> & {ownVote: string | undefined}} AnswerContext with the student's vote */
/** @typedef {Pick<AnswerContext, "ownVote" | "answer"> & {key: string, question: Question}} Choice one of the answers */

/** The screen of a question, open or revealed. @param {Question} question @param {QuestionContext} context */
export function questionScreen(question, context) {
  if (question.kind === "quiz") return quizScreen(question, context);
  const { words, votes, language } = context;
  const ownVote = votes.all;
  return h(
    "div",
    { class: `question${question.revealed ? " revealed" : ""}${question.explained ? " explained" : ""}` },
    h("p", { class: "kicker" }, placeOf(context.shown, language, kickerOf(question, words))),
    h("h1", {}, question.words[language] ?? question.words.en),
    aboutOf(question, context.shown),
    answersOf(question, { ...context, ownVote }),
    remarkOf(question, { ...context, ownVote }),
  );
}

/** The question's sentence, or the teacher's; without the translation if that would be the answer.
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

/** The line below the answers: on a wall one sentence, on a phone the whole reason, or an instruction.
 * @type {(question: Question, context: AnswerContext) => HTMLElement} */
function remarkOf(question, { words, ownVote, language, answer }) {
  if (question.kind === "write") return h("p", { class: "remark" }, question.revealed ? "" : words.write_wall);
  const read = question.kind === "head" && question.measured?.length ? words.heads_shaded : "";
  const reply = question.replies?.[language]?.[Number(ownVote)] ?? question.said?.[language] ?? "";
  if (!answer)
    return h("p", { class: "remark", role: "status" }, question.explained ? reply || (read && words.heads_wall) : "");
  if (question.explained)
    return h(
      "p",
      { class: "remark", role: "status" },
      reply && h("b", {}, `${reply} `),
      question.why?.[language] || read,
    );
  const todo = question.hands ? words.raise_hands : ownVote === undefined ? words.vote_once : words.voted;
  return h("p", { class: "remark", role: "status" }, question.revealed ? words.vote_closed : todo);
}

/** @type {(question: Question, context: AnswerContext) => HTMLElement} */
function answersOf(question, { words, ownVote, language, answer, written }) {
  if (question.kind === "write") return written ? wordsView(written, { words, ownText: ownVote }) : h("div");
  if (question.kind === "head") return headChoices(question, { ownVote, answer });
  const names = question.options[language] ?? question.options.en;
  if (question.kind === "source" && question.measured) return tallyTable(question, names, { words, ownVote, answer });
  const total = votesOf(question.tally);
  const buttons = names.slice(0, question.n).map((name, i) => {
    const key = String(i);
    return answerButton(name, { key, question, ownVote, total, answer, words });
  });
  return h("div", { class: `answers ${question.kind}` }, ...buttons);
}

/** @type {(votes: Record<string, number> | number[] | undefined) => number} */
function votesOf(votes) {
  return Object.values(votes ?? {}).reduce((sum, n) => sum + n, 0);
}

/** @type {(name: string, choice: Choice & {total: number, words: Words}) => HTMLElement} */
function answerButton(name, { key, question, ownVote, total, answer, words }) {
  const share = total ? (question.tally?.[key] ?? 0) / total : 0;
  return choice(
    { key, question, ownVote, answer, share },
    h("span", {}, name),
    question.tally && h("b", {}, earlierOf(question, key), percent(share, 0), modelOf(question, key, words)),
  );
}

/** The model's probability of an answer. @type {(question: Question, key: string, words: Words) => Child} */
const modelOf = ({ measured }, key, words) =>
  measured?.length ? h("small", {}, ` ${fill(words.model_says, { share: percent(measured[Number(key)], 0) })}`) : null;

/** The share that an answer had before the class discussed it. @type {(question: Question, key: string) => Child} */
function earlierOf({ earlier }, key) {
  const total = votesOf(earlier);
  return total > 0 && h("small", {}, `${percent((earlier?.[key] ?? 0) / total, 0)} → `);
}

/** The button of an answer; its share of the votes is shaded once there is a tally.
 * @type {(choice: Choice & {share: number}, ...label: Child[]) => HTMLElement} */
function choice({ key, question, ownVote, answer, share }, ...label) {
  return h(
    "button",
    {
      disabled: !answer || question.revealed || question.hands || ownVote !== undefined,
      "aria-pressed": String(ownVote === key),
      "data-right": question.explained && question.right === key,
      style: question.tally && { "--share": share },
      onclick: () => answer?.(key),
    },
    ...label,
  );
}

/** The class's taps beside the head's weights, a row for each token.
 * @type {(question: Question, names: string[], context: Pick<AnswerContext, "words" | "ownVote" | "answer">) => HTMLElement} */
function tallyTable(question, names, { words, ownVote, answer }) {
  const { tally = {}, measured = [] } = question;
  const total = Math.max(1, votesOf(tally));
  const shown = answer ? names.map((_, i) => i) : notable(question, total);
  const cell = (/** @type {number} */ share) =>
    h("td", { style: { "--share": share } }, share >= 0.005 ? percent(share, 0) : "");
  const lines = shown
    .filter((i) => i < question.n)
    .map((i) =>
      h(
        "tr",
        { "data-right": question.right === String(i) },
        h("th", { scope: "row" }, names[i], ownVote === String(i) && h("small", {}, ` ${words.you}`)),
        cell((tally[i] ?? 0) / total),
        cell(measured[i] ?? 0),
      ),
    );
  const heads = [h("td"), h("th", { scope: "col" }, words.votes), h("th", { scope: "col" }, words.measured)];
  return h("table", { class: "beside" }, h("tr", {}, ...heads), ...lines);
}

/** The tokens with the most taps or weight, as many as a wall has room for, in their order.
 * @type {(question: Question, total: number) => number[]} */
function notable({ n, tally = {}, measured = [] }, total) {
  const worth = Array.from({ length: n }, (_, i) => Math.max((tally[i] ?? 0) / total, measured[i] ?? 0));
  const ranked = worth.map((_, i) => i).sort((i, j) => worth[j] - worth[i] || i - j);
  return ranked.slice(0, MAX_LINES_ON_WALL).sort((i, j) => i - j);
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

/** @type {(question: Question, context: Pick<AnswerContext, "ownVote" | "answer">) => HTMLElement} */
function headChoices(question, { ownVote, answer }) {
  const [layers, heads] = question.shape;
  const maximum = Math.max(1, ...Object.values(question.tally ?? {}));
  const buttons = Array.from({ length: layers * heads }, (_, i) => {
    const [layer, head] = [Math.floor(i / heads), i % heads];
    const key = `${layer}.${head}`;
    const lost = question.measured?.[i] ?? 0;
    return choice(
      { key, question, ownVote, answer, share: (question.tally?.[key] ?? 0) / maximum },
      smallMap(question.maps, i),
      h(
        "span",
        {},
        `${layer + question.first}·${head + question.first}`,
        lost >= MIN_LOSS && h("small", {}, formatFixed(-lost, 1)),
      ),
    );
  });
  const lines = answer ? Math.ceil(heads / HEADS_PER_LINE) : 1;
  const style = { gridTemplateColumns: `repeat(${Math.ceil(heads / lines)}, 1fr)`, "--lines": layers };
  return h("div", { class: "answers heads", style }, ...buttons);
}

/** One item after the other; once revealed, all of them with their explanations.
 * @type {(question: Question, context: QuestionContext) => HTMLElement} */
function quizScreen(question, { words, votes, language, answer }) {
  const place = question.items.findIndex((_, i) => votes[i] === undefined);
  if (question.revealed && question.answers) {
    const right = question.answers.filter(({ right }, i) => votes[i] === `${i}.${right}`).length;
    const { shares } = question;
    const isTwice = shares?.["quiz.before"].length && shares["quiz.after"].length;
    const learned = isTwice ? learningView(question.items, shares, { words, language }) : null;
    if (learned && !answer) return h("div", { class: "question quiz explained" }, learned);
    return h(
      "div",
      { class: "question quiz revealed" },
      answer && h("h1", {}, `${right} / ${question.items.length}`),
      learned,
      ...question.answers.map((solution, i) =>
        solutionView(question, solution, i, { ownVote: votes[i], language, isWall: !answer }),
      ),
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

/** An item with the right answer and the share of the class that gave it; on a phone with the student's answer and the
 * reason.
 * @type {(question: Question, solution: Solution, place: number, context: {ownVote: string | undefined, language: string,
 *   isWall: boolean}) => HTMLElement} */
function solutionView({ items, tally = {} }, { right, why }, place, { ownVote, language, isWall }) {
  const { words, options } = items[place];
  const counts = options[language].map((_, i) => tally[`${place}.${i}`] ?? 0);
  const total = votesOf(counts);
  const share = total ? counts[right] / total : 0;
  const chosen = ownVote === undefined ? null : Number(ownVote.split(".")[1]);
  const rightAnswer = [h("span", {}, options[language][right]), h("b", {}, percent(share, 0))];
  return h(
    "section",
    { class: "solved", "data-right": chosen === right },
    h("h2", {}, words[language]),
    h("p", { class: "share", style: { "--share": share } }, rightAnswer),
    chosen !== null && chosen !== right && h("p", {}, h("s", {}, options[language][chosen])),
    !isWall && h("p", { class: "remark" }, why[language]),
  );
}

/** The remaining seconds of a vote, from the server's value. */
export class Countdown {
  constructor() {
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    this.root = h("p", { class: "countdown", role: "timer", hidden: true });
  }

  /** @param {number | undefined} seconds undefined for a vote without an end */
  show(seconds) {
    clearInterval(this.timer);
    this.root.hidden = seconds === undefined;
    if (seconds === undefined) return;
    const end = Date.now() + 1000 * seconds;
    const draw = () => {
      this.root.textContent = String(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
    };
    draw();
    this.timer = setInterval(draw, 250);
  }
}

// The picture of an experiment, before and after the change, at the screen's size.

import { h } from "../shared/dom.js";
import { fill, formatFixed, percent } from "../shared/text.js";
import { placeOf } from "./acts.js";
import { wordsView } from "./writing.js";

const QUESTION_LETTER = 1; // index of the letter that the question is about

/**
 * @import { Bars, Experiment, ScreenContext, Hunt, Item, Layer, Maps, Pair, Parts, Question, Tokens, Words } from "./types"
 * @import { Child } from "../shared/dom.js"
 */

/** The experiment's sentence and its picture. @param {Experiment} experiment @param {ScreenContext} context */
export function experimentView(experiment, { words, shown, language }) {
  const titles = experiment.titles[language] ?? experiment.titles.en;
  return h(
    "div",
    { class: `experiment of-${experiment.kind}` },
    h("p", { class: "kicker" }, placeOf(shown, language, words.act_observe)),
    h("h1", {}, experiment.said[language] ?? experiment.said.en),
    pictureOf(experiment, titles, { language, words }),
    experiment.measured && h("p", { class: "said" }, experiment.measured[language] ?? experiment.measured.en),
    experiment.cut && h("p", { class: "cut" }, fill(words.cut, { n: experiment.cut })),
  );
}

/** @type {(experiment: Experiment, titles: string[], context: {language: string, words: Words}) => HTMLElement} */
function pictureOf(experiment, titles, { language, words }) {
  switch (experiment.kind) {
    case "texts":
      return texts(experiment, titles);
    case "tokens":
      return tokens(experiment, titles);
    case "bars":
      return bars(experiment, titles);
    case "maps":
      return maps(experiment, titles);
    case "hunt":
      return hunt(experiment, titles);
    case "layer":
      return layer(experiment, titles, language);
    case "words":
      return wordsView(
        { rows: experiment.rows.map((row, i) => ({ ...row, title: titles[i] })) },
        { words, letter: QUESTION_LETTER },
      );
  }
}

/** @type {(parts: Parts, tag: "s" | "b") => Child[]} */
const marked = (parts, tag) => parts.map(([text, isChanged]) => (isChanged ? h(tag, {}, text) : text));

/** @type {(experiment: {rows: Pair[]}, titles: string[]) => HTMLElement} */
function texts({ rows }, [before, after]) {
  /** @type {(title: string, ...parts: Child[]) => HTMLElement} */
  const line = (title, ...parts) => h("div", { class: "text" }, h("small", {}, title), h("p", {}, ...parts));
  const block = (/** @type {Pair} */ { source, sources, before: old, after: now }) =>
    h(
      "section",
      {},
      source && h("p", { class: "source" }, source),
      line(before, sources && h("span", { class: "source" }, ...marked(sources[0], "s")), ...marked(old, "s")),
      line(after, sources && h("span", { class: "source" }, ...marked(sources[1], "b")), ...marked(now, "b")),
    );
  return h("div", { class: "picture-of" }, ...rows.map(block));
}

/** The translations, and below them all heads; those that were switched off with their change in log p.
 * @type {(experiment: Hunt, titles: string[]) => HTMLElement} */
function hunt({ rows, tried, changed, first = 0 }, titles) {
  const cells = tried.flatMap((row, i) =>
    row.map((value, j) => {
      const kind = value === null ? "" : changed[i][j] ? "tried changed" : "tried";
      return h("span", { class: kind }, value === null ? `${i + first}·${j + first}` : formatFixed(value, 1));
    }),
  );
  const style = { "--columns": tried[0]?.length ?? 1, "--lines": tried.length };
  const grid = h("div", { class: "hunt-grid", style }, ...cells);
  return h("div", { class: "picture-of" }, texts({ rows }, titles), grid);
}

/** The translations, and below them the vector of one word at each step of a layer.
 * @type {(experiment: Layer, titles: string[], language: string) => HTMLElement} */
function layer({ rows, steps, numbers, token }, titles, language) {
  const [names, values] = [steps[language] ?? steps.en, numbers[language] ?? numbers.en];
  const lines = names.map((name, i) =>
    h("tr", {}, h("th", { scope: "row" }, name), ...values[i].map((value) => h("td", {}, value)), h("td", {}, "…")),
  );
  const table = h("table", { class: "vector" }, h("caption", {}, token), ...lines);
  return h("div", { class: "picture-of" }, texts({ rows }, titles), table);
}

/** The pieces of two sentences, and how each is translated.
 * @type {(experiment: Tokens, titles: string[]) => HTMLElement} */
function tokens({ before, after, texts: [old, now] }, titles) {
  /** @type {(title: string, pieces: string[], ...parts: Child[]) => HTMLElement} */
  const row = (title, pieces, ...parts) =>
    h(
      "div",
      { class: "text" },
      h("small", {}, title),
      h("p", { class: "pieces" }, ...pieces.map((piece) => h("span", {}, piece))),
      h("p", { class: "translated" }, ...parts),
    );
  return h(
    "div",
    { class: "picture-of" },
    row(titles[0], before, ...marked(old, "s")),
    row(titles[1], after, ...marked(now, "b")),
  );
}

/** @type {(experiment: Bars, titles: string[]) => HTMLElement} */
function bars({ names, before, after, most: maximum = 0 }, titles) {
  const bar = (/** @type {number} */ value, /** @type {string} */ kind) => {
    const style = { "--share": maximum ? value / maximum : value };
    return h("span", { class: `bar ${kind}`, style }, h("i"), h("b", {}, maximum ? value : percent(value, 0)));
  };
  const lines = names.map((name, i) =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, bar(before[i], "old")), h("td", {}, bar(after[i], "new"))),
  );
  const head = h("tr", {}, h("td"), ...titles.map((title) => h("th", { scope: "col" }, title)));
  return h("table", { class: "picture-of", style: { "--lines": names.length } }, head, ...lines);
}

/** @type {(experiment: Maps, titles: string[]) => HTMLElement} */
function maps({ before, after, rows, columns, hue }, titles) {
  /** @type {(title: string, ink: number[][], names: string[]) => HTMLElement} */
  const map = (title, ink, names) => mapGrid({ title, ink, rows: names, columns, kind: hue });
  return h("div", { class: "picture-of" }, map(titles[0], before, rows[0]), map(titles[1], after, rows[1]));
}

/** The class before and after the lesson: a line for each question, with two dots.
 * @param {Item[]} items @param {Record<"quiz.before" | "quiz.after", number[]>} shares
 * @param {Pick<ScreenContext, "words" | "language">} context */
export function learningView(items, { "quiz.before": before, "quiz.after": after }, { words, language }) {
  const dot = (/** @type {number} */ share, /** @type {string} */ kind) =>
    h("i", { class: kind, style: { left: `${100 * share}%` } });
  const line = (/** @type {Item} */ item, /** @type {number} */ i) => {
    const [left, width] = [Math.min(before[i], after[i]), Math.abs(after[i] - before[i])];
    const change = h("span", { class: "way", style: { left: `${100 * left}%`, width: `${100 * width}%` } });
    return h(
      "div",
      { class: "line" },
      h("p", {}, item.about?.[language] ?? item.words[language]),
      h("b", {}, `${percent(before[i], 0)} → ${percent(after[i], 0)}`),
      h("div", { class: "track" }, change, dot(before[i], "old"), dot(after[i], "new")),
    );
  };
  return h(
    "section",
    { class: "learning" },
    h("h1", {}, words.learning),
    h(
      "p",
      { class: "legend" },
      h("i", { class: "old" }),
      words.learning_before,
      h("i", { class: "new" }),
      words.learning_after,
    ),
    ...items.map(line),
  );
}

/** @param {{title?: string, ink: number[][], rows: string[], columns: string[], kind: string, marked?: number,
 *   weights?: number[][]}} map `ink` from 0 to 1 in rows of the map; `marked` is the highlighted row */
export function mapGrid({ title, ink, rows, columns, kind, marked = -1, weights = ink }) {
  const cells = ink.flatMap((row, i) => [
    h("span", { class: i === marked ? "name marked" : "name" }, rows[i]),
    ...row.map((share, j) => {
      const title = percent(weights[i][j], 0);
      return h("i", { title, class: i === marked ? "marked" : undefined, style: { "--share": share } });
    }),
  ]);
  const heads = [h("span"), ...columns.map((name) => h("span", { class: "head" }, h("em", {}, name)))];
  const hue = `var(--${kind.replace("_", "-")})`;
  const style = { "--columns": columns.length, "--lines": rows.length, "--hue": hue };
  return h("figure", {}, title && h("figcaption", {}, title), h("div", { class: "map", style }, ...heads, ...cells));
}

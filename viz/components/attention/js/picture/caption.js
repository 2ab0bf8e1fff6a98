// The caption of an exported picture: a line for each sentence, then the head and the applied reading aids.

import { fill, fixed } from "../../../shared/text.js";
import { headView } from "../views/views.js";
import { textWidth } from "./painter.js";

/** @import { Explorer } from "../explorer.js" */
/** @import { Theme, View } from "../types" */
/** @typedef {Pick<Explorer, "strings" | "state" | "views" | "isSubtracting" | "headsIn" | "headName" | "headsName">} Shown */

/** The lines of the caption; a difference says which view is subtracted. @param {Shown} explorer */
export function captionOf(explorer) {
  const { strings, state, views, isSubtracting } = explorer;
  const names = views.map((view) => [view.caption, headsOf(explorer, view)].filter(Boolean).join(" · "));
  const sentences = views.length > 1 ? names.map((name, at) => `${at + 1}: ${name}`) : names;
  const aids = [
    isSubtracting && `${strings.difference}: 2 − 1`,
    headView(state).namesRows && state.kind !== "encoder_self" && views[0].hasTwoMeanings && rowsAre(explorer),
    state.unit === "words" && strings.words,
    state.sinks === "removed" && strings.caption_removed,
    ...new Set(views.map(({ weighting }) => weighting !== "raw" && strings[`weighting_${weighting}`])),
    state.threshold > 0 && fill(strings.caption_threshold, { threshold: fixed(state.threshold) }),
  ];
  return [...sentences, [strings[state.kind], explorer.headsName(), ...aids].filter(Boolean).join(" · ")].filter(
    Boolean,
  );
}

/** The heads of a view, if they are not the chosen ones. @type {(explorer: Shown, view: View) => string} */
function headsOf(explorer, view) {
  const heads = explorer.headsIn(view);
  const isOther = JSON.stringify(heads) !== JSON.stringify(explorer.state.heads);
  return isOther ? heads.map((head) => explorer.headName(head)).join(", ") : "";
}

/** @param {Shown} explorer */
function rowsAre({ strings, state }) {
  return `${strings.rows_are} ${strings[state.rows]}`;
}

/** Wrap a line at spaces, or inside a word that is too wide. @type {(theme: Theme, line: string, width: number) => string[]} */
export function wrapped(theme, line, width) {
  const fits = (/** @type {string} */ text) => textWidth(theme, text, theme.size) <= width;
  const lines = [""];
  for (const part of line.split(/(?<= )/).flatMap((word) => (fits(word) ? [word] : [...word]))) {
    if (fits((lines.at(-1) + part).trimEnd())) lines[lines.length - 1] += part;
    else lines.push(part);
  }
  return lines.map((text) => text.trim()).filter(Boolean);
}

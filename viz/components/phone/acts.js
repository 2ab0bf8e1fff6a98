// Which act the class is in: the same one on every screen.

/** @import { Place, Question, Snapshot } from "./types" */

/**
 * "lobby" until the teacher shows something, "look" while the class follows, then for a question "ask" while it is open,
 * "votes" when it is closed, "observe" while the experiment runs, and "explain" when the right answer is shown. A teacher
 * may explain first: an experiment that is made afterwards is shown.
 * @param {Pick<Snapshot, "shown"> & {question: Pick<Question, "revealed" | "explained"> | null}} snapshot
 */
export function actOf({ question, shown }) {
  const isExplained = Boolean(question?.explained);
  const canObserve = Boolean(shown?.experiment) && (!question || question.revealed);
  if (canObserve && (!isExplained || shown.late)) return "observe";
  if (isExplained) return "explain";
  if (question) return question.revealed ? "votes" : "ask";
  return shown?.page && shown.page !== "room" ? "look" : "lobby";
}

/** Where the class is in the lesson, and what it does there.
 * @param {Place} shown @param {string} language @param {string} doing */
export const placeOf = ({ page, title }, language, doing) =>
  [page === "lesson" && title?.[language], doing].filter(Boolean).join(" · ");

// The act of the lesson, which is the same on every screen.

/** @import { Place, Question, Snapshot } from "./types" */

/**
 * "lobby" until the teacher shows something, "look" while the class follows, then for a question "ask" while it is open,
 * "votes" when it is closed, "observe" while the experiment is shown, and "explain" when the right answer is shown. An
 * experiment that is run after the explanation is shown, too.
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

/** The title of the lesson's page, and the act.
 * @param {Place} shown @param {string} language @param {string} doing */
export const placeOf = ({ page, title }, language, doing) =>
  [page === "lesson" && title?.[language], doing].filter(Boolean).join(" · ");

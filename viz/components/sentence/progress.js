// Where the tour is: kept for as long as the browser's tab, or for this page where the browser stores nothing.

const KEPT = "regard.tour";

/** @typedef {{stop: number, search: string, isOpen: boolean}} Progress */

/** @type {string | null} */
let noted = null;

/** @returns {Progress | null} */
export function kept() {
  try {
    return JSON.parse(window.sessionStorage.getItem(KEPT) ?? "null");
  } catch {
    return JSON.parse(noted ?? "null");
  }
}

/** @param {Progress} progress */
export function keep(progress) {
  noted = JSON.stringify(progress);
  try {
    window.sessionStorage.setItem(KEPT, noted);
  } catch {
    // it is kept in this page alone
  }
}

// Back and Forward. Every choice is written into the address, and Streamlit makes each a new entry of the browser's
// history. A reader who goes back wants the earlier sentence, model or page, not the last switch. So an address that
// differs in other choices replaces the entry, and when the reader goes back to an entry, Python is sent its choices.

/** The parameter with the code of the teacher's room: only the teacher's browser can lead it. */
const ROOM_CODE = "room.code";

/** The address to share: everything on screen, without the code of the room. @param {string} href */
export function sharedAddress(href) {
  const address = new URL(href);
  address.searchParams.delete(ROOM_CODE);
  return address.href;
}

/** The subject of a history entry: the sentence ("long" names one that is too long for an address) and the model.
 * @param {string} search */
export const subjectOf = (search) => {
  const choices = new URLSearchParams(search);
  return JSON.stringify([
    choices.get("text") ?? choices.get("long"),
    choices.get("model"),
    choices.get("target_language"),
  ]);
};

/** Whether an address needs a new history entry: its page, sentence or model is another.
 * @param {URL} next @param {{pathname: string, subject: string}} now */
export const isNewEntry = (next, now) => next.pathname !== now.pathname || subjectOf(next.search) !== now.subject;

/**
 * Watch the history of this window; `pushState` is patched on the first call only.
 * @param {(search: string, isOtherPage: boolean) => void} onReturn called after Back or Forward with the query string of
 *   the entry, and whether its page is another
 * @returns {() => void} removes the listener
 */
export function watchHistory(onReturn) {
  const current = keepFewEntries(window.history);
  const onPopState = () => {
    const { pathname, search } = window.location;
    const isOtherPage = pathname !== current.pathname;
    Object.assign(current, { pathname, subject: subjectOf(search) });
    onReturn(search, isOtherPage);
  };
  // In the capture phase, before Streamlit, which reruns the page on the same event and needs the choices by then.
  window.addEventListener("popstate", onPopState, { capture: true });
  return () => window.removeEventListener("popstate", onPopState, { capture: true });
}

/** @type {{pathname: string, subject: string} | null} */
let currentEntry = null;

/** @param {History} history */
function keepFewEntries(history) {
  if (currentEntry) return currentEntry;
  const { pathname, search } = window.location;
  const current = (currentEntry = { pathname, subject: subjectOf(search) });
  const push = history.pushState.bind(history);
  history.pushState = (state, unused, url) => {
    const next = new URL(url ?? "", window.location.href);
    const isNew = isNewEntry(next, current);
    // Streamlit opens a page without parameters first; those that follow belong to the same entry.
    if (next.pathname === current.pathname) current.subject = subjectOf(next.search);
    current.pathname = next.pathname;
    if (isNew) push(state, unused, url);
    else history.replaceState(state, unused, url);
  };
  return current;
}

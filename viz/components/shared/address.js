// Back and Forward. Every choice is written into the address, and Streamlit makes each a new entry of the browser's
// history. A reader who goes back wants the earlier sentence, model or page, not the last switch. So an address that
// differs in other choices replaces the entry, and when the reader goes back to an entry, Python is sent its choices.

/** A parameter of this browser alone: no other could lead the teacher's room. */
const OWN = "room.code";

/** The address to share: all that is on screen, without what belongs to this browser. @param {string} href */
export function sharedAddress(href) {
  const address = new URL(href);
  address.searchParams.delete(OWN);
  return address.href;
}

/** What the entry that the browser shows is of: a sentence, which "long" names if it is too long for an address, and the
 * model that reads it. @param {string} search */
export const subjectOf = (search) => {
  const choices = new URLSearchParams(search);
  return JSON.stringify([
    choices.get("text") ?? choices.get("long"),
    choices.get("model"),
    choices.get("target_language"),
  ]);
};

/** Whether an address deserves an entry of its own: it is of another page, sentence or model.
 * @param {URL} next @param {{pathname: string, subject: string}} now */
export const isNewEntry = (next, now) => next.pathname !== now.pathname || subjectOf(next.search) !== now.subject;

/**
 * Watch the history of this window; only the first call has an effect.
 * @param {(search: string, isOtherPage: boolean) => void} onReturn called with the parameters of an address that was
 *   gone back or forward to, and whether it is of another page
 * @returns {() => void} ends the calls
 */
export function watchHistory(onReturn) {
  const shown = keepFewEntries(window.history);
  const heard = () => {
    const { pathname, search } = window.location;
    const isOtherPage = pathname !== shown.pathname;
    Object.assign(shown, { pathname, subject: subjectOf(search) });
    onReturn(search, isOtherPage);
  };
  // Before Streamlit, which answers the same event with a run of the page and needs the choices by then.
  window.addEventListener("popstate", heard, { capture: true });
  return () => window.removeEventListener("popstate", heard, { capture: true });
}

/** @type {{pathname: string, subject: string} | null} */
let watched = null;

/** @param {History} history */
function keepFewEntries(history) {
  if (watched) return watched;
  const { pathname, search } = window.location;
  const shown = (watched = { pathname, subject: subjectOf(search) });
  const push = history.pushState.bind(history);
  history.pushState = (state, unused, url) => {
    const next = new URL(url ?? "", window.location.href);
    const isNew = isNewEntry(next, shown);
    // Streamlit opens a page without parameters first; those that follow belong to the same entry.
    if (next.pathname === shown.pathname) shown.subject = subjectOf(next.search);
    shown.pathname = next.pathname;
    if (isNew) push(state, unused, url);
    else history.replaceState(state, unused, url);
  };
  return shown;
}

// What the parts of a page tell each other. The stage and the views are separate programs that mount in any order, so
// nothing is sent past: the window keeps what was told, and whoever listens later reads it then.
//
//   "shade"  a view tells the stage {kind, source, target, focus, from}: weights from 0 to 1 for each token, the tokens
//            in focus, and the target token from which nothing is written yet
//   "point"  the stage tells views {side, index} of the token under the pointer
//
// A click on a token and Escape are acts {do: "pin", side, index, isAdded} and {do: "release"}. One that no view has taken waits
// for the first view of the same page.

/** @typedef {(value: any) => void} Hear */

function board() {
  const shared = /** @type {any} */ (window);
  shared.regardSignals ??= { told: new Map(), hearers: new Map(), servers: new Set(), waiting: null };
  return shared.regardSignals;
}

/** What counts: of those who tell a value, the one who told it last. @param {string} name */
const latest = (name) => [...(board().told.get(name)?.values() ?? [])].at(-1) ?? null;

/** @param {string} name */
function spread(name) {
  for (const hear of board().hearers.get(name) ?? []) hear(latest(name));
}

/**
 * Tell a value, to those who listen and to those who will.
 * @param {string} name
 * @param {any} value
 * @param {object} teller who may withdraw it
 */
export function tell(name, value, teller) {
  const { told } = board();
  if (!told.has(name)) told.set(name, new Map());
  told.get(name).delete(teller);
  told.get(name).set(teller, value);
  spread(name);
}

/**
 * Take back what the teller told; what others tell counts again.
 * @param {string} name
 * @param {object} teller
 */
export function withdraw(name, teller) {
  if (board().told.get(name)?.delete(teller)) spread(name);
}

/**
 * Hear a value now, and whenever another counts; null while nobody tells one.
 * @param {string} name
 * @param {Hear} hear
 * @returns {() => void} ends it
 */
export function follow(name, hear) {
  const { hearers } = board();
  if (!hearers.has(name)) hearers.set(name, new Set());
  hearers.get(name).add(hear);
  hear(latest(name));
  return () => hearers.get(name).delete(hear);
}

/**
 * Ask the views to act; without one, the latest act waits.
 * @param {any} act
 */
export function ask(act) {
  const { servers } = board();
  board().waiting = servers.size ? null : { act, page: window.location.pathname };
  for (const serve of servers) serve(act);
}

/** Drop an act that waits: the tokens that it names are no longer on the stage. */
export function dropWaiting() {
  board().waiting = null;
}

/**
 * Take the acts that are asked for, and one that waits.
 * @param {Hear} serve
 * @returns {() => void} ends it
 */
export function serveActs(serve) {
  const { servers, waiting } = board();
  servers.add(serve);
  board().waiting = null;
  if (waiting?.page === window.location.pathname) serve(waiting.act);
  return () => servers.delete(serve);
}

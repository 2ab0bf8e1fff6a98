// What the parts of a page tell each other. The stage and the views are separate programs that mount in any order, so
// nothing is sent past: the window keeps what was told, and whoever listens later reads it then.
//
//   "shade"  a view tells the stage {kind, source, target, focus, from}: weights from 0 to 1 for each token, the tokens
//            in focus, and the target token from which nothing is written yet
//   "changing"  a view tells the stage {of, text, changing}: the heads without which a translation is another, measured
//            while the page stands there
//   "point"  the stage tells views {side, index} of the token under the pointer
//
// A click on a token and Escape are acts {do: "pin", side, index, isAdded} and {do: "release"}. One that no view has taken waits
// for the first view of the same page.

/** @import { Found, Shade, Side } from "../sentence/types" */
/** @typedef {{side: Side, index: number}} Place */
/** @typedef {{shade: Shade | null, changing: Found | null, point: Place | null}} Signals */
/** @typedef {({do: "pin", isAdded: boolean} & Place) | {do: "release"}} Act */
/** @typedef {(act: Act) => void} Serve */
/**
 * @template {keyof Signals} Name
 * @typedef {{told: Map<object, Signals[Name]>, hearers: Set<(value: Signals[Name] | null) => void>}} Signal
 */
/**
 * @typedef {{signals: {[Name in keyof Signals]: Signal<Name>}, servers: Set<Serve>, waiting: {act: Act, page: string}
 *   | null}} Board
 */

/** @returns {Board} */
function board() {
  const shared = /** @type {Window & {regardSignals?: Board}} */ (window);
  const signal = () => ({ told: new Map(), hearers: new Set() });
  return (shared.regardSignals ??= {
    signals: { shade: signal(), changing: signal(), point: signal() },
    servers: new Set(),
    waiting: null,
  });
}

/** What counts: of those who tell a value, the one who told it last.
 * @template {keyof Signals} Name @param {Name} name */
const latest = (name) => [...board().signals[name].told.values()].at(-1) ?? null;

/** @template {keyof Signals} Name @param {Name} name */
function spread(name) {
  for (const hear of board().signals[name].hearers) hear(latest(name));
}

/** Tell a value, to those who listen and to those who will.
 * @template {keyof Signals} Name @param {Name} name @param {Signals[Name]} value
 * @param {object} teller who may withdraw it */
export function tell(name, value, teller) {
  const { told } = board().signals[name];
  told.delete(teller);
  told.set(teller, value);
  spread(name);
}

/** Take back what the teller told; what others tell counts again. @param {keyof Signals} name @param {object} teller */
export function withdraw(name, teller) {
  if (board().signals[name].told.delete(teller)) spread(name);
}

/** Hear a value now, and whenever another counts; null while nobody tells one.
 * @template {keyof Signals} Name @param {Name} name @param {(value: Signals[Name] | null) => void} hear
 * @returns {() => void} ends it */
export function follow(name, hear) {
  const { hearers } = board().signals[name];
  hearers.add(hear);
  hear(latest(name));
  return () => hearers.delete(hear);
}

/** Ask the views to act; without one, the latest act waits. @param {Act} act */
export function ask(act) {
  const { servers } = board();
  board().waiting = servers.size ? null : { act, page: window.location.pathname };
  for (const serve of servers) serve(act);
}

/** Drop an act that waits: the tokens that it names are no longer on the stage. */
export function dropWaiting() {
  board().waiting = null;
}

/** Take the acts that are asked for, and one that waits.
 * @param {Serve} serve
 * @returns {() => void} ends it */
export function serveActs(serve) {
  const { servers, waiting } = board();
  servers.add(serve);
  board().waiting = null;
  if (waiting?.page === window.location.pathname) serve(waiting.act);
  return () => servers.delete(serve);
}

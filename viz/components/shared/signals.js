// Publish and subscribe between the components of a page. They are separate modules that mount in any order, so the window
// stores the published values, and a later subscriber receives the current one.
//
//   "shade"  a view publishes {kind, source, target, focus, from} to the stage: weights from 0 to 1 for each token, the
//            tokens in focus, and the first target token that is not written yet
//   "changing"  a view publishes {of, text, changing} to the stage: the heads whose removal changes the translation, as
//            measured since the page was drawn
//   "point"  the stage publishes {side, index} of the token under the pointer to the views
//
// A click on a token and Escape request acts {do: "pin", side, index, isAdded} and {do: "release"}. Without a handler, the
// act is queued for the first view of the same page.

/** @import { ChangingHeads, Shade, Side } from "../sentence/types" */
/** @typedef {{side: Side, index: number}} Place */
/** @typedef {{shade: Shade | null, changing: ChangingHeads | null, point: Place | null}} Signals */
/** @typedef {({do: "pin", isAdded: boolean} & Place) | {do: "release"}} Act */
/** @typedef {(act: Act) => void} ActHandler */
/**
 * @template {keyof Signals} Name
 * @typedef {{values: Map<object, Signals[Name]>, listeners: Set<(value: Signals[Name] | null) => void>}} Signal values by
 *   publisher, the latest last
 */
/**
 * @typedef {{signals: {[Name in keyof Signals]: Signal<Name>}, handlers: Set<ActHandler>, queued: {act: Act, page: string}
 *   | null}} Bus
 */

/** @returns {Bus} */
function bus() {
  const shared = /** @type {Window & {regardSignals?: Bus}} */ (window);
  const signal = () => ({ values: new Map(), listeners: new Set() });
  return (shared.regardSignals ??= {
    signals: { shade: signal(), changing: signal(), point: signal() },
    handlers: new Set(),
    queued: null,
  });
}

/** The current value: the one that was published last.
 * @template {keyof Signals} Name @param {Name} name */
const latest = (name) => [...bus().signals[name].values.values()].at(-1) ?? null;

/** @template {keyof Signals} Name @param {Name} name */
function notify(name) {
  for (const listener of bus().signals[name].listeners) listener(latest(name));
}

/** Publish a value to all subscribers, later ones included.
 * @template {keyof Signals} Name @param {Name} name @param {Signals[Name]} value
 * @param {object} publisher the key to withdraw it */
export function publish(name, value, publisher) {
  const { values } = bus().signals[name];
  values.delete(publisher);
  values.set(publisher, value);
  notify(name);
}

/** Withdraw a publisher's value; the latest of the others becomes current.
 * @param {keyof Signals} name @param {object} publisher */
export function withdraw(name, publisher) {
  if (bus().signals[name].values.delete(publisher)) notify(name);
}

/** Call the listener with the current value (null without one) and after every change.
 * @template {keyof Signals} Name @param {Name} name @param {(value: Signals[Name] | null) => void} listener
 * @returns {() => void} unsubscribes */
export function subscribe(name, listener) {
  const { listeners } = bus().signals[name];
  listeners.add(listener);
  listener(latest(name));
  return () => listeners.delete(listener);
}

/** Send an act to the views, or queue it if there is none. @param {Act} act */
export function requestAct(act) {
  const { handlers } = bus();
  bus().queued = handlers.size ? null : { act, page: window.location.pathname };
  for (const handler of handlers) handler(act);
}

/** Drop the queued act: the tokens that it names are no longer on the stage. */
export function dropQueuedAct() {
  bus().queued = null;
}

/** Register a handler of acts; it receives a queued act at once.
 * @param {ActHandler} handler
 * @returns {() => void} removes it */
export function handleActs(handler) {
  const { handlers, queued } = bus();
  handlers.add(handler);
  bus().queued = null;
  if (queued?.page === window.location.pathname) handler(queued.act);
  return () => handlers.delete(handler);
}

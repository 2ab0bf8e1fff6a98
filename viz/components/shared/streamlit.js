// The entry point of a component on a Streamlit page.

import { pendingRun } from "./pending.js";

/** @typedef {(name: string, value: unknown) => void} Send sends a value to Python under a name */

/**
 * A component's function, which Streamlit calls with the same element whenever the data change: the first call creates a
 * view in the element, later calls update it.
 * @template {{language: string}} Data @template [Sent=Data]
 * @param {(parent: HTMLElement, data: Data, send: Send) => {send?: Send, update(data: Data): void, destroy(): void}} create
 * @param {{read?: (sent: Sent) => Data, sender?: "setTriggerValue" | "setStateValue"}} [options] `read` unpacks bytes
 * @returns {(mount: {data: Sent, parentElement: HTMLElement, setTriggerValue: Send, setStateValue: Send}) => () => void}
 */
export function streamlitComponent(create, { read, sender = "setTriggerValue" } = {}) {
  /** @type {WeakMap<Element, ReturnType<typeof create>>} */
  const views = new WeakMap();
  return ({ parentElement, data: sent, [sender]: setValue }) => {
    const data = read ? read(sent) : /** @type {Data} */ (/** @type {unknown} */ (sent));
    const send = pendingRun(setValue);
    document.documentElement.lang = data.language; // the stage sets it too, but perhaps after this drawing
    const view = views.get(parentElement);
    if (view) {
      view.send = send;
      view.update(data);
    } else views.set(parentElement, create(parentElement, data, send));
    return () => {
      views.get(parentElement)?.destroy();
      views.delete(parentElement);
    };
  };
}

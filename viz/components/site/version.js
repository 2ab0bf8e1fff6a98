// A page that is open while the site is replaced keeps its own version until it is reloaded. Its code and data are in a
// folder of their own, which the service worker keeps for it (sw.js).

import { h } from "../shared/dom.js";

/** Keep the page for the next visit, and say when another version has come. @param {Record<string, string>} t */
export function followVersion(t) {
  const { serviceWorker } = navigator;
  if (!serviceWorker || !location.protocol.startsWith("http")) return;
  let isKept = Boolean(serviceWorker.controller);
  serviceWorker.addEventListener("controllerchange", () => {
    if (isKept) sayNew(t);
    isKept = true;
  });
  serviceWorker
    .register(new URL("sw.js", document.baseURI))
    .then((registration) =>
      document.addEventListener("visibilitychange", () => document.hidden || registration.update().catch(() => {})),
    )
    .catch(() => undefined);
}

/** A part of the page could not be fetched: another version may have taken its place.
 * @param {Record<string, string>} t @param {unknown} failure @returns {never} */
export function sayGone(t, failure) {
  sayNew(t);
  throw failure;
}

/** Offer to reload the page. @param {Record<string, string>} t */
export function sayNew(t) {
  if (!document.querySelector(".site-new")) {
    const reload = h("button", { class: "site-quiet", onclick: () => location.reload() }, t.reload);
    document.body.prepend(h("div", { class: "site-new", role: "status" }, h("span", {}, t.new_version), reload));
  }
}

// Registers the service worker, and offers a reload when another version of the site was deployed. Until then an open page
// continues with its version, whose code and data stay in the service worker's cache (sw.js).

import { h } from "../shared/dom.js";

/** Cache the page for the next visit, and offer a reload when another version is deployed.
 * @param {Record<string, string>} t */
export function followVersion(t) {
  const { serviceWorker } = navigator;
  if (!serviceWorker || !location.protocol.startsWith("http")) return;
  let isControlled = Boolean(serviceWorker.controller);
  serviceWorker.addEventListener("controllerchange", () => {
    if (isControlled) offerReload(t);
    isControlled = true;
  });
  serviceWorker
    .register(new URL("sw.js", document.baseURI))
    .then((registration) =>
      document.addEventListener("visibilitychange", () => document.hidden || registration.update().catch(() => {})),
    )
    .catch(() => undefined);
}

/** Offer a reload after a part of the page could not be fetched: another version may have replaced it.
 * @param {Record<string, string>} t @param {unknown} failure @returns {never} */
export function throwWithReload(t, failure) {
  offerReload(t);
  throw failure;
}

/** Offer to reload the page. @param {Record<string, string>} t */
function offerReload(t) {
  if (!document.querySelector(".site-new")) {
    const reload = h("button", { class: "site-quiet", onclick: () => location.reload() }, t.reload);
    document.body.prepend(h("div", { class: "site-new", role: "status" }, h("span", {}, t.new_version), reload));
  }
}

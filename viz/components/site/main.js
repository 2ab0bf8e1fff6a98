// Entry of the page without a server. It shows a stored translation at once, while the model loads.

import { h } from "../shared/dom.js";
import { Page } from "./page.js";
import { followVersion } from "./version.js";

const root = /** @type {HTMLElement} */ (document.querySelector("#app"));
// Data that the site's builder wrote into the page.
const page = new Page(root, JSON.parse(String(document.querySelector("#written")?.textContent)));
page.opened.catch((/** @type {unknown} */ failure) => {
  root.append(h("p", { role: "alert" }, page.t.failed_other));
  throw failure;
});
await page.opened; // the service worker's installation must not delay this visit
followVersion(page.t);

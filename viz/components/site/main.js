// The page without a server. It shows a stored translation at once; the model and what it needs come meanwhile.

import { h } from "../shared/dom.js";
import { Page } from "./page.js";
import { followVersion } from "./version.js";

const root = /** @type {HTMLElement} */ (document.querySelector("#app"));
// What the site's builder wrote into the page.
const page = new Page(root, JSON.parse(String(document.querySelector("#written")?.textContent)));
page.opened.catch((/** @type {unknown} */ failure) => {
  root.append(h("p", { role: "alert" }, page.t.failed_other));
  throw failure;
});
await page.opened; // storing files for the next visit must not delay this one
followVersion(page.t);

// Entry of the article "how a Transformer translates": a picture that follows the paragraphs.

import { Story } from "./story/story.js";
import { followVersion } from "./version.js";

const root = /** @type {HTMLElement} */ (document.querySelector("#app"));
const story = new Story(root, JSON.parse(String(document.querySelector("#written")?.textContent)), {
  deferred: () => import("./story_deferred.js"),
  plan: () => import("./levels/model_plan.js"),
  units: new URL("../units.json", import.meta.url),
});
await story.opened; // the service worker's installation must not delay this visit
followVersion(story.t);

// The article: how a Transformer translates. Its picture stays while the text is read, and follows the paragraphs.

import { Story } from "./story/story.js";
import { followVersion } from "./version.js";

const root = /** @type {HTMLElement} */ (document.querySelector("#app"));
const story = new Story(root, JSON.parse(String(document.querySelector("#written")?.textContent)), {
  rest: () => import("./story_deferred.js"),
  plan: () => import("./model_entry.js"),
  units: new URL("../units.json", import.meta.url),
});
await story.opened; // storing files for the next visit must not delay this one
followVersion(story.t);

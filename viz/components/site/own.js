// The desk on a phone of a class: the student's own sentence, computed on the phone. Everything is fetched when it is
// opened; after that nothing is requested from the server or sent to it.

import { Desk } from "./desk.js";
import { fromLink } from "./link.js";

/**
 * @param {Element} root
 * @param {string} address of the setup, in the page's language
 * @param {string} text to begin with, or nothing
 */
export async function openDesk(root, address, text) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  const [setup] = await Promise.all([answer.json(), import("./all_heads.js")]); // later nothing may be requested
  for (const model of setup.models) model.address = new URL(model.address, answer.url).href;
  root.classList.add("site-desk");
  return new Desk(root, setup, { ...fromLink(""), text }, () => undefined);
}

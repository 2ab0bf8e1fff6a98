// The desk on a phone of a class: a sentence of one's own, computed there. Everything is fetched when it is opened;
// after that nothing is asked of the server and nothing is told to it.

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
  const setup = await answer.json();
  for (const model of setup.models) model.address = new URL(model.address, answer.url).href;
  root.classList.add("site-desk");
  return new Desk(root, setup, { ...fromLink(""), text }, () => undefined);
}

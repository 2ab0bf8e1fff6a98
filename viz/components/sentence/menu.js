// The tools beside the sentence: the glossary, the tour, and the link.

import { sharedAddress } from "../shared/address.js";
import { h } from "../shared/dom.js";
import { keepOneStop, rove } from "../shared/roving.js";
import { GLOSSARY, READING_ORDER } from "./glossary.js";
import { startTour } from "./tour.js";

/** @import { Stage } from "./component.js" */
/** @typedef {ReturnType<typeof buildTools>} Tools */

const BUTTONS = ":scope > button";
const SHOWN = 2000; // milliseconds for which a button says what it has done

/**
 * The row of tools.
 * @param {Stage} stage
 */
export function buildTools(stage) {
  const button = (/** @type {string} */ name, /** @type {() => void} */ act) =>
    h("button", { class: name, type: "button", onclick: act });
  const glossary = button("glossary", () => toggle(tools, terms.hidden));
  const tour = button("tour", () => startTour(stage.root));
  const link = button("link", () => copyLink(stage, link, stage.data.words.link));
  const terms = h("dl", { class: "terms", hidden: true });
  const root = h("div", { class: "tools", role: "group" }, glossary, tour, link, terms);
  const tools = { root, glossary, tour, link, terms };
  rove(root, BUTTONS);
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || terms.hidden) return;
    event.stopPropagation();
    toggle(tools, false);
    glossary.focus();
  });
  document.addEventListener(
    "pointerdown",
    (event) => {
      if (!event.composedPath().includes(root)) toggle(tools, false);
    },
    { signal: stage.life.signal },
  );
  return tools;
}

/** Name the tools in the page's language. @param {Stage} stage */
export function nameTools({ tools, data: { words, language, page, has_tools } }) {
  tools.glossary.textContent = words.glossary;
  tools.tour.textContent = words.tour;
  tools.tour.title = words.tour_help;
  tools.tour.hidden = page !== "";
  tools.link.textContent = words.link;
  tools.link.title = words.link_help;
  tools.root.toggleAttribute("data-shared", has_tools);
  tools.terms.replaceChildren(
    ...READING_ORDER.map((place) => GLOSSARY[language][place]).flatMap(([[name], about]) => [
      h("dt", {}, name),
      h("dd", {}, about),
    ]),
  );
  tools.root.setAttribute("aria-label", words.tools);
  keepOneStop(tools.root, BUTTONS);
  toggle(tools, false);
}

/** @type {(tools: Pick<Tools, "terms" | "glossary">, isOpen: boolean) => void} */
function toggle({ terms, glossary }, isOpen) {
  terms.hidden = !isOpen;
  glossary.setAttribute("aria-expanded", String(isOpen));
}

/**
 * Copy the link to what is on screen; the button that was pressed says so for a moment.
 * @param {Stage} stage
 * @param {HTMLElement} pressed
 * @param {string} name of the button
 */
export async function copyLink({ said, data: { words } }, pressed, name) {
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(sharedAddress(window.location.href));
  } catch {
    isCopied = false;
  }
  pressed.textContent = said.textContent = isCopied ? words.copied : words.copy_from_bar;
  setTimeout(() => {
    pressed.textContent = name;
  }, SHOWN);
}

/** Close the page's dialog by Escape where nothing has the focus: a button that is disabled while its file is made loses
 * it, and the dialog hears only keys that are pressed inside.
 * @param {KeyboardEvent} event */
export function closeDialog(event) {
  if (event.key !== "Escape" || document.activeElement !== document.body) return;
  /** @type {HTMLElement | null} */ (
    document.querySelector('[data-testid="stDialog"] button[aria-label="Close"]')
  )?.click();
}

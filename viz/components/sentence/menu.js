// The tools beside the sentence: the glossary, the tour, and the link.

import { sharedAddress } from "../shared/address.js";
import { h } from "../shared/dom.js";
import { keepOneStop, rove } from "../shared/roving.js";
import { GLOSSARY, READING_ORDER } from "./glossary.js";
import { startTour } from "./tour.js";

const BUTTONS = ":scope > button";
const SHOWN = 2000; // milliseconds for which a button says what it has done

/**
 * The row of tools.
 * @param {any} stage
 */
export function buildTools(stage) {
  const button = (name, act) => h("button", { class: name, type: "button", onclick: act });
  stage.glossary = button("glossary", () => toggle(stage, stage.terms.hidden));
  stage.tour = button("tour", () => startTour(stage.root));
  stage.link = button("link", () => copyLink(stage));
  stage.terms = h("dl", { class: "terms", hidden: true });
  stage.tools = h("div", { class: "tools", role: "group" }, stage.glossary, stage.tour, stage.link, stage.terms);
  rove(stage.tools, BUTTONS);
  stage.tools.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || stage.terms.hidden) return;
    event.stopPropagation();
    toggle(stage, false);
    stage.glossary.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!event.composedPath().includes(stage.tools)) toggle(stage, false);
  });
  return stage.tools;
}

/** Name the tools in the page's language. */
export function nameTools(stage) {
  const { words, language, page, has_tools } = stage.data;
  stage.glossary.textContent = words.glossary;
  stage.tour.textContent = words.tour;
  stage.tour.title = words.tour_help;
  stage.tour.hidden = page !== "";
  stage.link.textContent = words.link;
  stage.link.title = words.link_help;
  stage.tools.toggleAttribute("data-shared", has_tools);
  stage.terms.replaceChildren(
    ...READING_ORDER.map((place) => GLOSSARY[language][place]).flatMap(([[name], about]) => [
      h("dt", {}, name),
      h("dd", {}, about),
    ]),
  );
  stage.tools.setAttribute("aria-label", words.tools);
  keepOneStop(stage.tools, BUTTONS);
  toggle(stage, false);
}

function toggle(stage, isOpen) {
  stage.terms.hidden = !isOpen;
  stage.glossary.setAttribute("aria-expanded", String(isOpen));
}

async function copyLink(stage) {
  const { words } = stage.data;
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(sharedAddress(window.location.href));
  } catch {
    isCopied = false;
  }
  stage.link.textContent = isCopied ? words.copied : words.copy_from_bar;
  stage.said.textContent = stage.link.textContent;
  setTimeout(() => {
    stage.link.textContent = words.link;
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

// Loads what comes after the first picture: the deferred code, then the model.

import { afterPaint } from "../shared/dom.js";
import { handOver } from "./desk/box.js";
import { arrangeDesk } from "./levels/frame.js";

/** @import { Choices } from "./links/choices.js" */
/** @import { Deferred, Site } from "./types.js" */
/** @import { Page } from "./page.js" */

/** Fetch the deferred code, then the model; resolves when the first translation is computed or has failed.
 * @param {Page} page */
export async function load(page) {
  await afterPaint();
  const [site, { default: deferred }] = await Promise.all([fetchSetup(), import("./deferred.js")]);
  Object.assign(page, { site, deferred });
  page.sampling = new deferred.SamplingPreview(page);
  const desk = deskOf(page, site, deferred);
  desk.submitted = () => page.submitted();
  const level = new deferred.Levels(Object.assign(page, { site, deferred, desk }));
  page.drawBelow();
  level.open(page.choices.level);
  handOver(page, desk);
  await desk.opened;
  page.show();
}

/** site.json of the same version as the code. @returns {Promise<Site>} */
async function fetchSetup() {
  const place = new URL("../site.json", import.meta.url);
  /** @type {Site} */
  const site = await (await fetch(place)).json();
  for (const { stored = {} } of site.sentences)
    for (const name of Object.keys(stored)) stored[name] = new URL(stored[name], place).href;
  return site;
}

/** @param {Page} page @param {Site} site @param {Deferred} deferred */
function deskOf(page, site, deferred) {
  const around = {
    stage: page.stage,
    arrange: (/** @type {import("./desk/desk.js").Desk} */ desk) => arrangeDesk(page, desk),
    drawn: () => {
      page.sampling?.end();
      page.show();
    },
    onModelChange: () => page.onModelChange(),
    asking: (/** @type {boolean} */ isAsking) => page.stage.root.toggleAttribute("data-busy", isAsking),
    head: () => page.head ?? null,
    isFolded: () => page.choices.level !== "heads",
    hasUndo: true,
    preview: (/** @type {Partial<Choices>} */ changes) => page.sampling?.preview(changes),
  };
  const remember = (/** @type {Choices} */ _, /** @type {boolean} */ isNew) => page.remember(isNew);
  return new deferred.Desk(page.editor, setupOf(page, site), page.choices, remember, around);
}

/** The desk's setup in the page's language. @param {Page} page @param {Site} site */
export function setupOf({ t, language, written }, site) {
  const { attention: explorer, gallery: groups, doubt } = site.strings[language];
  const { palettes, metrics, state, sentences } = site;
  const models = written.models.map((model) => ({ ...model, address: new URL(model.address, document.baseURI).href }));
  return { words: t, explorer, groups, doubt, palettes, metrics, state, sentences, models, link: written.link };
}

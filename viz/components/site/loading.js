// Loads what comes after the first picture: the deferred code, then the model; and updates the page for another model or
// another entry of the history.

import { afterPaint } from "../shared/dom.js";
import { isPictureText, pictureOfText } from "../shared/pad/picture.js";
import { handOver } from "./desk/box.js";
import { arrangeDesk } from "./levels/frame.js";
import { drawUnsupported, readAddress } from "./links/link.js";
import { fetchStored } from "./stage/shown.js";

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
    onModelChange: () => toOtherModel(page),
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

/** Whether there is a text or picture that the model can read. @param {Page} page */
export const isRead = ({ choices, isPicture }) =>
  Boolean(choices.text) && isPictureText(choices.text) === isPicture && (!isPicture || pictureOfText(choices.text));

/** Show another model. Each variant (translation, decoder-only, pictures) has its last text, which is restored.
 * @param {Page} page */
function toOtherModel(page) {
  const { choices, model, sources } = page;
  page.head = undefined;
  if (model.variant === page.variant) page.drawBelow();
  else {
    sources.set(page.variant, choices.text);
    const text = sources.get(model.variant) ?? page.written.openings[model.name].text;
    Object.assign(choices, { text, kind: model.main });
    page.setLanguage();
    page.drawWords();
  }
  page.show();
  page.level?.arrange();
  fetchStored(page);
}

/** Restore the address after Back or Forward. @param {Page} page */
export function restore(page) {
  const before = [page.language, page.variant];
  readAddress(page);
  page.setLanguage();
  if (!isRead(page)) page.choices.text = page.written.openings[page.model.name]?.text ?? "";
  if (String([page.language, page.variant]) !== String(before)) page.drawWords();
  drawUnsupported(page);
  page.desk?.restore(page.choices);
  page.level?.open(page.choices.level, { isRestored: true });
  page.show();
}

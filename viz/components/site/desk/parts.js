// The desk's first view, and its view when no model can run.

import { h } from "../../shared/dom.js";
import { textOrPicture } from "../../shared/pad/drawn.js";

/** @import { Example, Model, Site } from "../types.js" */
/** @import { Desk } from "./desk.js" */
/**
 * @typedef {object} Setup
 * @property {Record<string, string>} words of the desk
 * @property {Record<string, string>} explorer words of the explorer
 * @property {Record<string, string>} groups names of the gallery's groups
 * @property {Record<string, string>} doubt words about translations that cannot be trusted
 * @property {(Pick<Model, "name" | "address"> & Partial<Model>)[]} models
 * @property {Example[]} sentences to try
 * @property {Site["palettes"]} palettes
 * @property {Site["metrics"]} metrics of a head, as the explorer lists them
 * @property {string} [about] a line about the model
 * @property {Site["state"] | null} state what the explorer opens on; null where it is never shown
 * @property {import("../types.js").Schema} [link] where the choices are kept in a link
 */

/** Sentences to try, by phenomenon. @param {Desk} desk */
export function fillGallery(desk) {
  /** @type {Map<string, Example[]>} */
  const groups = new Map();
  for (const each of desk.sentences) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  const parts = [...groups].map(([group, examples]) =>
    h(
      "div",
      { class: "site-group" },
      h("h2", {}, desk.setup.groups[group] ?? group),
      examples.map((each) =>
        h("button", { class: "site-example", onclick: () => desk.begin(each) }, textOrPicture(each)),
      ),
    ),
  );
  desk.examples.hidden = !parts.length;
  desk.examples.replaceChildren(h("summary", {}, desk.t.examples), h("div", {}, parts));
}

/** The choice of a model, where there are several. @param {Desk} desk */
export function modelPicker(desk) {
  const { models } = desk.setup;
  if (models.length < 2) return null;
  const options = models.map(({ name }) => h("option", { value: name, selected: name === desk.model.name }, name));
  const onchange = () => {
    desk.turnTo(select.value);
    desk.picker?.querySelector("select")?.focus(); // it may have been drawn anew
  };
  const select = h("select", { onchange }, options);
  return h("label", {}, desk.t.model, select);
}

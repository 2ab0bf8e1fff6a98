// The desk's setup, its examples and its model picker.

import { h } from "../../shared/dom.js";
import { textOrPicture } from "../../shared/pad/pad.js";

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
 * @property {Site["state"] | null} state the explorer's initial state; null where it is never shown
 * @property {import("../types.js").Schema} [link] schema of links
 */

/** Sentences to try, by phenomenon. @param {Desk} desk */
export function fillGallery(desk) {
  /** @type {Map<string, Example[]>} */
  const groups = new Map();
  for (const example of desk.sentences) groups.set(example.group, [...(groups.get(example.group) ?? []), example]);
  const parts = [...groups].map(([group, examples]) =>
    h(
      "div",
      { class: "site-group" },
      h("h2", {}, desk.setup.groups[group] ?? group),
      examples.map((example) =>
        h("button", { class: "site-example", onclick: () => desk.tryExample(example) }, textOrPicture(example)),
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
    desk.switchModel(select.value);
    desk.picker?.querySelector("select")?.focus(); // it may have been redrawn
  };
  const select = h("select", { onchange }, options);
  return h("label", {}, desk.t.model, select);
}

// The desk on a phone of a class: the student's own sentence, computed on the phone. Everything is fetched when it is
// opened; after that nothing is requested from the server or sent to it.

import { h } from "../shared/dom.js";
import { Desk } from "./desk/desk.js";
import { unchosen } from "./links/choices.js";
import { clearestOf } from "./stage/scene.js";
import { computed, isHeadOff } from "./stage/shown.js";
import { StagePlayer } from "./stage/player.js";

/** @param {Element} root
 * @param {string} address of the setup, in the page's language
 * @param {string} text to begin with, or nothing */
export async function openDesk(root, address, text) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  const [setup] = await Promise.all([answer.json(), import("./all_heads.js")]); // later nothing may be requested
  for (const model of setup.models) model.address = new URL(model.address, answer.url).href;
  root.classList.add("site-desk");
  const stage = new StagePlayer(setup.words, {
    touched: () => undefined,
    picked: () => undefined,
    ended: () => undefined,
    chosen: (said) => desk.change({ said }),
  });
  stage.view.layOut();
  stage.root.hidden = true;
  const desk = new Desk(root, setup, { ...unchosen(), text }, () => undefined, {
    stage,
    arrange: (each) => arrange(each, stage),
    drawn: (each) => show(each, stage),
    asking: (isAsking) => stage.root.toggleAttribute("data-busy", isAsking),
  });
  return desk;
}

/** The parts below each other. @param {Desk} desk @param {StagePlayer} stage */
function arrange(desk, stage) {
  desk.root.replaceChildren(
    desk.form,
    h("div", { class: "site-choices" }, desk.picker, desk.examples),
    h("p", { class: "site-hint", hidden: !desk.setup.about }, desk.setup.about),
    ...[desk.bar, desk.status, stage.root, desk.chips, desk.controls, desk.stage],
  );
}

/** The sentence and its translation, with the ribbons of the head that is open.
 * @param {Desk} desk @param {StagePlayer} stage */
function show(desk, stage) {
  const found = computed(desk);
  if (!found) return;
  const { scene, before } = found;
  const { kind, heads } = desk.choices;
  const isMain = kind === scene.main && heads.length > 0;
  const head = isMain ? /** @type {[number, number]} */ (heads[0]) : clearestOf(scene);
  stage.root.hidden = false;
  stage.show(scene, { head, model: desk.model.name, before, isOff: isHeadOff(desk.choices, head, scene.main) });
}

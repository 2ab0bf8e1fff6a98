// The desk on a student's phone: it computes the student's sentence on the phone. Everything is fetched when it is opened;
// after that the phone sends no requests.

import { h } from "../shared/dom.js";
import { Desk } from "./desk/desk.js";
import { unchosen } from "./links/choices.js";
import { clearestOf } from "./stage/scene.js";
import { computedScene, isHeadOff } from "./stage/shown.js";
import { StagePlayer } from "./stage/player.js";

/** @param {Element} root
 * @param {string} address of the setup, in the page's language
 * @param {string} text initial sentence, or "" */
export async function openDesk(root, address, text) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  const [setup] = await Promise.all([answer.json(), import("./all_heads.js")]); // no request may follow later
  for (const model of setup.models) model.address = new URL(model.address, answer.url).href;
  root.classList.add("site-desk");
  const stage = new StagePlayer(setup.words, {
    interrupted: () => undefined,
    picked: () => undefined,
    ended: () => undefined,
    chosen: (prefix) => desk.change({ prefix }),
  });
  stage.view.layOut();
  stage.root.hidden = true;
  const desk = new Desk(root, setup, { ...unchosen(), text }, () => undefined, {
    stage,
    arrange: (placed) => arrange(placed, stage),
    drawn: (updated) => show(updated, stage),
    asking: (isAsking) => stage.root.toggleAttribute("data-busy", isAsking),
  });
  return desk;
}

/** Append the desk's parts. @param {Desk} desk @param {StagePlayer} stage */
function arrange(desk, stage) {
  desk.root.replaceChildren(
    desk.form,
    h("div", { class: "site-choices" }, desk.picker, desk.examples),
    h("p", { class: "site-hint", hidden: !desk.setup.about }, desk.setup.about),
    ...[desk.bar, desk.status, stage.root, desk.chips, desk.controls, desk.stage],
  );
}

/** Show the translation with the ribbons of the open head.
 * @param {Desk} desk @param {StagePlayer} stage */
function show(desk, stage) {
  const current = computedScene(desk);
  if (!current) return;
  const { scene, before } = current;
  const { kind, heads } = desk.choices;
  const isMain = kind === scene.main && heads.length > 0;
  const head = isMain ? /** @type {[number, number]} */ (heads[0]) : clearestOf(scene);
  stage.root.hidden = false;
  stage.show(scene, { head, model: desk.model.name, before, isOff: isHeadOff(desk.choices, head, scene.main) });
}

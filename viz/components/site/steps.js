// Greedy decoding step by step: the translation so far, and the tokens that may follow. Choosing another one goes on
// from it.

import { h } from "../shared/dom.js";
import { bare, fill, percent } from "../shared/text.js";

const MOST_SHOWN = 6;

/**
 * @param {any} desk
 */
export function drawSteps(desk) {
  const { t, trace } = desk;
  const { pieces } = trace.target;
  const last = pieces.length - 1;
  desk.step = Math.min(desk.step, last);
  const focused = desk.steps.querySelector("[data-name]:focus")?.getAttribute("data-name");
  const go = (/** @type {number} */ place) => {
    desk.step = place;
    drawSteps(desk);
  };
  const turn = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {number} */ place) =>
    h(
      "button",
      {
        type: "button",
        class: "site-quiet",
        "data-name": name,
        "aria-label": t[name],
        title: t[name],
        disabled: place < 0 || place > last,
        onclick: () => go(place),
      },
      sign,
    );
  desk.steps.hidden = false;
  desk.steps.replaceChildren(
    h("h2", {}, t.steps),
    h("p", { class: "site-hint" }, t.steps_hint),
    h(
      "div",
      { class: "site-walk" },
      turn("step_back", "‹", desk.step - 1),
      h("span", { role: "status" }, fill(t.step_of, { step: desk.step + 1, steps: last + 1 })),
      turn("step_on", "›", desk.step + 1),
    ),
    h(
      "div",
      { class: "site-written", role: "group", "aria-label": t.translation },
      pieces.map((/** @type {string} */ piece, /** @type {number} */ place) =>
        h(
          "button",
          {
            type: "button",
            class: place > desk.step ? "site-token site-later" : "site-token",
            "data-name": `piece ${place}`,
            "aria-pressed": String(place === desk.step),
            onclick: () => go(place),
          },
          bare(piece),
        ),
      ),
    ),
    candidates(desk),
  );
  if (focused) desk.steps.querySelector(`[data-name="${focused}"]`)?.focus();
}

/**
 * The most probable tokens of the step, each to be chosen.
 * @param {any} desk
 */
function candidates(desk) {
  const { t, trace, step } = desk;
  const { ids } = trace.target;
  const choose = (/** @type {number} */ id) => {
    desk.step = step + 1;
    desk.change({ said: [...ids.slice(0, step), id] });
  };
  return h(
    "ol",
    { class: "site-bars" },
    trace.candidates[step]
      .slice(0, MOST_SHOWN)
      .map((/** @type {any} */ { piece, logProb, id }, /** @type {number} */ rank) => {
        const share = Math.exp(logProb);
        const isSaid = id === ids[step];
        return h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: isSaid ? "site-said" : "",
              "data-name": `candidate ${rank}`,
              "aria-pressed": String(isSaid),
              title: isSaid ? t.said : fill(t.choose, { piece: bare(piece) }),
              onclick: () => !isSaid && choose(id),
            },
            h("span", { class: "site-piece" }, bare(piece)),
            h("span", { class: "site-bar" }, h("span", { style: { width: `${Math.max(0.5, share * 100)}%` } })),
            h("span", { class: "site-share" }, percent(share)),
          ),
        );
      }),
  );
}

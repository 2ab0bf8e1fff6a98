// The handles of sampling: temperature, top-k and top-p, and another draw.

import { h } from "../../shared/dom.js";
import { fixed } from "../../shared/text.js";
import { HOTTEST } from "../links/choices.js";

/** @import { Choices } from "../links/choices.js" */

const MOST_SEED = 9999;
/** What top-k is chosen from; 0 leaves all. */
const KS = [1, 2, 3, 4, 5, 8, 10, 20, 50, 100, 0];
/** Hundredths of top-p; the last leaves all. */
const PS = [1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100];

/** @param {Record<string, string>} t @param {Choices} choices
 * @param {{change: (changes: Partial<Choices>) => void, preview?: (changes: Partial<Choices>) => void}} on `preview` is
 *   told while a handle moves, `change` once it is let go */
export function handlesOf(t, choices, { change, preview = () => {} }) {
  const { temperature, topK, topP } = choices;
  // What is left out matters only where something is drawn. Asked when a handle moves: another one may have moved since.
  const kept = () => (choices.temperature > 0 ? {} : { temperature: 1 });
  const heat = handle(t.temperature, "heat", HOTTEST, Math.round(10 * temperature), (tenths) => ({
    words: tenths ? fixed(tenths / 10, 1) : "0",
    changes: { temperature: tenths / 10 },
  }));
  const best = handle(t.top_k, "top_k", KS.length - 1, nearest(KS, topK || Infinity), (place) => ({
    words: KS[place] ? String(KS[place]) : t.top_all,
    changes: { ...kept(), topK: KS[place] },
  }));
  const mass = handle(t.top_p, "top_p", PS.length - 1, nearest(PS, 100 * topP), (place) => ({
    words: PS[place] < 100 ? fixed(PS[place] / 100) : t.top_all,
    changes: { ...kept(), topP: PS[place] / 100 },
  }));
  const again = () => change({ ...kept(), seed: (choices.seed % MOST_SEED) + 1 });
  return h(
    "div",
    { class: "site-sampling" },
    [heat, best, mass].map((make) => make({ change, preview })),
    h("button", { class: "site-quiet", "data-name": "draw again", onclick: again }, t.draw_again),
  );
}

/** The place of the value that is nearest to a number; all of them count as the last.
 * @param {number[]} values @param {number} wanted */
function nearest(values, wanted) {
  const found = values.findIndex((value) => value >= wanted || value === 0);
  return found < 0 ? values.length - 1 : found;
}

/** @param {string} title @param {string} name @param {number} max @param {number} value
 * @param {(value: number) => {words: string, changes: Partial<Choices>}} read */
function handle(title, name, max, value, read) {
  return (
    /** @type {{change: (changes: Partial<Choices>) => void, preview: (changes: Partial<Choices>) => void}} */ on,
  ) => {
    const said = h("output", {}, read(value).words);
    const chosen = () => read(Number(input.value));
    const oninput = () => {
      const { words, changes } = chosen();
      said.textContent = words;
      on.preview(changes);
    };
    const onchange = () => on.change(chosen().changes);
    const input = h("input", {
      type: "range",
      min: 0,
      max,
      value,
      "data-name": name,
      "aria-label": title,
      oninput,
      onchange,
    });
    return h("label", { class: "site-heat" }, h("span", {}, title), input, said);
  };
}

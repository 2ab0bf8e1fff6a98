// The sliders of sampling (temperature, top-k, top-p), and the button for another seed.

import { h } from "../../shared/dom.js";
import { fixed } from "../../shared/text.js";
import { MAX_TEMPERATURE } from "../links/choices.js";

/** @import { Choices } from "../links/choices.js" */

const MAX_SEED = 9999;
/** Choices of top-k; 0 keeps all tokens. */
const KS = [1, 2, 3, 4, 5, 8, 10, 20, 50, 100, 0];
/** Choices of top-p in hundredths; 100 keeps all tokens. */
const PS = [1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100];

/** @param {Record<string, string>} t @param {Choices} choices
 * @param {{change: (changes: Partial<Choices>) => void, preview?: (changes: Partial<Choices>) => void}} on `preview` is
 *   called while a slider moves, `change` when it is released */
export function samplingSliders(t, choices, { change, preview = () => {} }) {
  const { temperature, topK, topP } = choices;
  // Top-k and top-p need a temperature. Evaluated when a slider moves, because another one may have moved before.
  const minTemperature = () => (choices.temperature > 0 ? {} : { temperature: 1 });
  const heat = slider(t.temperature, "heat", MAX_TEMPERATURE, Math.round(10 * temperature), (tenths) => ({
    words: tenths ? fixed(tenths / 10, 1) : "0",
    changes: { temperature: tenths / 10 },
  }));
  const best = slider(t.top_k, "top_k", KS.length - 1, nearest(KS, topK || Infinity), (place) => ({
    words: KS[place] ? String(KS[place]) : t.top_all,
    changes: { ...minTemperature(), topK: KS[place] },
  }));
  const mass = slider(t.top_p, "top_p", PS.length - 1, nearest(PS, 100 * topP), (place) => ({
    words: PS[place] < 100 ? fixed(PS[place] / 100) : t.top_all,
    changes: { ...minTemperature(), topP: PS[place] / 100 },
  }));
  const drawAgain = () => change({ ...minTemperature(), seed: (choices.seed % MAX_SEED) + 1 });
  return h(
    "div",
    { class: "site-sampling" },
    [heat, best, mass].map((make) => make({ change, preview })),
    h("button", { class: "site-quiet", "data-name": "draw again", onclick: drawAgain }, t.draw_again),
  );
}

/** The index of the first value that is at least `target`; 0 counts as infinity.
 * @param {number[]} values @param {number} target */
function nearest(values, target) {
  const place = values.findIndex((value) => value >= target || value === 0);
  return place < 0 ? values.length - 1 : place;
}

/** @param {string} title @param {string} name @param {number} max @param {number} value
 * @param {(value: number) => {words: string, changes: Partial<Choices>}} read */
function slider(title, name, max, value, read) {
  return (
    /** @type {{change: (changes: Partial<Choices>) => void, preview: (changes: Partial<Choices>) => void}} */ on,
  ) => {
    const output = h("output", {}, read(value).words);
    const current = () => read(Number(input.value));
    const oninput = () => {
      const { words, changes } = current();
      output.textContent = words;
      on.preview(changes);
    };
    const onchange = () => on.change(current().changes);
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
    return h("label", { class: "site-heat" }, h("span", {}, title), input, output);
  };
}

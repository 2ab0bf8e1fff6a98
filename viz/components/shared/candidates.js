// The most probable next tokens of a step as bars; a click goes on from another one.

import { h } from "./dom.js";
import { bare, fill, isSpecial, percent, spoken } from "./text.js";

/**
 * @typedef {object} Candidate
 * @property {number} id
 * @property {string} piece
 * @property {number} share its probability
 * @property {boolean} isChosen
 * @property {boolean} [isOut] it can no longer be drawn
 */

/** What the bars say and do where a click puts another token in the place of the next one.
 * @param {Record<string, string>} t said, choose, token_start and token_end
 * @param {number[]} before the tokens so far @param {(said: number[]) => void} choose told of them and the other one
 * @returns {Parameters<typeof candidateBars>[1]} */
export const nextTokens = (t, before, choose) => ({
  help: ({ piece, isChosen }) => (isChosen ? t.said : fill(t.choose, { piece: spoken(piece, t) })),
  choose: ({ id, isChosen }) => !isChosen && choose([...before, id]),
  name: (piece) => spoken(piece, t),
});

/**
 * A list item for each candidate.
 * @param {Candidate[]} candidates
 * @param {{help: (candidate: Candidate) => string, choose: (candidate: Candidate) => unknown,
 *   name?: (piece: string) => string}} on words for the pointer, what a click does, and how a piece is named
 */
export function candidateBars(candidates, { help, choose, name = bare }) {
  // "-er" continues a word and "er" begins one, if the vocabulary distinguishes the two.
  const marksWords = candidates.some(({ piece }) => /^[▁Ġ]/.test(piece));
  const shown = (/** @type {string} */ piece) =>
    marksWords && !/^[▁Ġ]/.test(piece) && /^\p{L}/u.test(bare(piece)) ? `-${bare(piece)}` : name(piece);
  return candidates.map((each, rank) => {
    const { id, piece, share, isChosen, isOut = false } = each;
    const ink = h("span", { class: "ink", style: { "--share": share.toFixed(4) } });
    const bar = h(
      "button",
      {
        class: "bar",
        "data-id": id,
        "data-name": `candidate ${rank}`,
        "data-special": isSpecial(piece),
        "data-out": isOut,
        "aria-pressed": String(isChosen),
        title: help(each),
        onclick: () => choose(each),
      },
      h("span", { class: "piece" }, shown(piece)),
      h("span", { class: "track" }, ink),
      h("span", { class: "number" }, isOut ? "–" : share < 0.0005 ? `< ${percent(0.001)}` : percent(share)),
    );
    return h("li", {}, bar);
  });
}

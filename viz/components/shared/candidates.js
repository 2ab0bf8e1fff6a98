// The most probable next tokens of a step as bars; a click continues the translation from another token.

import { h } from "./dom.js";
import { bare, fill, isSpecial, percent, spoken } from "./text.js";

/**
 * @typedef {object} Candidate
 * @property {number} id
 * @property {string} piece
 * @property {number} share its probability
 * @property {boolean} isChosen
 * @property {boolean} [isOut] top-k or top-p excludes it from sampling
 */

/** Labels and click handler of bars where a click replaces the next token.
 * @param {Record<string, string>} t said, choose, token_start and token_end
 * @param {number[]} prefix the token ids so far @param {(ids: number[]) => void} choose called with the prefix and the new id
 * @returns {Parameters<typeof candidateBars>[1]} */
export const nextTokens = (t, prefix, choose) => ({
  help: ({ piece, isChosen }) => (isChosen ? t.said : fill(t.choose, { piece: spoken(piece, t) })),
  choose: ({ id, isChosen }) => !isChosen && choose([...prefix, id]),
  name: (piece) => spoken(piece, t),
});

/**
 * A list item for each candidate.
 * @param {Candidate[]} candidates
 * @param {{help: (candidate: Candidate) => string, choose: (candidate: Candidate) => unknown,
 *   name?: (piece: string) => string}} on the tooltip, the click handler, and the name of a piece
 */
export function candidateBars(candidates, { help, choose, name = bare }) {
  // "-er" continues a word and "er" begins one, if the vocabulary distinguishes the two.
  const marksWords = candidates.some(({ piece }) => /^[▁Ġ]/.test(piece));
  const label = (/** @type {string} */ piece) =>
    marksWords && !/^[▁Ġ]/.test(piece) && /^\p{L}/u.test(bare(piece)) ? `-${bare(piece)}` : name(piece);
  return candidates.map((candidate, rank) => {
    const { id, piece, share, isChosen, isOut = false } = candidate;
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
        title: help(candidate),
        onclick: () => choose(candidate),
      },
      h("span", { class: "piece" }, label(piece)),
      h("span", { class: "track" }, ink),
      h("span", { class: "number" }, isOut ? "–" : share < 0.0005 ? `< ${percent(0.001)}` : percent(share)),
    );
    return h("li", {}, bar);
  });
}

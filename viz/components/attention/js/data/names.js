// Names of tokens in words: strips of a picture by their number, and the start and end tokens.

import { fill } from "../../../shared/text.js";

/** @param {{texts: string[], picture?: Uint8Array | null}} units @param {number} at
 * @param {Record<string, string>} strings */
export const tokenName = ({ texts, picture }, at, strings) =>
  picture ? fill(strings.strip, { text: texts[at] }) : texts[at];

/** Name the start and end tokens.
 * @param {import("../types").View[]} views @param {Record<string, string>} strings */
export function nameMarks(views, { token_start, token_end }) {
  /** @type {Record<string, string | undefined>} */
  const names = { "<s>": token_start, "</s>": token_end };
  for (const { source, fed, predicted } of views)
    for (const axis of [source, fed, predicted])
      if (axis) axis.texts = axis.texts.map((text, at) => (axis.words[at] < 0 && names[text]) || text);
}

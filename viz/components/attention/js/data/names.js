// What a token is called in words: a strip of a picture is called by its number, which alone would read as a letter.

import { fill } from "../../../shared/text.js";

/**
 * @param {{texts: string[], picture?: Uint8Array | null}} units
 * @param {number} at
 * @param {Record<string, string>} strings
 */
export const tokenName = ({ texts, picture }, at, strings) =>
  picture ? fill(strings.strip, { text: texts[at] }) : texts[at];

// The interface's words by language. Python appends them to this code, so that they are fetched once with it instead of
// travelling in every packet; the packet of an exported page brings its own.

/** @type {Record<string, Record<string, string>>} */
export const WORDS = {}; // "en of pictures" has what is said otherwise of a written word

// Sampling of the next token: temperature, top-k (Fan et al. 2018), top-p (Holtzman et al. 2020); as
// model/decoding/sampling.py.

/**
 * @typedef {{temperature?: number, topK?: number, topP?: number}} Sampling a `temperature` of 0 is greedy, `topK` 0 and
 *   `topP` 1 filter nothing
 */

/**
 * Next-token probabilities after temperature, top-k and top-p, the largest first, and their ids. Filtered tokens have
 * probability 0; the rest are not renormalised.
 * @param {Float32Array} logits or log-probabilities
 * @param {Sampling} sampling
 * @param {number} pad a token that is never drawn
 * @returns {{ids: Uint32Array, probabilities: Float64Array}}
 */
export function filteredProbabilities(logits, { temperature = 1, topK = 0, topP = 1 }, pad) {
  const ids = Uint32Array.from(logits.keys()).filter((id) => id !== pad);
  ids.sort((a, b) => logits[b] - logits[a]);
  const limit = temperature === 0 ? 1 : topK || ids.length;
  const top = logits[ids[0]];
  const tempered = Float64Array.from(ids, (id, rank) =>
    rank < limit ? Math.exp((logits[id] - top) / (temperature || 1)) : 0,
  );
  const total = tempered.reduce((sum, weight) => sum + weight, 0);
  let cumulative = 0; // probability of the tokens before
  const probabilities = tempered.map((weight) => {
    const isOut = cumulative >= topP && cumulative > 0;
    cumulative += weight / total;
    return isOut ? 0 : weight / total;
  });
  return { ids, probabilities };
}

/**
 * The token at a place of the cumulative distribution, the most probable token first.
 * @param {Float32Array} logits
 * @param {Sampling} sampling
 * @param {number} place from 0 to 1
 * @param {number} pad
 */
export function sampleToken(logits, sampling, place, pad) {
  const { ids, probabilities } = filteredProbabilities(logits, sampling, pad);
  let remainder = place * probabilities.reduce((sum, probability) => sum + probability, 0);
  const rank = probabilities.findIndex((probability) => (remainder -= probability) < 0);
  return ids[Math.max(rank, 0)];
}

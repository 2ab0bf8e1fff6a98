// Drawing the next token at random: temperature, top-k (Fan et al. 2018), top-p (Holtzman et al. 2020); as
// model/decoding/sampling.py does it.

/**
 * @typedef {{temperature?: number, topK?: number, topP?: number}} Sampling a `temperature` of 0 leaves the most probable
 *   token alone; `topK` best may be drawn, all with 0; and the fewest best whose probabilities reach `topP`, all with 1
 */

/**
 * Next-token probabilities after temperature, top-k and top-p, the largest first, and their ids. Those left out have 0;
 * the rest are not renormalised.
 * @param {Float32Array} logits or log-probabilities
 * @param {Sampling} sampling
 * @param {number} pad a token that is never drawn
 * @returns {{ids: Uint32Array, probabilities: Float64Array}}
 */
export function filteredProbabilities(logits, { temperature = 1, topK = 0, topP = 1 }, pad) {
  const ids = Uint32Array.from(logits.keys()).filter((id) => id !== pad);
  ids.sort((a, b) => logits[b] - logits[a]);
  const nKept = temperature === 0 ? 1 : topK || ids.length;
  const top = logits[ids[0]];
  const tempered = Float64Array.from(ids, (id, rank) =>
    rank < nKept ? Math.exp((logits[id] - top) / (temperature || 1)) : 0,
  );
  const total = tempered.reduce((sum, each) => sum + each, 0);
  let before = 0; // the probability of the better ones
  const probabilities = tempered.map((each) => {
    const isOut = before >= topP && before > 0;
    before += each / total;
    return isOut ? 0 : each / total;
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
export function sampled(logits, sampling, place, pad) {
  const { ids, probabilities } = filteredProbabilities(logits, sampling, pad);
  let rest = place * probabilities.reduce((sum, each) => sum + each, 0);
  for (let rank = 0; rank < ids.length; rank++) {
    rest -= probabilities[rank];
    if (rest < 0) return ids[rank];
  }
  return ids[0];
}

// Translations that only repeat themselves, as model/decoding/loops.py finds them.

/** How often a unit of so many tokens comes in a row before it is a loop. */
const LEAST_TIMES = [6, 5, 4, 4, 4, 4, 3, 3, 3, 3];

/** Whether the tokens end in a loop. @param {number[]} ids */
export function endsInLoop(ids) {
  return LEAST_TIMES.some((least, place) => {
    const period = place + 1;
    const first = ids.length - period * least;
    if (first < 0) return false;
    for (let i = first + period; i < ids.length; i++) if (ids[i] !== ids[i - period]) return false;
    return true;
  });
}

/** The loop that a sequence ends in, by its shortest unit; null where there is none.
 * @param {number[]} ids @returns {{start: number, period: number} | null} */
export function loopIn(ids) {
  for (const [place, least] of LEAST_TIMES.entries()) {
    const period = place + 1;
    let run = 0;
    for (let i = ids.length - 1; i >= period && ids[i] === ids[i - period]; i--) run += 1;
    const times = Math.floor(run / period) + 1;
    if (ids.length > period && times >= least) return { start: ids.length - times * period, period };
  }
  return null;
}

/** Whether some unit comes three times in a row, anywhere: then a translation may do so too. @param {number[]} ids */
export function repeatsItself(ids) {
  return LEAST_TIMES.some((_, place) => {
    const period = place + 1;
    let run = 0;
    for (let i = period; i < ids.length; i++) {
      run = ids[i] === ids[i - period] ? run + 1 : 0;
      if (run >= 2 * period) return true;
    }
    return false;
  });
}

// PyTorch's random numbers and permutations, so that a seed gives the same as in Python.

/** The Mersenne Twister (Matsumoto and Nishimura 1998), 32 bits at a time, as torch.Generator draws them. */
class Twister {
  /** @param {number} seed */
  constructor(seed) {
    this.state = new Uint32Array(624);
    this.state[0] = seed >>> 0;
    for (let i = 1; i < 624; i++) {
      const before = this.state[i - 1] ^ (this.state[i - 1] >>> 30);
      this.state[i] = Math.imul(1812433253, before) + i;
    }
    this.at = 624;
  }

  next() {
    if (this.at === 624) this.#twist();
    let y = this.state[this.at++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  #twist() {
    const s = this.state;
    for (let i = 0; i < 624; i++) {
      const y = (s[i] & 0x80000000) | (s[(i + 1) % 624] & 0x7fffffff);
      s[i] = s[(i + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.at = 0;
  }
}

/** `torch.randperm(n, generator=torch.Generator().manual_seed(seed))` @param {number} n @param {number} seed */
export function permutation(n, seed) {
  const twister = new Twister(seed);
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = 0; i < n - 1; i++) {
    const j = i + (twister.next() % (n - i));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Numbers from 0 to 1, as `torch.rand(1, generator=torch.Generator().manual_seed(seed))` draws one after the other: 24
 * bits each.
 * @param {number} seed */
export function draws(seed) {
  const twister = new Twister(seed);
  return () => (twister.next() % 2 ** 24) / 2 ** 24;
}

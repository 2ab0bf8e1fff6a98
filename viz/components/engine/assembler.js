// Assembles a WebAssembly module with one function from calls that name its instructions.

const I32 = 0x7f;
const V128 = 0x7b;
const VOID = 0x40;

/** Writes a function's instructions. */
export class Assembler {
  /** @param {boolean} isFused whether a product and a sum are one instruction */
  constructor(isFused) {
    /** @type {number[]} */
    this.bytes = [];
    this.isFused = isFused;
  }

  /** @param {number[]} bytes */
  put(...bytes) {
    this.bytes.push(...bytes);
    return this;
  }

  /** @param {number} local */
  get(local) {
    return this.put(0x20, local);
  }

  /** @param {number} local */
  set(local) {
    return this.put(0x21, local);
  }

  /** @param {number} value */
  constant(value) {
    return this.put(0x41, ...signed(value));
  }

  add() {
    return this.put(0x6a);
  }

  /** The sum of two locals. @param {number} a @param {number} b */
  sum(a, b) {
    return this.get(a).get(b).add();
  }

  /** The four floats at the sum of two locals. @param {number} base @param {number} index @param {number} [offset] */
  loadAt(base, index, offset = 0) {
    return this.sum(base, index).load(offset);
  }

  /** The four floats at the address on the stack plus `offset` bytes. @param {number} [offset] */
  load(offset = 0) {
    return this.put(0xfd, 0x00, 4 - 2, offset);
  }

  store() {
    return this.put(0xfd, 0x0b, 4 - 2, 0);
  }

  addFloats() {
    return this.put(0xfd, 0xe4, 0x01);
  }

  /** Add the products of two locals to a third. @param {number} sum @param {number} a @param {number} b */
  addProducts(sum, a, b) {
    if (this.isFused)
      this.get(a).get(b).get(sum).put(0xfd, 0x85, 0x02); // f32x4.relaxed_madd
    else this.get(sum).get(a).get(b).put(0xfd, 0xe6, 0x01).addFloats(); // f32x4.mul
    return this.set(sum);
  }

  /** Four of the eight floats of two vectors. @param {number[]} lanes */
  shuffle(...lanes) {
    return this.put(0xfd, 0x0d, ...lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte)));
  }

  /** Add bytes to a local. @param {number} local @param {() => void} amount */
  advance(local, amount) {
    this.get(local);
    amount();
    return this.add().set(local);
  }

  /** Loop while the first local is less than the second.
   * @param {number} local @param {number} end @param {() => void} body */
  whileLess(local, end, body) {
    this.put(0x02, VOID, 0x03, VOID); // block, loop
    this.get(local).get(end).put(0x48, 0x45, 0x0d, 1); // i32.lt_s, i32.eqz, br_if 1
    body();
    return this.put(0x0c, 0, 0x0b, 0x0b); // br 0, end, end
  }
}

const MAGIC = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]; // "\0asm", version 1

/**
 * A module with the function "multiply", which returns nothing; its memory is the import "memory" of "page".
 * @param {number} nParameters integers
 * @param {[number, number]} locals counts of integers and of vectors
 * @param {number[]} instructions
 */
export function bytesOfModule(nParameters, locals, instructions) {
  const encoded = (/** @type {string} */ name) => [name.length, ...new TextEncoder().encode(name)];
  /** @type {(id: number, content: number[]) => number[]} */
  const section = (id, content) => [id, ...encodeUnsigned(content.length), ...content];
  const body = [2, locals[0], I32, locals[1], V128, ...instructions];
  return new Uint8Array([
    ...MAGIC,
    ...section(1, [1, 0x60, nParameters, ...new Array(nParameters).fill(I32), 0]), // one type: numbers to nothing
    ...section(2, [1, ...encoded("page"), ...encoded("memory"), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...encoded("multiply"), 0x00, 0]),
    ...section(10, [1, ...encodeUnsigned(body.length), ...body]),
  ]);
}

/** @param {number} value LEB128 */
function encodeUnsigned(value) {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

/** @param {number} value LEB128, for small numbers that are not negative */
const signed = (value) => (value < 64 ? [value] : [(value & 127) | 128, value >> 7]);

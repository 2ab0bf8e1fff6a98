// A long text's weights: block means for every head, and a window of exact tokens. For a text that is shown completely,
// the window is the whole text.

import { openPacket } from "../../../shared/packet.js";
import { pictureOfText } from "../../../shared/pad/picture.js";
import { clamp } from "../../../shared/text.js";

/** @import { BlocksEntry, Sketch, AxisEntry, ExactEntry, HeadsEntry, Kind, Packet, Units, View } from "../types" */

export class Blocks {
  /** @type {[number, number]} first row and column of the window */ window = [0, 0];
  /** Count of query blocks. */
  rows = 0;
  /** Count of key blocks. */
  columns = 0;

  /** @param {BlocksEntry} entry
   * @param {Float32Array} maxima of each head
   * @param {Uint8Array} roots square roots scaled to 255, head after head */
  constructor(entry, maxima, roots) {
    this.maxima = maxima;
    this.roots = roots;
    this.block = entry.block;
    /** @type {[rows: number, columns: number]} */
    this.total = [entry.rows, entry.columns];
    [this.rows, this.columns] = entry.blocks;
    this.missing = new Set(entry.missing);
    this.size = this.total.map((n) => Math.min(n, entry.window));
  }

  /** The mean over a block's queries of the sum over its keys; rows of blocks sum to 1.
   * @type {(index: number, row: number, column: number) => number} */
  mean(index, row, column) {
    const root = this.roots[(index * this.rows + row) * this.columns + column];
    return (root * root * this.maxima[index]) / (255 * 255);
  }

  /** Approximate the window's weights: each block's weight is spread evenly over its keys.
   * @type {(index: number, out: Float32Array) => Float32Array} */
  spread(index, out) {
    const [height, width] = this.size;
    for (let i = 0; i < height; i++) {
      const row = Math.floor((this.window[0] + i) / this.block);
      for (let j = 0; j < width; j++) {
        const column = Math.floor((this.window[1] + j) / this.block);
        const keys = Math.min(this.block, this.total[1] - column * this.block);
        out[i * width + j] = this.mean(index, row, column) / keys;
      }
    }
    return out;
  }

  /** A head's blocks as a matrix for its thumbnail. @type {(index: number) => Sketch} */
  matrix(index) {
    const { rows, columns } = this;
    const values = new Float32Array(rows * columns);
    const byRow = new Float32Array(rows);
    for (let row = 0, i = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++, i++) {
        values[i] = this.mean(index, row, column);
        byRow[row] = Math.max(byRow[row], values[i]);
      }
    }
    return { rows, columns, values, peaks: { byRow, all: Math.max(...byRow) }, isSink: Array(columns).fill(false) };
  }

  /** The nearest window inside the text, in integers.
   * @type {(window: [number, number] | null) => [number, number]} */
  nearest(window) {
    const [row, column] = window ?? [0, 0];
    const inside = (/** @type {number} */ at, /** @type {0 | 1} */ side) =>
      clamp(Math.round(at), 0, this.total[side] - this.size[side]);
    return [inside(row, 0), inside(column, 1)];
  }
}

/** All heads of one kind of attention. */
export class Heads {
  /** @type {Map<number | string, Float32Array>} */ exact = new Map();

  /** @type {Float32Array | undefined} */ weights;
  /** Quantized square roots of the weights, and each head's maximum. */
  roots = new Uint8Array();
  maxima = new Float32Array();
  /** @type {Blocks | undefined} for a long text, of which a window is shown */ long;
  /** @type {Blocks | undefined} for a text whose exact heads are sent when they are opened */ sketch;

  /** @param {HeadsEntry} entry @param {ArrayBuffer} buffer @param {number} start */
  constructor(entry, buffer, start) {
    const { layers, heads, rows, columns, causal, reach, block, blocks, window, missing } = entry;
    this.layers = layers;
    this.heads = heads;
    this.rows = rows;
    this.columns = columns;
    this.causal = causal;
    this.reach = reach;
    const count = layers * heads;
    const at = start + entry.offset;
    this.broken = new Set(entry.invalid);
    if (block && blocks && window && missing) {
      const sent = { block, blocks, window, missing, rows, columns };
      this.long = new Blocks(sent, new Float32Array(buffer, at, count), new Uint8Array(buffer, at + 4 * count));
      [this.rows, this.columns] = this.long.size;
    }
    this.size = this.rows * this.columns;
    if (entry.sketch) {
      const whole = { ...entry.sketch, rows: this.rows, columns: this.columns, window: this.size, missing: [] };
      this.sketch = new Blocks(whole, new Float32Array(buffer, at, count), new Uint8Array(buffer, at + 4 * count));
    }
    if (this.long || entry.sketch) return;
    if (entry.encoding === "float32") {
      this.weights = new Float32Array(buffer, at, count * this.size);
    } else {
      this.maxima = new Float32Array(buffer, at, count);
      this.roots = new Uint8Array(buffer, at + 4 * count, count * this.size);
    }
  }

  /** @type {(layer: number, head: number) => number} */
  index(layer, head) {
    return layer * this.heads + head;
  }

  /** @type {(layer: number, head: number) => boolean} */
  has(layer, head) {
    return layer >= 0 && head >= 0 && layer < this.layers && head < this.heads;
  }

  /** Whether a head has weights that are not numbers. @type {(layer: number, head: number) => boolean} */
  isBroken(layer, head) {
    return this.broken.has(this.index(layer, head));
  }

  /** @type {(layer: number, head: number) => boolean} */
  isExact(layer, head) {
    return Boolean(this.weights) || this.exact.has(this.#key(layer, head));
  }

  /** The cache key of exact weights; for a long text it includes the window.
   * @type {(layer: number, head: number, window?: [number, number]) => number | string} */
  #key(layer, head, window = this.long?.window) {
    return this.long ? `${this.index(layer, head)}@${window}` : this.index(layer, head);
  }

  /** Store the float32 weights of one head, which are sent on demand.
   * @type {(layer: number, head: number, weights: Float32Array, window?: [number, number]) => void} */
  refine(layer, head, weights, window) {
    if (!this.has(layer, head) || weights.length !== this.size) return;
    if ((this.long ?? this.sketch) && this.exact.size > 24) this.exact.clear();
    this.exact.set(this.#key(layer, head, window), weights);
  }

  /** One head's weights, row after row; `scratch` is an optional buffer for decoding.
   * @type {(layer: number, head: number, scratch?: Float32Array) => Float32Array} */
  read(layer, head, scratch) {
    const index = this.index(layer, head);
    if (this.weights) return this.weights.subarray(index * this.size, (index + 1) * this.size);
    const exact = this.exact.get(this.#key(layer, head));
    if (exact) return exact;
    const out = scratch ?? new Float32Array(this.size);
    const blocks = this.long ?? this.sketch;
    if (blocks) return blocks.spread(index, out);
    const scale = this.maxima[index] / (255 * 255);
    const start = index * this.size;
    for (let i = 0; i < this.size; i++) {
      const root = this.roots[start + i];
      out[i] = root * root * scale;
    }
    return out;
  }
}

/** Tokens along one side of a map. */
export class Axis {
  /** @type {{pieces?: Units, words?: Units}} */ units = {};
  /** @type {Map<string, Axis>} */ parts = new Map();

  /** @param {AxisEntry} entry */
  constructor({ texts, words, sinks, direction, ideographic, picture = "", strip = 0, first = 0 }) {
    this.texts = texts;
    this.words = words;
    this.sinks = sinks;
    this.direction = direction;
    this.ideographic = ideographic;
    this.length = texts.length;
    /** The picture whose strips the tokens are, and the index of the first strip. */
    this.picture = pictureOfText(picture);
    this.strip = strip;
    this.first = first;
  }

  /** A part of the axis. @type {(first: number, length: number) => Axis} */
  part(first, length) {
    const name = `${first}+${length}`;
    const cached = this.parts.get(name);
    if (cached) return cached;
    if (this.parts.size > 8) this.parts.clear();
    const [texts, sinks] = [this.texts, this.sinks].map((list) => list.slice(first, first + length));
    const part = new Axis({ ...this, texts, sinks, words: this.words.slice(first, first + length), picture: "" });
    Object.assign(part, { picture: this.picture, first: this.first + first });
    this.parts.set(name, part);
    return part;
  }

  /** The axis in pieces or in words: texts, members (pieces of each unit), of (unit of each piece), sinks, special.
   * @type {(unit: "pieces" | "words") => Units} */
  in(unit) {
    return (this.units[unit] ??= this.#group(unit === "words"));
  }

  /** @type {(asWords: boolean) => Units} */
  #group(asWords) {
    /** @type {number[][]} */
    const members = [];
    const of = new Int32Array(this.length);
    for (let i = 0; i < this.length; i++) {
      const continues = asWords && i > 0 && this.words[i] >= 0 && this.words[i] === this.words[i - 1];
      if (continues) members[members.length - 1].push(i);
      else members.push([i]);
      of[i] = members.length - 1;
    }
    return {
      members,
      of,
      length: members.length,
      texts: members.map((pieces) => pieces.map((i) => this.texts[i]).join("")),
      sinks: members.map((pieces) => (pieces.every((i) => this.sinks[i]) ? this.sinks[pieces[0]] : "")),
      special: members.map((pieces) => this.words[pieces[0]] < 0),
      continues: members.map((pieces) => {
        const first = pieces[0];
        return first > 0 && this.words[first] >= 0 && this.words[first] === this.words[first - 1];
      }),
      direction: this.direction,
      ideographic: this.ideographic,
      picture: this.picture,
      strip: this.strip,
      strips: members.map(([i]) => this.first + i),
    };
  }
}

/** The heads of a kind; throws if the view lacks it. @type {(view: View, kind: Kind) => Heads} */
export function headsOfKind(view, kind) {
  const heads = view.kinds.get(kind);
  if (!heads) throw new RangeError(`the view has no ${kind}`);
  return heads;
}

/** Read the bytes that Python packed. @type {(bytes: Uint8Array) => Packet} */
export function unpack(bytes) {
  const { header, buffer, start } = openPacket(bytes);
  const views = header.views?.map((/** @type {ViewEntry} */ view) => unpackView(view, buffer, start));
  return { ...header, views };
}

/**
 * @typedef {Omit<View, "kinds" | "source" | "fed" | "predicted" | "hasTwoMeanings"> &
 *   {axes: AxisEntry[], places: number[], kinds: HeadsEntry[]}} ViewEntry
 * @type {(view: ViewEntry, buffer: ArrayBuffer, start: number) => View}
 */
function unpackView(view, buffer, start) {
  const axes = view.axes.map((entry) => new Axis(entry));
  /** @type {View["kinds"]} */
  const kinds = new Map(view.kinds.map((entry) => [entry.name, new Heads(entry, buffer, start)]));
  const [source, fed, predicted] = view.places.map((place) => axes[place]);
  return { ...view, kinds, source, fed, predicted, hasTwoMeanings: fed !== predicted };
}

/** Store exact weights of some heads, which are sent with a view that has rounded weights.
 * @type {(views: View[], entries: ExactEntry[], buffer: ArrayBuffer, start: number) => void} */
export function refine(views, entries, buffer, start) {
  for (const entry of entries) {
    const heads = views[entry.view]?.kinds.get(entry.kind);
    const weights = new Float32Array(buffer, start + entry.offset, entry.size);
    heads?.refine(entry.layer, entry.head, weights, entry.window);
  }
}

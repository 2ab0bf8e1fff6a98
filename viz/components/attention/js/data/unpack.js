// From bytes to weights. One buffer: a uint32 header length, a JSON header, then arrays aligned to four bytes.
// Large maps arrive as uint8 square roots scaled to each head's maximum: small weights keep their resolution.

import { openPacket } from "../../../shared/packet.js";
import { Blocks } from "./blocks.js";

/** All heads of one kind of attention. */
export class Heads {
  /** @type {number} */ layers;
  /** @type {number} */ heads;
  /** @type {number} */ rows;
  /** @type {number} */ columns;
  /** @type {boolean} */ causal;
  /** @type {(number | null)[] | undefined} */ reach;
  /** @type {Float32Array | undefined} */ weights;
  /** @type {Blocks | undefined} of a text of which a window is shown */ long;
  /** @type {Blocks | undefined} of a text shown whole, whose heads are sent when they are opened */ sketch;

  constructor(entry, buffer, start) {
    Object.assign(this, entry); // name, layers, heads, rows, columns, causal, encoding, invalid
    const count = this.layers * this.heads;
    const at = start + entry.offset;
    this.exact = new Map();
    this.broken = new Set(entry.invalid);
    if (entry.block) {
      this.long = new Blocks(entry, new Float32Array(buffer, at, count), new Uint8Array(buffer, at + 4 * count));
      [this.rows, this.columns] = this.long.size;
    }
    this.size = this.rows * this.columns;
    if (entry.sketch) {
      const whole = { ...entry.sketch, rows: this.rows, columns: this.columns, window: this.size, missing: [] };
      this.sketch = new Blocks(whole, new Float32Array(buffer, at, count), new Uint8Array(buffer, at + 4 * count));
    }
    if (entry.block || entry.sketch) return;
    if (entry.encoding === "float32") {
      this.weights = new Float32Array(buffer, at, count * this.size);
    } else {
      this.maxima = new Float32Array(buffer, at, count);
      this.roots = new Uint8Array(buffer, at + 4 * count, count * this.size);
    }
  }

  index(layer, head) {
    return layer * this.heads + head;
  }

  has(layer, head) {
    return layer >= 0 && head >= 0 && layer < this.layers && head < this.heads;
  }

  /** Whether the weights of a head are numbers at all. */
  isBroken(layer, head) {
    return this.broken.has(this.index(layer, head));
  }

  isExact(layer, head) {
    return Boolean(this.weights) || this.exact.has(this.#place(layer, head));
  }

  /** Under which name exact weights are kept: those of a long text are of one window. */
  #place(layer, head, window = this.long?.window) {
    return this.long ? `${this.index(layer, head)}@${window}` : this.index(layer, head);
  }

  /** Keep the float32 weights of one head, sent on demand. */
  refine(layer, head, weights, window) {
    if (!this.has(layer, head) || weights.length !== this.size) return;
    if ((this.long ?? this.sketch) && this.exact.size > 24) this.exact.clear();
    this.exact.set(this.#place(layer, head, window), weights);
  }

  /** One head's weights, row after row; `scratch` is reused for decoding when given. */
  read(layer, head, scratch) {
    const index = this.index(layer, head);
    if (this.weights) return this.weights.subarray(index * this.size, (index + 1) * this.size);
    const known = this.exact.get(this.#place(layer, head));
    if (known) return known;
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
  /** @type {string[]} */ texts;
  /** @type {number[]} */ words;
  /** @type {string[]} */ sinks;
  /** @type {string} */ direction;
  /** @type {boolean} */ ideographic;

  constructor(entry) {
    Object.assign(this, entry); // texts, words, sinks, direction, ideographic
    this.length = entry.texts.length;
    this.units = {};
    this.parts = new Map();
  }

  /** Some of its tokens, as an axis of its own. */
  part(first, length) {
    const name = `${first}+${length}`;
    if (!this.parts.has(name)) {
      if (this.parts.size > 8) this.parts.clear();
      const cut = (list) => list.slice(first, first + length);
      const { texts, words, sinks } = this;
      this.parts.set(name, new Axis({ ...this, texts: cut(texts), words: cut(words), sinks: cut(sinks) }));
    }
    return this.parts.get(name);
  }

  /** The axis in pieces or in words: texts, members (pieces of each unit), of (unit of each piece), sinks, special. */
  in(unit) {
    return (this.units[unit] ??= this.#group(unit === "words"));
  }

  #group(asWords) {
    const members = [];
    const of = new Int32Array(this.length);
    for (let i = 0; i < this.length; i++) {
      const continues = asWords && i > 0 && this.words[i] >= 0 && this.words[i] === this.words[i - 1];
      if (continues) members.at(-1).push(i);
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
    };
  }
}

/** Read the bytes that Python packed. */
export function unpack(bytes) {
  const { header, buffer, start } = openPacket(bytes);
  const views = header.views?.map((view) => unpackView(view, buffer, start));
  return { ...header, views };
}

function unpackView(view, buffer, start) {
  const axes = view.axes.map((entry) => new Axis(entry));
  const kinds = new Map(view.kinds.map((entry) => [entry.name, new Heads(entry, buffer, start)]));
  const [source, fed, predicted] = view.places.map((place) => axes[place]);
  return { ...view, kinds, source, fed, predicted, hasTwoMeanings: fed !== predicted };
}

/** Store the exact weights of some heads, which are sent beside a view with rounded weights. */
export function refine(views, entries, buffer, start) {
  for (const entry of entries) {
    const heads = views[entry.view]?.kinds.get(entry.kind);
    const weights = new Float32Array(buffer, start + entry.offset, entry.size);
    heads?.refine(entry.layer, entry.head, weights, entry.window);
  }
}

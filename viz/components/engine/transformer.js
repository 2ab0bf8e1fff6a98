// A Transformer of the shipped kinds, all with norms before the sublayers and one embedding for what goes in and out: the
// encoder-decoder of the paper, the same with a picture in strips as its source, and a decoder-only model as Llama is one (rotary
// positions, RMS norms, gated feed-forward networks, keys and values that heads share).

import { allowedKeys, offMode, reweigh, sourceRows } from "./edits.js";
import { add, gate, gelu, layerNorm, linear, longer, relu, rmsNorm, rotate, sinusoid, softmax } from "./maths.js";

/** @import { Interventions, Kind } from "./edits.js" */
/** @import { Linear, Norm } from "./maths.js" */

/**
 * @typedef {{norm: Norm, query: Linear, key: Linear, value: Linear, output: Linear}} Attention
 * @typedef {{attentions: Attention[], norm: Norm, fc1: Linear, fc2: Linear, gate: Linear | null}} Layer a decoder's has
 *   self-attention and cross-attention
 * @typedef {(name: string, values: Float32Array) => void} Tap is handed activations by the names of
 *   docs/activations.md, without the batch: queries, keys, values and mixed as (positions, D), all heads side by side,
 *   scores and weights as (H, queries, keys), a feed-forward network's hidden units as (positions, F), its output and the
 *   residual stream as (positions, D). In the decoder it is called at each
 *   step with that step's position; keys and values of its self-attention are then those of all positions so far. The
 *   array is the engine's own: copy what is kept.
 * @typedef {{d_model: number, d_feed_forward: number, n_encoder_layers: number, n_decoder_layers: number,
 *   n_encoder_heads: number, n_decoder_heads: number, norm_epsilon: number, embedding_scale: number,
 *   target_vocab_size: number, target_pad_id: number, bos_id: number, eos_id: number, position_offset: number,
 *   normalisation?: "plain" | null, alone?: {n_key_heads: number, rotary_base: number}, activation?: "relu" | "gelu",
 *   picture?: {width: number, height: number, strip: number, right: number | null}}} Config `alone` is what a decoder-only model has besides, and
 *   `picture` the pixels of a source that is one
 * @typedef {number[] | Float32Array[]} Source ids, or the strips of a picture: rows of pixels from 0 to 1
 * @typedef {{length: number, attention: Float32Array, cross: {keys: Float32Array, values: Float32Array}[]}} Encoded the
 *   encoder's weights (L, H, S, S), and the keys and values that every decoding step reads
 */

export class Transformer {
  /** @param {Config} config @param {Map<string, Float32Array>} tensors
   * @param {(x: Float32Array, layer: Linear, n: number) => Float32Array} [multiply] in place of the plain `linear` */
  constructor(config, tensors, multiply = linear) {
    this.config = config;
    this.tensors = tensors;
    this.multiply = multiply;
    const { alone } = config;
    /** @type {(x: Float32Array, norm: Norm) => Float32Array} */
    this.normalised = alone ? rmsNorm : layerNorm;
    this.embedding = this.#get(`${alone || config.picture ? "decoder" : "encoder"}.embedding.weight`);
    this.projection = config.picture ? this.#projection(config.picture) : null;
    this.encoder = this.#layers("encoder", config.n_encoder_layers, ["self_attention"]);
    const attentions = alone ? ["self_attention"] : ["self_attention", "cross_attention"];
    this.decoder = this.#layers("decoder", config.n_decoder_layers, attentions);
    this.encoderNorm = alone ? null : this.#norm("encoder.final_norm");
    this.decoderNorm = this.#norm("decoder.final_norm");
  }

  /** Numbers of a token's keys: heads may share them. */
  get #keyWidth() {
    const { d_model: width, n_decoder_heads: heads, alone } = this.config;
    return alone ? (width / heads) * alone.n_key_heads : width;
  }

  /** @param {string} stack @param {number} count @param {string[]} attentions @returns {Layer[]} */
  #layers(stack, count, attentions) {
    const { d_model: width, d_feed_forward: inside, alone } = this.config;
    const keys = this.#keyWidth;
    return Array.from({ length: count }, (_, layer) => {
      const at = `${stack}.layers.${layer}`;
      const parts = attentions.map((name) => ({
        norm: this.#norm(`${at}.${name}_norm`),
        query: this.#linear(`${at}.${name}.query`, width, width),
        key: this.#linear(`${at}.${name}.key`, keys, width),
        value: this.#linear(`${at}.${name}.value`, keys, width),
        output: this.#linear(`${at}.${name}.output`, width, width),
      }));
      return {
        attentions: parts,
        norm: this.#norm(`${at}.feed_forward_norm`),
        fc1: this.#linear(`${at}.feed_forward.fc1`, inside, width),
        fc2: this.#linear(`${at}.feed_forward.fc2`, width, inside),
        gate: alone ? this.#linear(`${at}.feed_forward.gate`, inside, width) : null,
      };
    });
  }

  /** @param {string} name @param {number} outer @param {number} inner */
  #linear(name, outer, inner) {
    return { weight: this.#get(`${name}.weight`), bias: this.#bias(name), outer, inner };
  }

  /** @param {string} name */
  #norm(name) {
    return { weight: this.#get(`${name}.weight`), bias: this.#bias(name), epsilon: this.config.norm_epsilon };
  }

  /** Added after a product or a norm; a decoder-only model adds nothing. @param {string} name */
  #bias(name) {
    return this.config.alone ? null : this.#get(`${name}.bias`);
  }

  /** @param {string} name */
  #get(name) {
    const found = this.tensors.get(name);
    if (!found) throw new Error(`the weights lack ${name}`);
    return found;
  }

  /** What turns the pixels of a strip into a vector. @param {{height: number, strip: number}} picture */
  #projection({ height, strip }) {
    return this.#linear("encoder.embedding", this.config.d_model, height * strip);
  }

  /** @param {Source} source
   * @param {number[] | null} rows as `#embed` has them */
  #read(source, rows) {
    const { projection } = this;
    if (!projection) return this.#embed(/** @type {number[]} */ (source), rows);
    const { inner, outer } = projection;
    const pixels = new Float32Array(source.length * inner);
    source.forEach((strip, place) => pixels.set(/** @type {Float32Array} */ (strip), place * inner));
    const x = this.multiply(pixels, projection, source.length);
    rows?.forEach((row, place) => add(x.subarray(place * outer, (place + 1) * outer), sinusoid(row, outer)));
    return x;
  }

  /** @param {number[]} ids
   * @param {number[] | null} rows table rows that the positions read; null where they are removed */
  #embed(ids, rows) {
    const { d_model: width, embedding_scale: scale } = this.config;
    const x = new Float32Array(ids.length * width);
    ids.forEach((id, place) => {
      const position = rows && sinusoid(rows[place], width);
      for (let i = 0; i < width; i++)
        x[place * width + i] = this.embedding[id * width + i] * scale + (position ? position[i] : 0);
    });
    return x;
  }

  /** Run the encoder; without one nothing is read.
   * @param {Source} source @param {Interventions} [edits] @param {Tap} [tap] @returns {Encoded} */
  encode(source, edits = {}, tap = undefined) {
    const { encoderNorm } = this;
    if (!encoderNorm) return { length: 0, attention: new Float32Array(0), cross: [] };
    const n = source.length;
    const { n_encoder_heads: heads } = this.config;
    const x = this.#read(source, sourceRows(n, this.config.position_offset, edits.source_positions));
    const maps = new Float32Array(this.encoder.length * heads * n * n);
    this.encoder.forEach((layer, index) => {
      const [attention] = layer.attentions;
      const at = `encoder.${index}`;
      tap?.(`${at}.residual.before`, x);
      const y = this.normalised(x, attention.norm);
      const keys = this.multiply(y, attention.key, n);
      const values = this.multiply(y, attention.value, n);
      const into = maps.subarray(index * heads * n * n, (index + 1) * heads * n * n);
      const mask = { kind: /** @type {Kind} */ ("encoder_self"), layer: index, first: 0, edits, tap, at: `${at}.self` };
      add(x, this.#attend(attention, y, n, keys, values, n, heads, into, mask));
      tap?.(`${at}.residual.middle`, x);
      this.#feedForward(x, layer, n, { tap, at });
      tap?.(`${at}.residual.after`, x);
    });
    const memory = this.normalised(x, encoderNorm);
    tap?.("encoder.final_norm", memory);
    const cross = this.decoder.map(({ attentions: [, attention] }) => ({
      keys: this.multiply(memory, attention.key, n),
      values: this.multiply(memory, attention.value, n),
    }));
    return { length: n, attention: maps, cross };
  }

  /** An empty memory of what was said, for `step`. */
  begin() {
    return { length: 0, layers: this.decoder.map(() => ({ keys: new Float32Array(0), values: new Float32Array(0) })) };
  }

  /**
   * One decoding step: the logits (V), and the new token's rows (L, H, t + 1) and (L, H, S).
   * @param {number} id
   * @param {Encoded} encoded a decoder-only model's is empty
   * @param {{length: number, layers: {keys: Float32Array, values: Float32Array}[]}} past changed in place
   * @param {Interventions} [edits]
   * @param {Tap} [tap]
   */
  step(id, encoded, past, edits = {}, tap = undefined) {
    const { n_decoder_heads: heads, target_vocab_size: outer, d_model: inner } = this.config;
    const known = past.length + 1;
    const own = new Float32Array(this.decoder.length * heads * known);
    const cross = new Float32Array(this.decoder.length * heads * encoded.length);
    const row = this.config.alone ? null : [past.length + this.config.position_offset];
    const x = this.#embed([id], row);
    this.decoder.forEach((layer, index) => {
      const [self] = layer.attentions;
      const at = `decoder.${index}`;
      tap?.(`${at}.residual.before`, x);
      const y = this.normalised(x, self.norm);
      const kept = past.layers[index];
      kept.keys = longer(kept.keys, this.#turned(this.multiply(y, self.key, 1), past.length), past.length);
      kept.values = longer(kept.values, this.multiply(y, self.value, 1), past.length);
      const about = { layer: index, first: past.length, edits, tap };
      const ownRows = own.subarray(index * heads * known, (index + 1) * heads * known);
      const ownMask = { ...about, kind: /** @type {Kind} */ ("decoder_self"), at: `${at}.self` };
      add(x, this.#attend(self, y, 1, kept.keys, kept.values, known, heads, ownRows, ownMask));
      tap?.(`${at}.residual.middle`, x);
      if (!this.config.alone) {
        const rows = cross.subarray(index * heads * encoded.length, (index + 1) * heads * encoded.length);
        this.#cross(x, layer, encoded.cross[index], encoded.length, rows, { ...about, at });
      }
      this.#feedForward(x, layer, 1, { tap, at });
      tap?.(`${at}.residual.after`, x);
    });
    past.length = known;
    const hidden = this.normalised(x, this.decoderNorm);
    const logits = this.multiply(hidden, { weight: this.embedding, bias: null, outer, inner }, 1);
    return { logits, own, cross };
  }

  /**
   * One token's cross-attention.
   * @param {Float32Array} x changed in place
   * @param {Layer} layer
   * @param {{keys: Float32Array, values: Float32Array}} memory
   * @param {number} length of the source
   * @param {Float32Array} rows filled with the weights (H, S)
   * @param {{layer: number, first: number, edits: Interventions, tap: Tap | undefined, at: string}} about
   */
  #cross(x, { attentions: [, other] }, { keys, values }, length, rows, about) {
    const y = this.normalised(x, other.norm);
    const mask = { ...about, kind: /** @type {Kind} */ ("cross"), at: `${about.at}.cross` };
    add(x, this.#attend(other, y, 1, keys, values, length, this.config.n_decoder_heads, rows, mask));
    about.tap?.(`${about.at}.residual.after_cross`, x);
  }

  /**
   * @param {Float32Array} x changed in place
   * @param {Layer} layer
   * @param {number} n
   * @param {{tap: Tap | undefined, at: string}} about */
  #feedForward(x, layer, n, { tap, at }) {
    const y = this.normalised(x, layer.norm);
    const hidden = this.multiply(y, layer.fc1, n);
    if (layer.gate) gate(hidden, this.multiply(y, layer.gate, n));
    else if (this.config.activation === "gelu") gelu(hidden);
    else relu(hidden);
    tap?.(`${at}.feed_forward.hidden`, hidden);
    const added = this.multiply(hidden, layer.fc2, n);
    tap?.(`${at}.feed_forward.output`, added);
    add(x, added);
  }

  /** Queries or keys of one position, turned as a decoder-only model's are.
   * @param {Float32Array} rows of all heads, changed in place
   * @param {number} position */
  #turned(rows, position) {
    const { alone, d_model: width, n_decoder_heads: heads } = this.config;
    if (alone) rotate(rows, position, width / heads, alone.rotary_base);
    return rows;
  }

  /**
   * Attention of n queries over m keys; the weights go into `maps` (heads, n, m).
   * @param {Attention} attention
   * @param {Float32Array} y (n, D)
   * @param {number} n
   * @param {Float32Array} keys (m, D), or less than D where heads share them
   * @param {Float32Array} values (m, D), the same
   * @param {number} m
   * @param {number} heads
   * @param {Float32Array} maps
   * @param {{kind: Kind, layer: number, first: number, edits: Interventions, tap: Tap | undefined, at: string}} about
   */
  #attend(attention, y, n, keys, values, m, heads, maps, about) {
    const width = this.config.d_model;
    const size = width / heads;
    const keyWidth = about.kind === "encoder_self" ? width : this.#keyWidth;
    const shared = width / keyWidth; // heads that have the same keys and values
    const queries = this.#turned(this.multiply(y, attention.query, n), about.first);
    const mixed = new Float32Array(n * width);
    const scale = 1 / Math.sqrt(size);
    const { tap, at } = about;
    const scores = tap && new Float32Array(heads * n * m);
    for (let head = 0; head < heads; head++) {
      const isSilent = offMode(about, head) === "zero";
      for (let query = 0; query < n; query++) {
        const row = (head * n + query) * m;
        const from = query * width + head * size;
        const allowed = allowedKeys(about, head, query + about.first, m);
        for (let key = 0; key < m; key++) {
          const to = key * keyWidth + Math.floor(head / shared) * size;
          let sum = 0;
          for (let i = 0; i < size; i++) sum += queries[from + i] * keys[to + i];
          maps[row + key] = sum * scale;
        }
        scores?.set(maps.subarray(row, row + m), row);
        softmax(maps, row, m, allowed);
        reweigh(maps, row, m, allowed, about, head, query + about.first);
        if (isSilent) continue;
        for (let key = 0; key < m; key++) {
          const weight = maps[row + key];
          if (weight === 0) continue;
          const to = key * keyWidth + Math.floor(head / shared) * size;
          for (let i = 0; i < size; i++) mixed[from + i] += weight * values[to + i];
        }
      }
    }
    if (tap && scores) {
      const [key, value] = [keys, values].map((rows) => rows.subarray(0, m * keyWidth));
      const parts = { query: queries, key, value, scores, weights: maps, mixed };
      for (const [name, values] of Object.entries(parts)) tap(`${at}.${name}`, values);
    }
    return this.multiply(mixed, attention.output, n);
  }
}

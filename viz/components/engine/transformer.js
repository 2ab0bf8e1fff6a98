// The shipped kinds of Transformer, all with pre-norm and tied embeddings: the encoder-decoder of the paper, the same with
// the strips of a picture as its source, and a decoder-only model as Llama (rotary positions, RMS norms, gated feed-forward
// networks, grouped keys and values).

import { allowedKeys, offMode, reweigh, sourceRows } from "./edits.js";
import { add, appendRow, gate, gelu, layerNorm, linear, relu, rmsNorm, rotate, sinusoid, softmax } from "./maths.js";

/** @import { Interventions, Kind } from "./edits.js" */
/** @import { Linear, Norm } from "./maths.js" */

/**
 * @typedef {{norm: Norm, query: Linear, key: Linear, value: Linear, output: Linear}} Attention
 * @typedef {{attentions: Attention[], norm: Norm, fc1: Linear, fc2: Linear, gate: Linear | null}} Layer a decoder's has
 *   self-attention and cross-attention
 * @typedef {{keys: Float32Array, values: Float32Array}} Memory
 * @typedef {(name: string, values: Float32Array) => void} Tap receives activations by the names of docs/activations.md,
 *   without the batch: queries, keys, values and mixed as (positions, D), all heads side by side, scores and weights as
 *   (H, queries, keys), a feed-forward network's hidden units as (positions, F), its output and the residual stream as
 *   (positions, D). The decoder calls it at each step with that step's position; keys and values of its self-attention are
 *   those of all positions so far. The engine reuses the array: copy it to keep it
 * @typedef {{d_model: number, d_feed_forward: number, n_encoder_layers: number, n_decoder_layers: number,
 *   n_encoder_heads: number, n_decoder_heads: number, norm_epsilon: number, embedding_scale: number,
 *   target_vocab_size: number, target_pad_id: number, bos_id: number, eos_id: number, position_offset: number,
 *   normalisation?: "plain" | null, alone?: {n_key_heads: number, rotary_base: number}, activation?: "relu" | "gelu",
 *   picture?: {width: number, height: number, strip: number, right: number | null}}} Config
 *   `alone` is for a decoder-only model, `picture` for one whose source is a picture
 * @typedef {number[] | Float32Array[]} Source ids, or the strips of a picture: rows of pixels from 0 to 1
 * @typedef {{length: number, attention: Float32Array, cross: Memory[]}} Encoded the encoder's
 *   weights (L, H, S, S), and the keys and values that every decoding step reads
 */

export class Transformer {
  /** @param {Config} config @param {Map<string, Float32Array>} tensors
   * @param {(x: Float32Array, layer: Linear, n: number) => Float32Array} [multiply] instead of `linear` */
  constructor(config, tensors, multiply = linear) {
    this.config = config;
    this.tensors = tensors;
    this.multiply = multiply;
    const { alone } = config;
    /** @type {(x: Float32Array, norm: Norm) => Float32Array} */
    this.normalise = alone ? rmsNorm : layerNorm;
    this.embedding = this.#get(`${alone || config.picture ? "decoder" : "encoder"}.embedding.weight`);
    this.projection = config.picture
      ? this.#linear("encoder.embedding", config.d_model, config.picture.height * config.picture.strip)
      : null;
    this.encoder = this.#layers("encoder", config.n_encoder_layers, ["self_attention"]);
    const attentions = alone ? ["self_attention"] : ["self_attention", "cross_attention"];
    this.decoder = this.#layers("decoder", config.n_decoder_layers, attentions);
    this.encoderNorm = alone ? null : this.#norm("encoder.final_norm");
    this.decoderNorm = this.#norm("decoder.final_norm");
  }

  /** Numbers of a token's keys, which heads may share. */
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

  /** A decoder-only model has no biases. @param {string} name */
  #bias(name) {
    return this.config.alone ? null : this.#get(`${name}.bias`);
  }

  /** @param {string} name */
  #get(name) {
    const tensor = this.tensors.get(name);
    if (!tensor) throw new Error(`the weights lack ${name}`);
    return tensor;
  }

  /** @param {Source} source
   * @param {number[] | null} rows as `#embed` takes them */
  #embedSource(source, rows) {
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
   * @param {number[] | null} rows of the table of positions; null without positions */
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

  /** Run the encoder; a decoder-only model has none.
   * @param {Source} source @param {Interventions} [edits] @param {Tap} [tap] @returns {Encoded} */
  encode(source, edits = {}, tap = undefined) {
    const { encoderNorm } = this;
    if (!encoderNorm) return { length: 0, attention: new Float32Array(0), cross: [] };
    const n = source.length;
    const size = this.config.n_encoder_heads * n * n;
    const x = this.#embedSource(source, sourceRows(n, this.config.position_offset, edits.source_positions));
    const maps = new Float32Array(this.encoder.length * size);
    this.encoder.forEach((layer, index) => {
      const at = `encoder.${index}`;
      tap?.(`${at}.residual.before`, x);
      const [attention] = layer.attentions;
      const y = this.normalise(x, attention.norm);
      const memory = { keys: this.multiply(y, attention.key, n), values: this.multiply(y, attention.value, n) };
      const weights = maps.subarray(index * size, (index + 1) * size);
      const context = { kind: /** @type {Kind} */ ("encoder_self"), layer: index, first: 0, edits, tap };
      add(x, this.#attend(attention, y, memory, n, weights, context));
      tap?.(`${at}.residual.middle`, x);
      this.#feedForward(x, layer, at, tap);
      tap?.(`${at}.residual.after`, x);
    });
    const output = this.normalise(x, encoderNorm);
    tap?.("encoder.final_norm", output);
    const cross = this.decoder.map(({ attentions: [, attention] }) => ({
      keys: this.multiply(output, attention.key, n),
      values: this.multiply(output, attention.value, n),
    }));
    return { length: n, attention: maps, cross };
  }

  /** An empty cache of keys and values, for `step`. */
  newCache() {
    return { length: 0, layers: this.decoder.map(() => ({ keys: new Float32Array(0), values: new Float32Array(0) })) };
  }

  /**
   * One decoding step: the logits (V), and the rows of self-attention (L, H, t + 1) and cross-attention (L, H, S).
   * @param {number} id
   * @param {Encoded} encoded empty for a decoder-only model
   * @param {{length: number, layers: Memory[]}} cache changed in place
   * @param {Interventions} [edits]
   * @param {Tap} [tap]
   */
  step(id, encoded, cache, edits = {}, tap = undefined) {
    const { n_decoder_heads: heads, target_vocab_size: outer, d_model: inner, alone, position_offset } = this.config;
    const { length: first } = cache;
    const [selfSize, crossSize] = [heads * (first + 1), heads * encoded.length];
    const self = new Float32Array(this.decoder.length * selfSize);
    const cross = new Float32Array(this.decoder.length * crossSize);
    const x = this.#embed([id], alone ? null : [first + position_offset]);
    this.decoder.forEach((layer, index) => {
      const at = `decoder.${index}`;
      tap?.(`${at}.residual.before`, x);
      const [selfAttention, crossAttention] = layer.attentions;
      const context = { kind: /** @type {Kind} */ ("decoder_self"), layer: index, first, edits, tap };
      const y = this.normalise(x, selfAttention.norm);
      const memory = cache.layers[index];
      memory.keys = appendRow(memory.keys, this.#rotated(this.multiply(y, selfAttention.key, 1), first), first);
      memory.values = appendRow(memory.values, this.multiply(y, selfAttention.value, 1), first);
      const weights = self.subarray(index * selfSize, (index + 1) * selfSize);
      add(x, this.#attend(selfAttention, y, memory, first + 1, weights, context));
      tap?.(`${at}.residual.middle`, x);
      if (crossAttention) {
        const query = this.normalise(x, crossAttention.norm);
        const weights = cross.subarray(index * crossSize, (index + 1) * crossSize);
        const crossContext = { ...context, kind: /** @type {Kind} */ ("cross") };
        add(x, this.#attend(crossAttention, query, encoded.cross[index], encoded.length, weights, crossContext));
        tap?.(`${at}.residual.after_cross`, x);
      }
      this.#feedForward(x, layer, at, tap);
      tap?.(`${at}.residual.after`, x);
    });
    cache.length = first + 1;
    const hidden = this.normalise(x, this.decoderNorm);
    const logits = this.multiply(hidden, { weight: this.embedding, bias: null, outer, inner }, 1);
    return { logits, self, cross };
  }

  /** @param {Float32Array} x (n, D), changed in place
   * @param {Layer} layer @param {string} at the layer's name for the tap @param {Tap | undefined} tap */
  #feedForward(x, layer, at, tap) {
    const n = x.length / this.config.d_model;
    const y = this.normalise(x, layer.norm);
    const hidden = this.multiply(y, layer.fc1, n);
    if (layer.gate) gate(hidden, this.multiply(y, layer.gate, n));
    else if (this.config.activation === "gelu") gelu(hidden);
    else relu(hidden);
    tap?.(`${at}.feed_forward.hidden`, hidden);
    const output = this.multiply(hidden, layer.fc2, n);
    tap?.(`${at}.feed_forward.output`, output);
    add(x, output);
  }

  /** Queries or keys of one position, with rotary positions in a decoder-only model.
   * @param {Float32Array} rows of all heads, changed in place
   * @param {number} position */
  #rotated(rows, position) {
    const { alone, d_model: width, n_decoder_heads: heads } = this.config;
    if (alone) rotate(rows, position, width / heads, alone.rotary_base);
    return rows;
  }

  /**
   * Attention of n queries over m keys; returns (n, D).
   * @param {Attention} attention
   * @param {Float32Array} y (n, D)
   * @param {Memory} memory (m, D), or narrower where heads share keys and values
   * @param {number} m
   * @param {Float32Array} maps filled with the weights (H, n, m)
   * @param {{kind: Kind, layer: number, first: number, edits: Interventions, tap: Tap | undefined}} context `first` is
   *   the position of the first query
   */
  #attend(attention, y, { keys, values }, m, maps, context) {
    const { kind, layer, first, tap } = context;
    const { d_model: width, n_encoder_heads, n_decoder_heads } = this.config;
    const heads = kind === "encoder_self" ? n_encoder_heads : n_decoder_heads;
    const n = y.length / width;
    const size = width / heads;
    const keyWidth = kind === "encoder_self" ? width : this.#keyWidth;
    const shared = width / keyWidth; // heads that have the same keys and values
    const queries = this.#rotated(this.multiply(y, attention.query, n), first);
    const mixed = new Float32Array(n * width);
    const scale = 1 / Math.sqrt(size);
    const scores = tap && new Float32Array(heads * n * m);
    for (let head = 0; head < heads; head++) {
      const isOff = offMode(context, head) === "zero";
      for (let query = 0; query < n; query++) {
        const row = (head * n + query) * m;
        const from = query * width + head * size;
        const allowed = allowedKeys(context, head, query + first, m);
        for (let key = 0; key < m; key++) {
          const to = key * keyWidth + Math.floor(head / shared) * size;
          let sum = 0;
          for (let i = 0; i < size; i++) sum += queries[from + i] * keys[to + i];
          maps[row + key] = sum * scale;
        }
        scores?.set(maps.subarray(row, row + m), row);
        softmax(maps, row, m, allowed);
        reweigh(maps, row, m, allowed, context, head, query + first);
        if (isOff) continue;
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
      const at = activationsOf(kind, layer);
      for (const [name, values] of Object.entries(parts)) tap(`${at}.${name}`, values);
    }
    return this.multiply(mixed, attention.output, n);
  }
}

/** What the tap calls an attention layer. @param {Kind} kind @param {number} layer */
export const activationsOf = (kind, layer) =>
  `${kind === "encoder_self" ? "encoder" : "decoder"}.${layer}.${kind === "cross" ? "cross" : "self"}`;

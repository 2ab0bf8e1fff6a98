// What the worker sends, and what is known of a model.

import type { Kind } from "../engine/edits.js";

export interface Config {
  d_model: number;
  d_feed_forward: number;
  n_encoder_layers: number;
  n_encoder_heads: number;
  n_decoder_layers: number;
  n_decoder_heads: number;
  target_vocab_size: number;
  target_pad_id: number;
  /** Whether it is a decoder-only model. */
  alone: boolean;
}

/** What is known of an open model. */
export interface About {
  name: string;
  config: Config;
  languages: { source: string; target: string | null };
  nParameters: number;
}

/** Token ids, their pieces, and the word of each piece; −1 for the tokenizer's own. */
export interface Side {
  ids: number[];
  pieces: string[];
  words: number[];
}

export interface Doubt {
  isDoubtful: boolean;
  /** What a translation repeats again and again, or nothing. */
  loop: string;
}

/** A translation with its attention, as the worker computes it. */
export interface Trace {
  id: number;
  text: string;
  translation: string;
  edits: Record<string, any>;
  main: "cross" | "decoder_self";
  read: number[];
  /** Row of the attention's map that the first target token is; 0 for a translation. */
  first: number;
  source: Side;
  fed: Side;
  target: Side;
  predicted: Side;
  isCut: boolean;
  logProbs: number[];
  candidates: { id: number; piece: string; logProb: number }[][];
  unknown: string[];
  maps: Record<Kind, Float32Array<ArrayBuffer>>;
  milliseconds: number;
  /** Given by the desk. */
  about: About;
  doubt?: Doubt;
  /** Of each kind, which heads change the translation. */
  matters?: Record<string, any>;
  /** The head whose cross-attention is clearest. */
  clearest?: [number, number];
}

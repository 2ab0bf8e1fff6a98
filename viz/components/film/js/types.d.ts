// The packet of viz/components/film/pack.py.

export type Head = [layer: number, head: number];

/** What the model did at one step of its training: T queries, S keys. */
export interface Frame {
  step: number;
  /** Its translation of the sentence. */
  text: string;
  queries: string[];
  keys: string[];
  /** Of each query and each key, its place in the first frame, or -1. */
  then: [queries: number[], keys: number[]];
  /** (L, H), in bits. */
  entropy: number[][];
  /** Where its weights (L, H, T, S) start. */
  offset: number;
}

export interface Packet {
  kind: string;
  layers: number;
  heads: number;
  frames: Frame[];
  /** What the first layer and head are called, 0 or 1. */
  first: number;
  /** The step at which the run will end. */
  last: number;
  /** Whether more frames will come. */
  alive: boolean;
  start: Head;
  hue: string;
  less: string;
  more: string;
  panel: string;
  words: Record<string, string>;
  language: string;
  /** Weights of all frames, 255 for 1. */
  bytes: Uint8Array;
}

/** What is drawn of one step. */
export interface Scene {
  film: Packet;
  frame: Frame;
  chosen: Head;
  isChange: boolean;
}

/** How it is drawn. */
export interface Look {
  ink: string;
  soft: string;
  font: string;
}

// The packet of viz/components/film/__init__.py.

export type Head = [layer: number, head: number];

/** The model at one step of its training: T queries, S keys. */
export interface Frame {
  step: number;
  /** The translation of the sentence. */
  text: string;
  queries: string[];
  keys: string[];
  /** The place of each query and key in the first frame, or -1. */
  then: [queries: number[], keys: number[]];
  /** (L, H), in bits. */
  entropy: number[][];
  /** Where the weights (L, H, T, S) start. */
  offset: number;
}

export interface Packet {
  kind: string;
  layers: number;
  heads: number;
  frames: Frame[];
  /** The number of the first layer and head, 0 or 1. */
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

/** One frame as it is drawn. */
export interface Scene {
  film: Packet;
  frame: Frame;
  chosen: Head;
  isChange: boolean;
}

/** Colours and font. */
export interface Look {
  ink: string;
  soft: string;
  font: string;
}

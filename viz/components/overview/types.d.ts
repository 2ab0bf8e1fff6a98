// What viz/components/overview sends: the plan of viz/components/overview/plan.py, in its own units.

export interface Box {
  /** As a click sends it: "encoder_self.0". */
  name: string;
  /** Which of the words is its label. */
  words: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The kind of attention; "" for other parts. */
  kind: string;
  /** Its heads: each one's largest weight, and on which token it lies, or "". */
  heads: { share: number; token: string }[];
  layer: number;
}

export interface Token {
  text: string;
  x: number;
  y: number;
  width: number;
  is_lit: boolean;
  side: "source" | "target";
  index: number;
}

export interface Candidate {
  text: string;
  probability: number;
}

export type Arrow = [x1: number, y1: number, x2: number, y2: number, flow: "stream" | "memory"];

export interface Plan {
  height: number;
  boxes: Box[];
  tokens: Token[];
  arrows: Arrow[];
  /** The name of each row. */
  layers: [x: number, y: number, text: string][];
  candidates: Candidate[];
  /** The token that is predicted; "" for an encoder-only model. */
  predicted: string;
  /** The columns; `title` and `caption` say which of the words name them and their tokens. */
  stacks: { x: number; title: string; caption: string }[];
}

export interface Given {
  plan: Plan;
  width: number;
  followed: [side: "source" | "target", index: number];
  kind: string;
  words: Record<string, string>;
  language: string;
  /** What the first head is called, 0 or 1. */
  first: number;
  colours: Record<"light" | "dark", Record<string, string>>;
}

/** Where a point of the plan is drawn. */
export type At = (x: number, y: number) => { x: number; y: number };

/** The plan as it is drawn in this width. */
export interface Shown extends Plan {
  at: At;
  width: number;
  /** Where the encoder's result goes up. */
  middle: number;
  /** Of the plan's units, a pixel. */
  unit: number;
  /** The heights of the stacks' captions, where they differ from the plan's. */
  captions?: number[];
}

export type Send = (name: "open" | "word", value: string | [side: string, index: number]) => void;

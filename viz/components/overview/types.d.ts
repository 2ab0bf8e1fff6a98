// What viz/components/overview sends: the plan of viz/components/overview/plan.py.

export interface Part {
  /** As a click sends it: "encoder_self.0". */
  name: string;
  /** Which of the words is its label. */
  words: string;
  /** The kind of attention; "" for other parts. */
  kind: string;
  /** Its heads: each one's largest weight, and on which token it lies, or "". */
  heads: { share: number; token: string }[];
}

export interface Token {
  text: string;
  is_lit: boolean;
  side: "source" | "target";
  index: number;
}

export interface Stack {
  /** Which of the words name it and its tokens. */
  title: string;
  caption: string;
  /** From the bottom: the embedding, the layers, what comes out. */
  rows: { label: string; parts: Part[] }[];
  tokens: Token[];
}

export interface Plan {
  stacks: Stack[];
  candidates: { text: string; probability: number }[];
  /** The token that is predicted; "" for an encoder-only model. */
  predicted: string;
}

export interface Given {
  plan: Plan;
  followed: [side: "source" | "target", index: number];
  kind: string;
  words: Record<string, string>;
  language: string;
  /** What the first head is called, 0 or 1. */
  first: number;
  colours: Record<"light" | "dark", Record<string, string>>;
}

interface Place {
  x: number;
  y: number;
  width: number;
}
export type Box = Part & Place & { height: number };
export type PlacedToken = Token & Place;
export type Path = [flow: "stream" | "memory", d: string];
export type Text = [kind: "stack" | "layer" | "caption", x: number, y: number, text: string];

/** A stack at its place. */
export interface PlacedStack {
  left: number;
  right: number;
  top: number;
  end: number;
  /** The upper edge of each row, and what is between two rows. */
  edges: number[];
  gap: number;
  boxes: Box[];
  names: Text[];
  tokens: PlacedToken[];
}

/** The plan as it is drawn in this width. */
export interface Shown {
  width: number;
  height: number;
  /** Of the plan's units, a pixel. */
  unit: number;
  boxes: Box[];
  tokens: PlacedToken[];
  paths: Path[];
  texts: Text[];
  candidates: { shown: Plan["candidates"]; x: number; y: number; apart: number };
}

export type Send = (name: "open" | "word", value: string | [side: string, index: number]) => void;

// What viz/components/overview sends: the plan of viz/components/overview/plan.py.

export interface Part {
  /** What a click sends: "encoder_self.0". */
  name: string;
  /** The key of its label in the words. */
  words: string;
  /** The kind of attention; "" for other parts. */
  kind: string;
  /** Its heads: the largest weight of each, and its token, or "". */
  heads: { share: number; token: string }[];
}

export interface Token {
  text: string;
  is_lit: boolean;
  side: "source" | "target";
  index: number;
}

export interface Stack {
  /** The keys of its name and of its tokens' name in the words. */
  title: string;
  caption: string;
  /** From the bottom: the embedding, the layers, the output. */
  rows: { label: string; parts: Part[] }[];
  tokens: Token[];
}

export interface Plan {
  stacks: Stack[];
  candidates: { text: string; probability: number }[];
  /** The predicted token; "" for an encoder-only model. */
  predicted: string;
}

export interface MapData {
  plan: Plan;
  followed: [side: "source" | "target", index: number];
  kind: string;
  words: Record<string, string>;
  language: string;
  /** The number of the first head, 0 or 1. */
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
  /** The upper edge of each row, and the distance between two rows. */
  edges: number[];
  gap: number;
  boxes: Box[];
  names: Text[];
  tokens: PlacedToken[];
}

/** The plan's places in a width. */
export interface Layout {
  width: number;
  height: number;
  /** Units of the plan in a pixel. */
  unit: number;
  boxes: Box[];
  tokens: PlacedToken[];
  paths: Path[];
  texts: Text[];
  candidates: { shown: Plan["candidates"]; x: number; y: number; apart: number };
}

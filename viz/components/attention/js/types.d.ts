// What the explorer's modules hand to each other. Shapes of arrays are those of model/__init__.py.

import type { Axis, Heads } from "./data/unpack.js";

export type Head = [layer: number, head: number];

/** ViewState of viz/state/view_state.py, as it travels. */
export interface State {
  kind: string;
  heads: Head[];
  combine: "mean" | "max";
  view: "map" | "lines" | "text";
  rows: "predicted" | "fed";
  unit: "pieces" | "words";
  sinks: "shown" | "greyed" | "removed";
  sink_kinds: string[];
  scale: "row" | "head" | "common";
  curve: "linear" | "sqrt";
  palette: string;
  threshold: number;
  sort: string;
  together: "mean" | "sum";
  orientation: "auto" | "vertical" | "horizontal";
  compare: "side" | "difference";
  weighting: string;
  pins: string[];
  zoom: [row: number, column: number, rows: number, columns: number] | null;
  window: [row: number, column: number] | null;
}

/** One sentence in one model. */
export interface View {
  kinds: Map<string, Heads>;
  source: Axis;
  fed: Axis;
  predicted: Axis;
  hasTwoMeanings: boolean;
  metrics: Record<string, Record<string, (number | null)[][]>>;
  corpus: Record<string, Record<string, (number | null)[][]>>;
  labels: Record<string, ([string, number] | null)[][]>;
  off: [string, number, number][];
  caption: string;
  weighting: string;
  weightings: string[];
  note: string;
  sourceName: string;
  targetName: string;
}

export interface Packet {
  views: View[];
  strings: Record<string, string>;
  palettes: Record<"light" | "dark", any>;
  defaults: State;
  firstIndex: number;
  showSentence: boolean;
  actions?: string[];
  isMounted?: boolean;
  state?: State;
}

export type Load = (
  packet: Packet,
  how?: { state?: Partial<State> | null; isPresenting?: boolean; isGradual?: boolean },
) => void | Promise<void>;

/** Tokens of one side, in pieces or in words. */
export interface Units {
  length: number;
  texts: string[];
  members: number[][];
  of: Int32Array;
  sinks: string[];
  special: boolean[];
  continues: boolean[];
  direction: string;
  ideographic: boolean;
}

/** What every view draws: weights after all reading aids, or the difference of two such matrices. */
export interface Matrix {
  rows: number;
  columns: number;
  values: Float32Array;
  queries: Units;
  keys: Units;
  isSink: boolean[];
  isSigned?: boolean;
  greyed: boolean;
  removed: Float32Array | null;
  isExact: boolean;
  broken: Head[];
  isHidden: (row: number, column: number) => boolean;
  isBeyond?: (row: number, column: number) => boolean;
  peaks: { byRow: Float32Array; all: number };
}

/** What the pointer is on, in the units of a pane. */
export interface Target {
  pane: import("./pane.js").Pane;
  row: number | null;
  column: number | null;
  fromMap?: object;
}

/** How a shape is drawn. */
export interface Ink {
  fill?: string;
  stroke?: string;
  radius?: number;
  lineWidth?: number;
  alpha?: number;
  dash?: number[];
}

/** How a text is drawn. */
export interface Lettering {
  size?: number;
  weight?: number;
  fill?: string;
  align?: CanvasTextAlign;
  rotate?: number;
  alpha?: number;
  halo?: string;
}

/** A connection under a painter's hand: canvas on screen, SVG in a file. */
export interface Painter {
  rect(x: number, y: number, width: number, height: number, ink: Ink): void;
  text(text: string, x: number, y: number, lettering: Lettering): void;
  curve(points: number[], ink: Ink): void;
  clip(x: number, y: number, width: number, height: number, draw: () => void): void;
  shift(x: number, y: number, draw: () => void): void;
  image(canvas: CanvasImageSource, x: number, y: number, width: number, height: number): void;
}

// What the explorer's modules hand to each other. Shapes of arrays are those of model/__init__.py.

import type { Kind } from "../../engine/edits.js";
import type { Axis, Heads } from "./data/unpack.js";
import type { MapView } from "./map/map_view.js";
import type { Pane } from "./pane.js";
import type { HEAD_VIEWS } from "./views/views.js";

export type { Kind };
export type Head = [layer: number, head: number];
/** Rows, which are queries, or columns, which are keys. */
export type Side = "q" | "k";
/** A rectangle on screen. */
export type Box = [x: number, y: number, width: number, height: number];
/** A part of the map. */
export type Zoom = [row: number, column: number, rows: number, columns: number];
export type ViewName = (typeof HEAD_VIEWS)[number]["name"];

/** ViewState of viz/state/view_state.py, as it travels. */
export interface State {
  kind: Kind;
  heads: Head[];
  combine: "mean" | "max";
  view: ViewName;
  rows: "predicted" | "fed";
  unit: "pieces" | "words";
  sinks: "shown" | "greyed" | "removed";
  sink_kinds: string[];
  scale: "row" | "head" | "common";
  curve: "linear" | "sqrt";
  palette: "hue" | "viridis" | "cividis" | "grey";
  threshold: number;
  sort: string;
  together: "mean" | "sum";
  orientation: "auto" | "vertical" | "horizontal";
  compare: "side" | "difference";
  weighting: string;
  pins: string[];
  zoom: Zoom | null;
  window: [row: number, column: number] | null;
}

/** An Axis of viz/components/attention/axis.py, as it travels. */
export interface AxisEntry {
  texts: string[];
  words: number[];
  sinks: string[];
  direction: "ltr" | "rtl";
  ideographic: boolean;
  /** The text of the picture whose strips the tokens are, and which strip the first of them is. */
  picture?: string;
  first?: number;
}

/** Means over blocks of a long text's tokens. */
export interface BlocksEntry {
  block: number;
  blocks: [rows: number, columns: number];
  rows: number;
  columns: number;
  window: number;
  missing: number[];
}

/** All heads of one kind, as viz/components/attention/pack.py describes them. */
export interface HeadsEntry extends Partial<BlocksEntry> {
  name: Kind;
  layers: number;
  heads: number;
  rows: number;
  columns: number;
  causal: boolean;
  reach?: (number | null)[];
  encoding: "float32" | "uint8";
  offset: number;
  invalid: number[];
  sketch?: Pick<BlocksEntry, "block" | "blocks">;
}

/** Exact weights of one head, sent beside a view with rounded ones. */
export interface ExactEntry {
  view: number;
  kind: Kind;
  layer: number;
  head: number;
  size: number;
  window: [row: number, column: number];
  offset: number;
}

/** Colours of one mode of the page. */
export interface Palette {
  panel: string;
  page: string;
  ink: string;
  ink_soft: string;
  line: string;
  kinds: Record<Kind, string>;
  less: string;
  more: string;
}

export type Theme = ReturnType<typeof import("./picture/colour.js").readTheme>;
/** What a text needs to be measured. */
export type Font = Pick<Theme, "font">;

/** One sentence in one model. */
export interface View {
  kinds: Map<Kind, Heads>;
  source: Axis;
  fed: Axis;
  predicted: Axis;
  hasTwoMeanings: boolean;
  metrics: Partial<Record<Kind, Metrics>>;
  corpus: Partial<Record<Kind, Metrics>>;
  labels: Partial<Record<Kind, ([name: string, value: number] | null)[][]>>;
  off: [Kind, number, number][];
  caption: string;
  weighting: string;
  weightings: string[];
  note: string;
  sourceName: string;
  targetName: string;
}

/** How a metric is shown, as METRICS in model/analysis/measures.py says; the strings have its words by its name. */
export interface Metric {
  name: string;
  unit: "bits" | "tokens" | "share" | "weight" | "index" | "log_prob";
  /** Null for the data's own. */
  scale: [low: number, high: number] | null;
  /** Whether a list of heads begins with the smallest number. */
  ascending: boolean;
  /** The heads whose card shows it. */
  cards: ("self" | "cross")[];
}

/** Each metric of each layer's heads; null where it is not defined. */
export type Metrics = Record<string, (number | null)[][]>;

export interface Packet {
  views: View[];
  strings: Record<string, string>;
  palettes: Record<"light" | "dark", Palette>;
  defaults: State;
  metrics: Metric[];
  firstIndex: number;
  showSentence: boolean;
  actions?: string[];
  isMounted?: boolean;
  state?: State;
}

/** How a packet is shown; without a state, as its defaults say. */
export interface Opening {
  state?: Partial<State> | null;
  isPresenting?: boolean;
  isGradual?: boolean;
}

/** The reader's choices, with the revision on which they were made and the packet on screen. */
export interface Report {
  state: State;
  revision: number;
  holds: string;
}

/** Something that the page is asked to do, with the head on screen. */
export interface Action {
  name: string;
  kind: Kind;
  layer: number;
  head: number;
}

/** Where reports and actions go. */
export interface Send {
  report?: (report: Report) => void;
  action?: (action: Action) => void;
}

/** What the pointer is on, in the units of a pane. */
export interface Target {
  pane: Pane;
  row: number | null;
  column: number | null;
  fromMap?: MapView;
  /** Whether a screen reader has been told already. */
  isSaid?: boolean;
}

/** The tokens whose attention is read. */
export interface Focus {
  side: Side;
  units: number[];
  isPinned?: boolean;
}

/** Tokens of one side, in pieces or in words. */
export interface Units {
  length: number;
  texts: string[];
  members: number[][];
  of: Int32Array;
  sinks: string[];
  special: boolean[];
  continues: boolean[];
  direction: "ltr" | "rtl";
  ideographic: boolean;
  /** What the units are strips of, and which of them each is. */
  picture: Uint8Array | null;
  strips: number[];
}

/** As much of a matrix as a small picture needs. */
export type Sketch = Pick<Matrix, "rows" | "columns" | "values" | "peaks" | "isSink"> & {
  isSigned?: boolean;
  greyed?: boolean;
};

/** A connection between a row and a column. */
export type Link = [row: number, column: number, weight: number, ink: number];

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

/** A cubic curve: its ends, and two points that pull it. */
export type Curve = [number, number, number, number, number, number, number, number];

/** A connection under a painter's hand: canvas on screen, SVG in a file. */
export interface Painter {
  rect(x: number, y: number, width: number, height: number, ink: Ink): void;
  text(text: string, x: number, y: number, lettering: Lettering): void;
  curve(points: Curve, ink: Ink): void;
  clip(x: number, y: number, width: number, height: number, draw: () => void): void;
  shift(x: number, y: number, draw: () => void): void;
  image(canvas: HTMLCanvasElement | OffscreenCanvas, x: number, y: number, width: number, height: number): void;
}

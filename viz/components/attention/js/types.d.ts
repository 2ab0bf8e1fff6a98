// Types that the explorer's modules share. Shapes of arrays are those of model/__init__.py.

import type { Kind } from "../../engine/edits.js";
import type { Axis, Heads } from "./data/unpack.js";
import type { MapView } from "./views/map.js";
import type { Pane } from "./pane.js";
import type { HEAD_VIEWS } from "./views/views.js";

export type { Kind };
export type Head = [layer: number, head: number];
/** "q": queries, the rows; "k": keys, the columns. */
export type Side = "q" | "k";
/** A rectangle on screen. */
export type Box = [x: number, y: number, width: number, height: number];
/** A part of the map. */
export type Zoom = [row: number, column: number, rows: number, columns: number];
export type ViewName = (typeof HEAD_VIEWS)[number]["name"];

/** ViewState of viz/state/view_state.py as JSON. */
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

/** An Axis of viz/components/attention/axis.py as JSON. */
export interface AxisEntry {
  texts: string[];
  words: number[];
  sinks: string[];
  direction: "ltr" | "rtl";
  ideographic: boolean;
  /** If the tokens are strips of a picture: its text encoding, and the index of the first strip. */
  picture?: string;
  /** Width of a strip in pixels. */
  strip?: number;
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

/** Exact weights of one head, sent with a view that has rounded ones. */
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
/** The part of a theme that measuring a text needs. */
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
  /** Null for the range of the data. */
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

/** How a packet is shown; without a state, with its defaults. */
export interface Opening {
  state?: Partial<State> | null;
  isPresenting?: boolean;
  isGradual?: boolean;
}

/** The reader's choices, with the revision that they are based on and the name of the packet on screen. */
export interface Report {
  state: State;
  revision: number;
  holds: string;
}

/** An action of the page on the present head. */
export interface Action {
  name: string;
  kind: Kind;
  layer: number;
  head: number;
}

/** Callbacks for reports and actions. */
export interface Send {
  report?: (report: Report) => void;
  action?: (action: Action) => void;
}

/** The row and column under the pointer, in the units of a pane. */
export interface Target {
  pane: Pane;
  row: number | null;
  column: number | null;
  fromMap?: MapView;
  /** Whether a screen reader reads it already. */
  isAnnounced?: boolean;
}

/** The pointed or pinned tokens whose attention is shown. */
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
  /** The picture whose strips the units are, and the index of each unit's strip. */
  picture: Uint8Array | null;
  strips: number[];
  /** Width of a strip in pixels. */
  strip: number;
}

/** The part of a matrix that a thumbnail needs. */
export type Sketch = Pick<Matrix, "rows" | "columns" | "values" | "peaks" | "isSink"> & {
  isSigned?: boolean;
  greyed?: boolean;
};

/** A connection between a row and a column. */
export type Link = [row: number, column: number, weight: number, ink: number];

/** The matrix that every view draws: weights after all reading aids, or the difference of two such matrices. */
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

/** A cubic Bézier curve: start, two control points, end. */
export type Curve = [number, number, number, number, number, number, number, number];

/** Drawing calls with two targets: a canvas on screen, SVG in a file. */
export interface Painter {
  rect(x: number, y: number, width: number, height: number, ink: Ink): void;
  text(text: string, x: number, y: number, lettering: Lettering): void;
  curve(points: Curve, ink: Ink): void;
  clip(x: number, y: number, width: number, height: number, draw: () => void): void;
  shift(x: number, y: number, draw: () => void): void;
  image(canvas: HTMLCanvasElement | OffscreenCanvas, x: number, y: number, width: number, height: number): void;
}

// The interface of a view of a head.

import type { Explorer } from "../explorer.js";
import type { Pane } from "../pane.js";
import type { Kind, Painter, State, Theme } from "../types";

/** A way of drawing a head: a module in views/ and an entry of HEAD_VIEWS. */
export interface HeadView<Name extends string> {
  /** Its name in links, in HeadViewName of viz/state/view_state.py, and among the words. */
  name: Name;
  /** The shortcut key, in lower case. */
  key: string;
  make(explorer: Explorer, pane: Pane): HeadDrawing;
  /** The name of the message that explains it. */
  how(kind: Kind, rows: State["rows"] | "plain"): string;
  /** Whether it can show thousands of tokens. */
  showsLong: boolean;
  /** Whether it contains the sentences, so that those above the toolbar are hidden. */
  showsSentences: boolean;
  /** Whether its rows are labelled by predicted or fed tokens. */
  namesRows: boolean;
  /** Whether several heads are combined by their mean or maximum. */
  combinesHeads: boolean;
  /** Whether several pinned tokens are combined by their mean or sum. */
  combinesPins: boolean;
  /** Whether it has a horizontal and a vertical orientation. */
  turns: boolean;
  zooms: boolean;
}

/** One head view of one pane on screen. */
export interface HeadDrawing {
  root: HTMLElement;
  show(): void;
  /** Redraw the pointer target and the pins. */
  point(): void;
  /** The drawing for an exported picture. */
  picture(theme: Theme, room: Room): Part;
  /** Measure its width before anything is drawn. */
  measure?(): void;
  /** Zoom by a factor; 0 shows everything. */
  zoomBy?(factor: number): void;
}

/** The size of a picture, or the room for it, in CSS pixels. */
export interface Room {
  width: number;
  height: number;
}

/** A part of a picture: it fills [0, 0, width, height]. */
export interface Part extends Room {
  draw(painter: Painter): void;
}

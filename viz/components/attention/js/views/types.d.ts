// What a view of a head is.

import type { Explorer } from "../explorer.js";
import type { Pane } from "../pane.js";
import type { Kind, Painter, State, Theme } from "../types";

/** A way of drawing a head: a module in views/ and an entry of HEAD_VIEWS. */
export interface HeadView<Name extends string> {
  /** Its name in links, in HeadViewName of viz/state/view_state.py, and among the words. */
  name: Name;
  /** The key that chooses it, in lower case. */
  key: string;
  make(explorer: Explorer, pane: Pane): HeadDrawing;
  /** The name of the words that say how it is read. */
  how(kind: Kind, rows: State["rows"] | "plain"): string;
  /** Whether it can show thousands of tokens. */
  showsLong: boolean;
  /** Whether the sentences stand in it, so that those above the toolbar are hidden. */
  showsSentences: boolean;
  /** Whether its rows bear the tokens that are predicted or fed. */
  namesRows: boolean;
  /** Whether several heads are drawn as one, their mean or maximum. */
  combinesHeads: boolean;
  /** Whether several pinned tokens are drawn as one, their mean or sum. */
  combinesPins: boolean;
  /** Whether it can be turned on its side. */
  turns: boolean;
  zooms: boolean;
}

/** One head view of one pane on screen. */
export interface HeadDrawing {
  root: HTMLElement;
  show(): void;
  /** Show what the pointer is on, and what is pinned. */
  point(): void;
  /** What a file shows of it. */
  picture(theme: Theme, room: Room): Part;
  /** Read its width before anything is drawn. */
  measure?(): void;
  /** Enlarge by a factor; 0 shows all of it. */
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

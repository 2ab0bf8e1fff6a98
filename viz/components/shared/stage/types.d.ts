// The contents of a stage: a sentence and its translation as tokens, and ribbons between them.

export type Side = "source" | "target";

/** A token; false and empty properties are omitted. */
export interface Chip {
  text: string;
  title?: string;
  /** Accessible name in place of the text. */
  label?: string;
  /** Not the first piece of its word. */
  continues?: boolean;
  /** Not the last piece of its word. */
  goes_on?: boolean;
  special?: boolean;
  unknown?: boolean;
}

/** The ribbons of a token, one from every token of the other row. */
export interface Ribbons {
  side: Side;
  place: number;
  /** Of the other row's tokens, from 0 to 1. */
  weights: ArrayLike<number>;
  /** Opacity from 0 to 1. */
  ink?: number;
  /** Width of weight 1, in pixels. */
  maxWidth?: number;
  /** Whether they have their full length while others grow. */
  isGrown?: boolean;
}

/** How a token is marked. */
export interface Mark {
  isPressed: boolean;
  /** Whether it is not written yet. */
  isLater?: boolean;
  weight?: number;
}

/** Handlers of pointer, focus and clicks on tokens. */
export interface TokenHandlers {
  /** A token has the pointer or the focus. */
  point: (token: { side: Side; place: number }, event: Event) => void;
  /** No token has either any more. */
  leave: () => void;
  press: (token: { side: Side; place: number }, event: MouseEvent) => void;
}

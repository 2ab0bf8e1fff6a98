// The current view as a file: SVG with text as text, PNG at three pixels for each of CSS; both carry their caption.

import { css } from "../../../shared/colour.js";
import { h, penOf } from "../../../shared/dom.js";
import { captionOf, wrapped } from "./caption.js";
import { themeOf } from "../controls/presenting.js";
import { autoOrientation, linesLayout, linkCurve, paintLineTokens } from "../lines/lines.js";
import { paintLineFocus } from "../lines/lines_focus.js";
import { mapLayout, paintMap, paintMapFocus } from "../map/map.js";
import { CanvasPainter, SvgPainter } from "./painter.js";
import { withResolution } from "./png.js";
import { prosePicture } from "./prose_picture.js";

/** @import { Explorer } from "../explorer.js" */
/** @import { Pane } from "../pane.js" */
/** @import { Painter, Theme } from "../types" */
/** @typedef {{width: number, height: number}} Room */
/** @typedef {Room & {draw: (painter: Painter) => void}} Part of a picture: it fills [0, 0, width, height] */
/** @typedef {"png" | "svg"} Format */

const CSS_PIXELS_PER_INCH = 96; // as large as the SVG, whose units are CSS pixels
const PICTURE = { width: 960, height: 640, margin: 24, scale: 3 };

/** Theme on white (or no) paper: exported pictures are for slides and papers, so they do not follow the screen's theme.
 * @param {Explorer} explorer */
function paperTheme({ root, packet }) {
  return themeOf({ root, packet, isPresenting: false }, true);
}

/** The current view of one pane. @type {(explorer: Explorer, pane: Pane, theme: Theme) => Part} */
function pictureOf(explorer, pane, theme) {
  const { state } = explorer;
  const { matrix } = pane;
  const room = { width: PICTURE.width - 2 * PICTURE.margin, height: PICTURE.height };
  if (state.view === "map") {
    const layout = mapLayout(matrix, theme, { ...room, zoom: state.zoom });
    const rows = pane.pinned("q");
    const columns = pane.pinned("k");
    return {
      width: layout.left + layout.width + 8,
      height: layout.top + layout.height + 8,
      draw(painter) {
        paintMap(painter, layout, matrix, state, theme);
        if (!matrix.isSigned)
          paintMapFocus(painter, layout, matrix, theme, css(theme.hue(state.kind)), { rows, columns, cell: null });
      },
    };
  }
  if (state.view === "lines") return linesPicture(explorer, pane, theme, room);
  return prosePicture(explorer, pane, theme, room);
}

/** The lines at rest, or those of the pinned tokens with their weights.
 * @type {(explorer: Explorer, pane: Pane, theme: Theme, room: Room) => Part} */
function linesPicture(explorer, pane, theme, room) {
  const { state } = explorer;
  const { matrices, colours, links } = pane.lines.content(theme);
  const orientation = state.orientation === "auto" ? autoOrientation(pane.view, state) : state.orientation;
  const layout = linesLayout(pane.matrix, theme, { kind: state.kind, orientation, ...room });
  const focus = pane.focus();
  const drawn = links.map((list) =>
    focus ? list.filter(([row, column]) => focus.units.includes(focus.side === "q" ? row : column)) : list,
  );
  return {
    width: layout.width,
    height: layout.height,
    draw(painter) {
      drawn.forEach((list, at) => {
        for (const [row, column, , ink] of [...list].reverse()) {
          if (ink > 0.02)
            painter.curve(linkCurve(layout, row, column), {
              stroke: colours[at],
              alpha: 0.06 + 0.84 * ink,
              lineWidth: 0.6 + 2.2 * ink,
            });
        }
      });
      paintLineTokens(painter, layout, theme, {});
      if (focus) paintLineFocus(painter, layout, { matrices, colours, theme, state, focus });
    },
  };
}

/** Lay panes side by side over a caption and draw them on a painter made for the whole size.
 * @template {Painter} Kind
 * @param {Explorer} explorer
 * @param {(width: number, height: number) => Kind} makePainter
 * @param {Theme} theme */
function composePicture(explorer, makePainter, theme) {
  const parts = explorer.panes.map((pane) => pictureOf(explorer, pane, theme));
  const { margin } = PICTURE;
  const width = Math.max(
    420,
    parts.reduce((sum, part) => sum + part.width + margin, margin),
  );
  const caption = captionOf(explorer).flatMap((line, at, all) =>
    wrapped(theme, line, width - margin * 2).map((text) => ({
      text,
      fill: at < all.length - 1 ? theme.soft : theme.ink,
    })),
  );
  const tallest = Math.max(...parts.map((part) => part.height));
  const height = tallest + margin * 2 + caption.length * theme.size * 1.6;
  const painter = makePainter(width, height);
  let x = margin;
  for (const part of parts) {
    painter.shift(x, margin, () => part.draw(painter));
    x += part.width + margin;
  }
  caption.forEach(({ text, fill }, at) =>
    painter.text(text, margin, tallest + margin * 1.6 + at * theme.size * 1.6, { fill }),
  );
  return painter;
}

/** @type {(explorer: Explorer, format: Format, transparent: boolean) => Promise<Blob>} */
async function pictureBlob(explorer, format, transparent) {
  const theme = paperTheme(explorer);
  if (format === "svg") {
    const painter = composePicture(
      explorer,
      (width, height) => {
        const svg = new SvgPainter(width, height, theme);
        if (!transparent) svg.rect(0, 0, width, height, { fill: "#ffffff" });
        return svg;
      },
      theme,
    );
    return new Blob([painter.toString()], { type: "image/svg+xml" });
  }
  const canvas = document.createElement("canvas");
  composePicture(
    explorer,
    (width, height) => {
      Object.assign(canvas, { width: Math.round(width * PICTURE.scale), height: Math.round(height * PICTURE.scale) });
      const context = penOf(canvas);
      context.scale(PICTURE.scale, PICTURE.scale);
      const painter = new CanvasPainter(context, theme);
      if (!transparent) painter.rect(0, 0, width, height, { fill: "#ffffff" });
      return painter;
    },
    theme,
  );
  /** @type {Blob | null} */
  const png = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!png) throw new RangeError(`a picture of ${canvas.width} × ${canvas.height} pixels is too large`);
  return withResolution(png, PICTURE.scale * CSS_PIXELS_PER_INCH);
}

/** @type {(explorer: Explorer, format: Format, transparent: boolean) => Promise<void>} */
export async function savePicture(explorer, format, transparent) {
  const url = URL.createObjectURL(await pictureBlob(explorer, format, transparent));
  const { state } = explorer;
  const name = `${state.kind}-${state.heads
    .map((head) => head.map((index) => index + explorer.firstIndex).join("-"))
    .slice(0, 4)
    .join("_")}-${state.view}.${format}`;
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// The current view as a file: SVG with text as text, PNG at three pixels a point; both carry their caption.

import { css } from "../../shared/colour.js";
import { h } from "../../shared/dom.js";
import { readTheme } from "./colour.js";
import { autoOrientation, linesLayout, linkCurve, linksOf, paintLineTokens } from "./lines.js";
import { mapLayout, paintMap, paintMapFocus } from "./map.js";
import { CanvasPainter, SvgPainter, fitText, textWidth } from "./painter.js";
import { SHOWN_HEADS, matrixOf, profileOf } from "./transform.js";

const PICTURE = { width: 960, height: 640, margin: 24, scale: 3 };

/** Theme on white (or no) paper: exported pictures are for slides and papers, whatever the screen looks like. */
function paperTheme(explorer) {
  return readTheme(getComputedStyle(explorer.root), explorer.packet.palettes, false, "#ffffff");
}

/** Draw the current view of one pane on a painter; returns nothing, fills [0, 0, width, height]. */
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

function linesPicture(explorer, pane, theme, room) {
  const { state } = explorer;
  const heads = explorer.headsIn(pane.view).slice(0, SHOWN_HEADS);
  const { lines } = pane;
  const matrices = lines.matrices ?? heads.map((head) => matrixOf(pane.view, state, [head]));
  const orientation = state.orientation === "auto" ? autoOrientation(pane.view, state) : state.orientation;
  const layout = linesLayout(pane.matrix, theme, { kind: state.kind, orientation, ...room });
  const colours = heads.length === 1 ? [css(theme.hue(state.kind))] : theme.categories;
  const focus = pane.focus();
  const links = linksOf(matrices, state).map((list) =>
    focus ? list.filter(([row, column]) => focus.units.includes(focus.side === "q" ? row : column)) : list,
  );
  return {
    width: layout.width,
    height: layout.height,
    draw(painter) {
      links.forEach((list, at) => {
        for (const [row, column, , ink] of [...list].reverse()) {
          if (ink > 0.02)
            painter.curve(linkCurve(layout, row, column), {
              stroke: colours[at],
              alpha: 0.06 + 0.84 * ink,
              lineWidth: 0.6 + 2.2 * ink,
            });
        }
      });
      paintLineTokens(painter, layout, theme, {
        marks: (side, unit) => focus?.side === side && focus.units.includes(unit) && css(theme.hue(state.kind)),
      });
    },
  };
}

/** Both sentences as running text, shaded by the pinned tokens. */
function prosePicture(explorer, pane, theme, room) {
  const { state } = explorer;
  const { matrix } = pane;
  const { sequence } = pane.prose;
  const focus = pane.focus();
  const profile = focus && profileOf(matrix, focus.side, focus.units, state.together);
  const across = focus?.side === "q" ? "k" : "q";
  const peak = profile ? Math.max(...profile, 1e-9) : 1;
  const size = 24;
  const words = [];
  let y = size;
  for (const line of sequence.lines) {
    const [own, other] = focus?.side === "q" ? [matrix.queries, matrix.keys] : [matrix.keys, matrix.queries];
    let x = 0;
    line.units.texts.forEach((text, token) => {
      const short = fitText(theme, text, size, room.width - 20);
      const width = textWidth(theme, short, size) + 12;
      x += line.units.continues[token] ? 2 : 8;
      if (x + width > room.width) [x, y] = [0, y + size * 1.9];
      const unit = focus ? sequence.resolve(across, other, line, token) : -1;
      const isChosen = focus && focus.units.includes(sequence.resolve(focus.side, own, line, token));
      words.push({
        text: short,
        x,
        y,
        width,
        ink: unit >= 0 ? profile[unit] / peak : 0,
        isChosen,
        special: line.units.special[token],
      });
      x += width;
    });
    y += size * 2.6;
  }
  const ramp = theme.ramp(state.palette, state.kind);
  return {
    width: room.width,
    height: y - size,
    draw(painter) {
      for (const word of words) {
        const box = [word.x, word.y - size * 0.8, word.width, size * 1.6];
        if (word.ink > 0.02) painter.rect(...box, { fill: ramp.at(word.ink), radius: 5 });
        if (word.isChosen) painter.rect(...box, { stroke: css(theme.hue(state.kind)), lineWidth: 2, radius: 5 });
        painter.text(word.text, word.x + 6, word.y, {
          size,
          fill: word.ink > 0.02 ? ramp.textAt(word.ink, theme) : word.special ? theme.soft : theme.ink,
        });
      }
    },
  };
}

/** What a picture is of: sentence, model, head, kind, and how the numbers were read. */
function captionOf(explorer, pane) {
  const { strings, state } = explorer;
  const aids = [
    state.unit === "words" && strings.words,
    state.sinks === "removed" && strings.caption_removed,
    state.weighting !== "raw" && strings[`reading_${state.weighting}`],
  ].filter(Boolean);
  return [pane.view.caption, [strings[state.kind], explorer.headsName(), ...aids].join(" · ")].filter(Boolean);
}

/** Lay panes side by side over a caption and draw them on a painter made for the whole size. */
function composePicture(explorer, makePainter, theme) {
  const parts = explorer.panes.map((pane) => pictureOf(explorer, pane, theme));
  const caption = captionOf(explorer, explorer.panes[0]);
  const { margin } = PICTURE;
  const width = Math.max(
    420,
    parts.reduce((sum, part) => sum + part.width + margin, margin),
  );
  const tallest = Math.max(...parts.map((part) => part.height));
  const height = tallest + margin * 2 + caption.length * theme.size * 1.6;
  const painter = makePainter(width, height);
  let x = margin;
  for (const part of parts) {
    painter.shift(x, margin, () => part.draw(painter));
    x += part.width + margin;
  }
  caption.forEach((line, at) =>
    painter.text(
      fitText(theme, line, theme.size, width - margin * 2),
      margin,
      tallest + margin * 1.6 + at * theme.size * 1.6,
      { fill: at ? theme.ink : theme.soft },
    ),
  );
  return painter;
}

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
      const context = canvas.getContext("2d");
      context.scale(PICTURE.scale, PICTURE.scale);
      const painter = new CanvasPainter(context, theme);
      if (!transparent) painter.rect(0, 0, width, height, { fill: "#ffffff" });
      return painter;
    },
    theme,
  );
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

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

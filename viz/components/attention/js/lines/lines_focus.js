// Paints the weights that a pinned or pointed token gives or receives: shaded tokens and numbers, on any painter.

import { css } from "../../../shared/colour.js";
import { clamp } from "../../../shared/text.js";
import { endOf, isOutside, paintLineTokens } from "./lines.js";
import { textWidth } from "../picture/painter.js";
import { cellNumber } from "../data/state.js";
import { profileOf, profilePeak } from "../data/transform.js";

/** @import { Box, Matrix, Painter, Side, State, Theme } from "../types" */
/** @import { Layout } from "./lines.js" */

/**
 * @typedef {object} How
 * @property {Matrix[]} matrices one for each head
 * @property {string[]} colours one for each head
 * @property {Theme} theme
 * @property {State} state
 * @property {{side: Side, units: number[]}} focus
 * @property {Box} [region] the visible part of a scrolled drawing
 */

/** Shade the tokens opposite to those in focus, and write their weights beside them; weights below the threshold count as
 * 0.
 * @param {Painter} painter @param {Layout} layout @param {How} how */
export function paintLineFocus(painter, layout, { matrices, colours, theme, state, focus, region }) {
  const across = focus.side === "q" ? "k" : "q";
  const profiles = matrices.map((matrix) =>
    profileOf(matrix, focus.side, focus.units, state.together).map((weight) => (weight < state.threshold ? 0 : weight)),
  );
  const peak = Math.max(...profiles.map((profile, at) => profilePeak(matrices[at], profile, across, state)));
  const units = new Set(focus.units);
  /** @type {(ink: number, at: number, unit: number) => [colour: string, alpha: number]} */
  const stripe = (ink, at, unit) => {
    const isGreyed = across === "k" && matrices[at].greyed && matrices[at].isSink[unit];
    return [
      isGreyed ? css(theme.grey) : colours[at],
      clamp(ink, 0, 1) * (matrices.length > 1 || isGreyed ? 0.42 : 0.85),
    ];
  };
  paintLineTokens(painter, layout, theme, {
    region,
    only: (side, unit) =>
      side === focus.side ? units.has(unit) : profiles.some((profile) => profile[unit] > peak * 0.03),
    shade: (side, unit) =>
      side !== across ? [] : profiles.map((profile, at) => stripe(profile[unit] / peak, at, unit)),
    marks: (side, unit) => side === focus.side && units.has(unit) && css(theme.hue(state.kind)),
  });
  paintNumbers(painter, layout, { theme, across, profiles, peak, region });
}

/** The weights beside the tokens that receive them.
 * @param {Painter} painter @param {Layout} layout
 * @param {{theme: Theme, across: Side, profiles: Float32Array[], peak: number, region?: Box}} how */
function paintNumbers(painter, layout, { theme, across, profiles, peak, region }) {
  const end = endOf(layout, across);
  const isLeft = end === layout.ends[0];
  end.boxes.forEach((box, unit) => {
    const values = profiles.map((profile) => profile[unit]);
    if (Math.max(...values) < Math.max(0.005, peak * 0.02) || (region && isOutside(box, region))) return;
    const [x, y, width, height] = box;
    const all = values.map((value) => cellNumber(value) || "·").join("  ");
    const isRoomy = layout.isVertical || textWidth(theme, all, theme.small) <= width + 4;
    const text = isRoomy ? all : cellNumber(Math.max(...values));
    const options = { size: theme.small, fill: theme.soft };
    if (!layout.isVertical)
      return painter.text(text, x + width / 2, isLeft ? y - 8 : y + height + 7, { ...options, align: "center" });
    const room = textWidth(theme, text, theme.small) + 8;
    /** @type {Box} */
    const plate = [isLeft ? x + width + 2 : x - room - 2, y + height / 2 - theme.small * 0.7, room, theme.small * 1.4];
    painter.rect(...plate, { fill: theme.panel, alpha: 0.85, radius: 3 });
    return painter.text(text, isLeft ? x + width + 6 : x - 6, y + height / 2, {
      ...options,
      align: isLeft ? "left" : "right",
    });
  });
}

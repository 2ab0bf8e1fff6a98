// Paints the 3D view: the planes, the curves from the encoder to the cross-attentions, and each token as a line through its
// stack.

import { css, mix } from "../../shared/colour.js";
import { clamp, spoken } from "../../shared/text.js";
import { MAP, BETWEEN, TOWER, FAN, axesOf, cornersOf, gridOf, backToFront, middleOf, sizeOf } from "./space_planes.js";

/** @import { Rgb } from "../../shared/colour.js" */
/** @import { Kind } from "../../engine/edits.js" */
/** @import { Colours, Head, Light, Model, Place, Plane } from "./space_planes.js" */

const GLOW = 0.13; // distance of the light from a plane that it makes glow, as a share of the stack's height
const DESCENT = 0.38; // time in which the light falls, as a share of the time in which it rises
const SHORT = 14; // tokens; longer texts leave no room for the legend
const MAX_FONT_SIZE = 19;
const LEGEND_WIDTH = 560; // pixels of the canvas from which the legend is drawn

/**
 * Paint a moment of the animation.
 * @param {CanvasRenderingContext2D} pen
 * @param {{model: Model, planes: Plane[], place: Place, scale: number, colours: Colours, light: Light | null,
 *   chosen: Head | null, width: number, height: number, t: Record<string, string>}} what `light` is null without animation
 */
export function paintSpace(pen, what) {
  const { model, planes, place, light } = what;
  const step = light ? light.step : model.step;
  const stacks = backToFront(planes, place);
  for (const [i, plane] of stacks.entries()) {
    if (i && plane.stack !== stacks[i - 1].stack) paintBridges(pen, what);
    paintPlane(pen, plane, what, step);
  }
  const isShort = model.source.length <= SHORT && model.target.length <= SHORT;
  const free = what.width < LEGEND_WIDTH || !isShort ? [0, what.width] : paintLegend(pen, what);
  paintText(pen, { ...what, free }, 0, model.source, (place) =>
    Math.max(0.3, Math.min(1, 0.3 + model.seen[step][place])),
  );
  const written = light ? light.written : model.target.length;
  paintText(pen, { ...what, free }, 1, model.target, (place) => (place >= written ? 0 : place === step ? 1 : 0.45));
  pen.globalAlpha = 1;
}

/** Paint the legend of the colours in the two corners that the texts leave free.
 * @returns {number[]} x where the translation may begin, and where the sentence has to end
 * @param {CanvasRenderingContext2D} pen @param {Parameters<typeof paintSpace>[1]} what */
function paintLegend(pen, { colours: { soft, kinds }, t, width, height }) {
  pen.font = `13px ${getComputedStyle(pen.canvas).fontFamily}`;
  pen.textAlign = "left";
  const line = (/** @type {[string, Rgb][]} */ words, /** @type {number} */ x, /** @type {number} */ y) => {
    for (const [word, colour] of words) {
      pen.fillStyle = css(colour);
      pen.fillText(word, x, y);
      x += pen.measureText(word).width + 10;
    }
    return x;
  };
  const { encoder_self: reads, decoder_self: writes, cross } = kinds;
  const end = line([[t.plan_encoder, soft], [t.plan_self, reads]], 2, 15); // prettier-ignore
  /** @type {[string, Rgb][]} */
  const decoder = [[t.plan_decoder, soft], [t.plan_masked, writes], [t.plan_cross, cross]]; // prettier-ignore
  const begin = width - line(decoder, 0, -99) + 8; // drawn off screen to measure its width
  line(decoder, begin, height - 6);
  return [end + 10, begin - 20];
}

/** How close the light is to a plane, from 0 to 1. @param {Plane} plane @param {Light | null} light */
const glowOf = (plane, light) =>
  light?.stack === plane.stack ? Math.max(0, 1 - Math.abs(light.at - plane.y / TOWER - 0.5) / GLOW) : 0;

/** @param {CanvasRenderingContext2D} pen @param {Plane} plane @param {Parameters<typeof paintSpace>[1]} what
 * @param {number} step whose row of the decoder's maps is highlighted */
function paintPlane(pen, plane, { place, colours, light, chosen }, step) {
  const { kind, maps, image, y } = plane;
  const glow = glowOf(plane, light);
  const colour = colours.kinds[kind];
  const corners = cornersOf(plane).map(([x, z]) => place(x, y, z));
  path(pen, corners);
  pen.globalAlpha = 0.86;
  pen.fillStyle = css(mix(mix(colours.panel, colour, 0.05), colour, 0.16 * glow));
  pen.fill();
  pen.globalAlpha = 1;
  pen.lineWidth = 1 + glow;
  pen.strokeStyle = glow ? css(colour, 0.4 + 0.6 * glow) : colours.line;
  pen.stroke();
  const isReached = !light || light.stack > plane.stack || (light.stack === plane.stack && light.at >= y / TOWER + 0.5);
  const [origin, along, away] = axesOf(plane, place);
  const [, across] = gridOf(maps.heads);
  const { a, b, c, d, e, f } = pen.getTransform();
  const tile = (/** @type {number} */ head, /** @type {number} */ from, /** @type {number} */ to) => {
    const [column, row] = [head % across, Math.floor(head / across)];
    pen.drawImage(
      image,
      column * MAP, (row + from) * MAP, MAP, (to - from) * MAP,
      column * (1 + BETWEEN), row * (1 + BETWEEN) + from, 1, to - from,
    ); // prettier-ignore
  };
  const n = maps.rows;
  const isWritten = plane.stack === 1;
  pen.transform(along[0], along[1], away[0], away[1], origin[0], origin[1]);
  for (let head = 0; head < maps.heads; head++) {
    if (!isWritten) {
      pen.globalAlpha = isReached ? 1 : 0.16;
      tile(head, 0, 1);
      continue;
    }
    const before = light ? step : n;
    pen.globalAlpha = 0.5;
    if (before) tile(head, 0, before / n);
    pen.globalAlpha = 1;
    if (isReached) tile(head, step / n, (step + 1) / n);
  }
  pen.globalAlpha = 1;
  if (chosen?.kind === kind && chosen.layer === plane.layer) {
    pen.strokeStyle = css(colours.ink);
    pen.lineWidth = 0.05;
    const [column, row] = [chosen.head % across, Math.floor(chosen.head / across)];
    pen.strokeRect(column * (1 + BETWEEN), row * (1 + BETWEEN), 1, 1);
  }
  pen.setTransform(a, b, c, d, e, f);
}

/** @param {CanvasRenderingContext2D} pen @param {number[][]} points */
function path(pen, points) {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.closePath();
}

/** Paint the curves from the encoder output to each cross-attention.
 * @param {CanvasRenderingContext2D} pen @param {Parameters<typeof paintSpace>[1]} what */
function paintBridges(pen, { planes, place, light, colours, scale }) {
  const top = /** @type {Plane} */ (planes.findLast(({ stack }) => !stack));
  const start = place(middleOf(0) + sizeOf(top.maps)[1] / 2, top.y, 0);
  for (const plane of planes.filter(({ kind }) => kind === "cross")) {
    const end = place(middleOf(1) - sizeOf(plane.maps)[1] / 2, plane.y, 0);
    const glow = glowOf(plane, light);
    pen.beginPath();
    pen.moveTo(...start);
    pen.bezierCurveTo(start[0] + 0.6 * scale, start[1], end[0] - 0.6 * scale, end[1], ...end);
    pen.globalAlpha = light && !light.stack ? 0.12 : 0.35 + 0.65 * glow;
    pen.lineWidth = 1.2 + 2 * glow;
    pen.strokeStyle = css(colours.kinds.cross);
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/**
 * Paint a text in one line, each token with its line through the stack: the sentence below the encoder, the translation
 * above the decoder.
 * @param {CanvasRenderingContext2D} pen
 * @param {Parameters<typeof paintSpace>[1] & {free: number[]}} what
 * @param {number} stack
 * @param {string[]} pieces
 * @param {(place: number) => number} inkOf opacity of a token and its line, from 0 to 1
 */
function paintText(pen, { planes, place, light, colours, width, height, t, free }, stack, pieces, inkOf) {
  const ofStack = planes.filter((plane) => plane.stack === stack);
  const [low, high] = [ofStack[0], ofStack[ofStack.length - 1]];
  const [deep, wide] = sizeOf(low.maps);
  const font = getComputedStyle(pen.canvas).fontFamily;
  pen.font = `16px ${font}`;
  const words = pieces.map((piece) => spoken(piece, t));
  const sizes = words.map((word) => pen.measureText(word).width + 9);
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const [left, right] = stack ? [free[0], width] : [0, free[1]];
  const share = Math.min(MAX_FONT_SIZE / 16, (right - left) / whole);
  const type = 16 * share;
  const middle = place(middleOf(stack), 0, 0)[0];
  let x = clamp(middle - (whole * share) / 2, left, Math.max(left, right - whole * share));
  const y = stack ? 16 : height - 6;
  const colour = stack ? colours.kinds.cross : colours.kinds.encoder_self;
  pen.font = `500 ${type}px ${font}`;
  pen.textAlign = "center";
  for (const [i, word] of words.entries()) {
    const ink = inkOf(i);
    const centre = x + (sizes[i] * share) / 2;
    x += sizes[i] * share;
    const at = middleOf(stack) + wide * ((i + 0.5) / words.length - 0.5);
    const [foot, head] = [low, high].map((plane) => place(at, plane.y, deep / 2));
    const isFalling = stack === 1 && light !== null && light.at > 1; // a written token is the input of the next step
    const isLit = light?.stack === stack && (stack === 0 || light.step + Number(isFalling) === i);
    pen.strokeStyle = css(colour);
    pen.lineWidth = ink > 0.9 ? 1.6 : 1;
    pen.globalAlpha = 0.1 + 0.5 * ink;
    pen.beginPath();
    pen.moveTo(...(stack ? foot : head));
    pen.lineTo(...(stack ? head : foot));
    const bend = stack ? y + 6 + FAN / 2 : y - 14 - FAN / 2;
    const end = stack ? head : foot;
    if (ink) pen.bezierCurveTo(end[0], bend, centre, bend, centre, stack ? y + 7 : y - 16);
    pen.stroke();
    if (isLit)
      paintSpark(
        pen,
        [foot[0], foot[1] + (head[1] - foot[1]) * clamp(isFalling ? 1 - (light.at - 1) / DESCENT : light.at, 0, 1)],
        colour,
      );
    if (!ink) continue;
    pen.globalAlpha = 1;
    pen.fillStyle = ink > 0.9 ? css(colour) : css(mix(colours.soft, colours.ink, ink));
    pen.fillText(word, centre, y);
  }
}

/** @param {CanvasRenderingContext2D} pen @param {number[]} at @param {Rgb} colour */
function paintSpark(pen, [x, y], colour) {
  for (const [size, alpha] of [
    [7, 0.2],
    [2.6, 1],
  ]) {
    // prettier-ignore
    pen.globalAlpha = alpha;
    pen.fillStyle = css(colour);
    pen.beginPath();
    pen.arc(x, y, size, 0, 2 * Math.PI);
    pen.fill();
  }
}

// Draws the plan of the whole model: two stacks, the paths into the cross-attentions, and the loop from output to input; one
// stack for a decoder-only model.

import { h, runInTurn, svg } from "../../shared/dom.js";
import { textOrPicture } from "../../shared/pad/pad.js";
import { clamp, spoken } from "../../shared/text.js";

const TOKENS = 62;
const [LOW, NARROW] = [800, 760]; // pixels of a screen below which the boxes are lower
/** Heights of a box, between two boxes and between two layers, in pixels. */
const SIZES = { high: [26, 5, 12], low: [22, 5, 12], lowest: [15, 3, 7] };

/** @import { ModelPlan, PlanPage } from "./model_plan.js" */

/** Draw the plan at its holder's width. @param {ModelPlan} plan */
export function buildPlan(plan) {
  const isLow = window.innerHeight < LOW || window.innerWidth < NARROW;
  const [high, gap, between] = SIZES[plan.page.isBeside ? "lowest" : isLow ? "low" : "high"];
  const { scene } = plan.page.stage;
  const config = plan.page.desk?.about?.config;
  if (!scene || !plan.holder.clientWidth) return;
  plan.width = plan.holder.clientWidth;
  const isAlone = scene.main === "decoder_self";
  const nEncoder = isAlone ? 0 : (config?.n_encoder_layers ?? scene.layers);
  const nDecoder = scene.layers;
  const bridge = clamp(plan.width * 0.1, 34, 120);
  const column = isAlone ? Math.min(plan.width - 40, 560) : (plan.width - bridge - 28) / 2;
  const decoderX = isAlone ? (plan.width - column - 28) / 2 : column + bridge + 8;
  const nParts = isAlone ? 2 : 3;
  const layerHeight = nParts * high + (nParts - 1) * gap + between;
  const stackHeight = nDecoder * layerHeight;
  const top = 58;
  const bottom = top + stackHeight;
  const height = bottom + TOKENS;
  const { t } = plan.page;
  plan.isNarrow = column < 210;
  const short = plan.isNarrow ? "_short" : "";
  plan.boxes = {};
  const picture = svg("svg", {
    width: plan.width,
    height,
    viewBox: `0 0 ${plan.width} ${height}`,
    role: "group",
    "aria-label": t.plan_label,
  });
  const box = (
    /** @type {string} */ name,
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ words,
    /** @type {string} */ kind,
  ) => {
    const parts = [
      svg("rect", { x, y, width: column, height: high, rx: 6 }),
      svg("text", { x: x + 10, y: y + high / 2 + 4 }, words),
    ];
    const explained = kind === "plain" && explanationOf(plan.page);
    const group = svg("g", { class: `plan-box ${kind}` }, explained ? svg("a", { href: explained }, parts) : parts);
    const isFollowed = kind === (isAlone ? "decoder" : "cross");
    if (kind !== "plain")
      group.append(
        ...headsOf(plan, scene.heads, name, { column, right: x + column, middle: y + high / 2, isFollowed }),
      );
    plan.boxes[name] = group;
    picture.append(group);
  };
  const encoderTop = bottom - nEncoder * (2 * high + gap + between);
  const drawEncoder = (/** @type {number} */ layer) => {
    const y = bottom - (layer + 1) * (2 * high + gap + between) + between;
    box(`e${layer}.ff`, 4, y, t[`plan_feed_forward${short}`], "plain");
    box(`e${layer}.self`, 4, y + high + gap, t[`plan_self${short}`], "encoder");
  };
  const drawDecoder = (/** @type {number} */ layer) => {
    const y = bottom - (layer + 1) * layerHeight + between;
    box(`d${layer}.ff`, decoderX, y, t[`plan_feed_forward${short}`], "plain");
    if (!isAlone) box(`d${layer}.cross`, decoderX, y + high + gap, t[`plan_cross${short}`], "cross");
    box(`d${layer}.self`, decoderX, y + (nParts - 1) * (high + gap), t[`plan_masked${short}`], "decoder");
  };
  const middle = column + bridge / 2 + 6;
  plan.bridges = Array.from({ length: isAlone ? 0 : nDecoder }, (_, layer) => {
    const y = bottom - (layer + 1) * layerHeight + between + high + gap + high / 2;
    return svg("path", {
      class: "plan-bridge",
      pathLength: 1,
      d: `M${column / 2} ${encoderTop + between - 2}V${encoderTop - 8}H${middle}V${y}H${decoderX}`,
    });
  });
  const right = decoderX + column;
  plan.loop = svg("path", {
    class: "plan-loop",
    pathLength: 1,
    d: `M${decoderX + column / 2} ${top - 2}V${top - 10}H${right + 12}V${bottom + 40}H${right - 8}`,
  });
  plan.output = svg("text", { class: "plan-output", x: decoderX + column / 2, y: 28, "text-anchor": "middle" });
  picture.prepend(...plan.bridges, plan.loop);
  picture.append(plan.output, svg("text", { class: "plan-title", x: decoderX, y: 46 }, t.plan_decoder));
  if (!isAlone)
    picture.append(
      svg("text", { class: "plan-title", x: 4, y: encoderTop - 20 }, t.plan_encoder),
      svg(
        "text",
        { class: "plan-note", x: middle - 8, y: encoderTop - 14, "text-anchor": "end" },
        plan.width > 700 ? t.plan_bridge : "",
      ),
    );
  const row = (/** @type {number} */ left) =>
    h("div", { class: "plan-tokens", style: { left: `${left}px`, top: `${bottom + 12}px`, width: `${column}px` } });
  const targetRow = row(decoderX);
  const sourceRow = isAlone ? targetRow : row(4);
  Object.assign(plan, { sourceRow, targetRow });
  plan.holder.replaceChildren(picture, ...new Set([sourceRow, targetRow]));
  plan.label();
  const write = () => {
    if (!isAlone)
      sourceRow.append(
        ...(scene.picture
          ? [textOrPicture({ text: scene.text, says: scene.translation })]
          : scene.source.pieces.map((/** @type {string} */ piece) => h("span", {}, spoken(piece, t)))),
      );
    plan.follow(plan.page.stage.last); // the longest row of the decoder's tokens
  };
  const settle = () => {
    const rows = [sourceRow, targetRow].map(({ offsetHeight }) => offsetHeight);
    if (!plan.hasFlown) plan.fly();
    plan.holder.style.minHeight = `${bottom + 24 + Math.max(...rows)}px`;
  };
  const stack = (/** @type {number} */ n, /** @type {(layer: number) => void} */ draw) =>
    Array.from({ length: n }, (_, layer) => () => draw(layer));
  const layers = [...stack(nEncoder, drawEncoder), ...stack(nDecoder, drawDecoder)];
  const follow = () => !plan.isPlaying && plan.follow(plan.page.stage.step);
  // One frame each: all in one would be a long task.
  plan.built = runInTurn([write, settle, ...layers, follow], () => picture.isConnected);
}

/** The address of the article's section on feed-forward networks, for the present sentence; undefined in the article.
 * @param {PlanPage} page */
function explanationOf({ written, language, choices }) {
  const article = written?.story[language];
  return article && `${article}?${new URLSearchParams({ text: choices.text })}#units_1`;
}

/**
 * The heads of a layer as squares; the followed ones show the largest weight of the present step.
 * @param {ModelPlan} plan
 * @param {number} heads
 * @param {string} name
 * @param {{column: number, right: number, middle: number, isFollowed: boolean}} place width, right edge and middle of the box
 */
function headsOf(plan, heads, name, { column, right, middle, isFollowed }) {
  const [maxPitch, label] = plan.isNarrow ? [7, 68] : [14, 152];
  const pitch = Math.min(maxPitch, (column - label) / heads);
  const size = pitch - (pitch < 5 ? 1 : Math.round(pitch / 4.5));
  const squares = Array.from({ length: heads }, (_, head) => ({
    x: right - 7 - (heads - head) * pitch,
    y: middle - size / 2,
  }));
  // Squares that never change are one path, which is faster to lay out.
  if (!isFollowed)
    return [
      svg("path", {
        class: "plan-head",
        d: squares.map(({ x, y }) => `M${x} ${y}h${size}v${size}h-${size}z`).join(""),
      }),
    ];
  return squares.map(({ x, y }, head) =>
    svg("rect", { class: "plan-head", "data-head": `${name}.${head}`, x, y, width: size, height: size, rx: 2 }),
  );
}

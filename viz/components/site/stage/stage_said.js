// What stands below the sentence on the stage: its line in words, the buttons of its steps, and the candidates.

import { candidateBars } from "../../shared/candidates.js";
import { h, isStill } from "../../shared/dom.js";
import { surprise } from "../../shared/surprise.js";
import { bare, fill, isSpecial, spoken } from "../../shared/text.js";
import { wordAt, wordsSeen } from "./scene.js";
import { withTerms } from "../../shared/terms.js";

/** @import { Scene } from "./scene.js" */
/** @import { Stage } from "./stage.js" */

const SHOWN = 5; // candidates
const TWO_WORDS = 0.6; // a word with less weight is named together with the next one
const RISE = 320; // milliseconds in which the bars grow

/**
 * A word as it is named in a sentence.
 * @param {Record<string, string>} t
 * @param {string} text empty for a space
 */
const quoted = (t, text) => (text ? fill(t.quoted, { text }) : t.a_space);

/**
 * A word of the source, or a strip of a picture, as it is named in a sentence.
 * @param {Record<string, string>} t
 * @param {Scene} scene
 * @param {string} text
 */
const nameOfSource = (t, { picture }, text) => (picture ? fill(t.strip, { text }) : quoted(t, text));

/**
 * What the ribbons say, in one sentence.
 * @param {Stage} stage
 * @param {Scene} scene
 */
export function drawLine(stage, scene) {
  const { step, t, source } = stage;
  if (stage.isOff) return void stage.line.replaceChildren(t.line_off);
  const weights = scene.weightsOf(...stage.head);
  const width = scene.source.ids.length;
  if (source !== null) return void stage.line.replaceChildren(lookedAt(t, scene, source, weights));
  const seen = wordsSeen(scene.source, weights.subarray(step * width, (step + 1) * width));
  const name = (/** @type {{isStart: boolean, isEnd: boolean, text: string}} */ { isStart, isEnd, text }) =>
    isStart ? t.the_start : isEnd ? t.the_end : nameOfSource(t, scene, text);
  const both =
    seen[0].weight >= TWO_WORDS || seen.length < 2
      ? name(seen[0])
      : fill(t.and, { one: name(seen[0]), other: name(seen[1]) });
  const isLast = isSpecial(scene.target.pieces[step]);
  const said = quoted(t, scene.picture ? bare(scene.target.pieces[step]) : wordAt(scene.target, step));
  stage.line.replaceChildren(...withTerms(fill(isLast ? t.line_end : t.line, { said, seen: both }), stage.glossary));
}

/**
 * The words for which a source word is looked at.
 * @param {Record<string, string>} t
 * @param {Scene} scene
 * @param {number} source
 * @param {Float32Array} weights (T, S)
 */
function lookedAt(t, scene, source, weights) {
  const width = scene.source.ids.length;
  const seen = nameOfSource(t, scene, wordAt(scene.source, source));
  const places = scene.target.ids.flatMap((_, place) => (weights[place * width + source] >= 0.3 ? [place] : []));
  const said = [
    ...new Set(
      places
        .filter((place) => !isSpecial(scene.target.pieces[place]))
        .map((place) => (scene.picture ? bare(scene.target.pieces[place]) : wordAt(scene.target, place))),
    ),
  ];
  const names = said.map((text) => quoted(t, text)).join(t.comma);
  return said.length ? fill(t.line_source, { seen, said: names }) : fill(t.line_source_none, { seen });
}

/**
 * What the change did to the translation, in one sentence; without a change, what can be pressed.
 * @param {Stage} stage
 * @param {Scene} scene
 */
export function drawChange({ t, before, same, only, root }, { translation }) {
  const said = before ? wordsOfChange(t, before.translation, translation, only) : t.press_word;
  if (same.textContent !== said) same.textContent = said; // it is read aloud
  root.toggleAttribute("data-changed", before !== null);
}

/** @type {(t: Record<string, string>, before: string, after: string, only: number[] | null) => string} */
function wordsOfChange(t, before, after, only) {
  if (before === after) return t.unchanged;
  const found = surprise(before, [[0, 0, after]]);
  if (!found) return t.changed;
  const { before: gone, after: came } = found;
  return only
    ? fill(t.became_without, { head: only.join("·"), before: gone, after: came })
    : fill(t.became, { before: gone, after: came });
}

/**
 * Back, play and on.
 * @param {Stage} stage
 * @param {Scene} scene
 */
export function drawTools(stage, scene) {
  const { t, step, isPlaying } = stage;
  const last = stage.last;
  const quiet = (
    /** @type {string} */ name,
    /** @type {string} */ sign,
    /** @type {boolean} */ isOff,
    /** @type {() => void} */ act,
  ) =>
    h(
      "button",
      {
        type: "button",
        class: "stage-tool",
        "data-name": name,
        "aria-label": t[name],
        title: t[name],
        disabled: isOff,
        onclick: act,
      },
      sign,
    );
  const isDone = stage.written > last;
  const play = isStill()
    ? null
    : quiet(isPlaying ? "pause" : isDone ? "again" : "play", isPlaying ? "❚❚" : isDone ? "↻" : "▶", false, () =>
        isPlaying ? stage.pauseByReader() : stage.resume(),
      );
  stage.tools.replaceChildren(
    quiet("step_back", "‹", step === 0, () => stage.go(step - 1)),
    play ?? "",
    quiet("step_on", "›", step >= last, () => stage.go(step + 1)),
    h("span", { class: "stage-count" }, fill(t.step_of, { step: step + 1, steps: scene.target.ids.length })),
  );
}

/**
 * The candidates of the step.
 * @param {Stage} stage
 * @param {Scene} scene
 * @param {boolean} isShown while the translation is written they come later
 */
export function drawBars(stage, scene, isShown) {
  const { step } = stage;
  stage.hasBars = isShown;
  const said = scene.target.ids[step];
  const own = () =>
    scene.candidates[step]
      .slice(0, SHOWN)
      .map(([id, piece, logProb]) => ({ id, piece, share: Math.exp(logProb), isChosen: id === said }));
  const bars = stage.drawnFrom?.(step) ?? own();
  stage.bars.setAttribute("aria-label", stage.t.candidates);
  stage.bars.replaceChildren(
    ...candidateBars(bars, {
      help: ({ piece, isChosen }) =>
        isChosen ? stage.t.said : fill(stage.t.choose, { piece: spoken(piece, stage.t) }),
      choose: ({ id, isChosen }) => !isChosen && stage.on.chosen([...scene.target.ids.slice(0, step), id]),
      name: (piece) => spoken(piece, stage.t),
    }),
  );
  stage.bars.toggleAttribute("data-waiting", !isShown);
}

/**
 * The bars of the step grow from nothing.
 * @param {import("./stage.js").Stage} stage
 */
export function riseBars(stage) {
  stage.hasBars = true;
  stage.bars.removeAttribute("data-waiting");
  if (isStill()) return;
  for (const ink of stage.bars.querySelectorAll(".ink"))
    ink.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: RISE, easing: "ease-out" });
}

// Parts of the pages by their elements and events: squares of heads, buttons, groups, questions on a phone.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./elements.js";

const components = "../../viz/components";
const { h } = await import(`${components}/shared/dom.js`);
const { keepOneStop } = await import(`${components}/shared/roving.js`);
const { actionButtons } = await import(`${components}/attention/js/controls/context.js`);
const { Matters } = await import(`${components}/attention/js/matters.js`);
const { Heads } = await import(`${components}/site/stage/heads.js`);
const { questionScreen } = await import(`${components}/phone/question.js`);
const { Drawing } = await import(`${components}/inside/js/blocks.js`);
const { openHead } = await import(`${components}/site/desk_heads.js`);
const { experiments } = await import(`${components}/site/desk/experiments.js`);
const { unchanged } = await import(`${components}/site/links/choices.js`);
const { SamplingSliders } = await import(`${components}/decoding/js/sampling.js`);
const { buildPlan } = await import(`${components}/site/levels/plan_picture.js`);
const { ModelPlan } = await import(`${components}/site/levels/model_plan.js`);
const { Pane } = await import(`${components}/attention/js/pane.js`);
const { NextWord } = await import(`${components}/decoding/js/candidates.js`);

test("arrow keys move from head to head and stop at every edge", () => {
  const chosen = [];
  const heads = new Heads(
    { this_head: "{ $layer } { $head }", heads_caption: "" },
    { chosen: (head) => chosen.push(head) },
  );
  const scene = { layers: 2, heads: 3 };
  const press = (head, key) => {
    heads.draw(scene, { head, off: [] });
    heads.grid.dispatch("keydown", { key });
    return chosen.splice(0);
  };
  assert.deepEqual(press([1, 1], "ArrowUp"), [[0, 1]]);
  assert.deepEqual(press([0, 1], "ArrowDown"), [[1, 1]]);
  assert.deepEqual(press([0, 1], "ArrowLeft"), [[0, 0]]);
  assert.deepEqual(press([0, 1], "ArrowRight"), [[0, 2]]);
  for (const [head, key] of [
    [[0, 1], "ArrowUp"],
    [[1, 1], "ArrowDown"],
    [[0, 0], "ArrowLeft"],
    [[0, 2], "ArrowRight"],
    [[0, 1], "x"],
  ])
    assert.deepEqual(press(head, key), [], key);
});

test("the page's actions are offered for a single head only", () => {
  const requested = [];
  const explorer = (heads, isOff = false) => ({
    state: { heads },
    packet: { actions: ["open_head", "switch_off"] },
    strings: { do_open_head: "open", do_switch_off: "off", do_switch_on: "on" },
    isOff: () => isOff,
    requestAction: (name) => requested.push(name),
  });
  const words = (buttons) => buttons.map((button) => button.textContent);
  assert.deepEqual(words(actionButtons(explorer([[0, 1]]))), ["open", "off"]);
  assert.deepEqual(words(actionButtons(explorer([[0, 1]], true))), ["open", "on"]);
  const [first, second] = [0, 1].map((head) => [0, head]);
  assert.deepEqual(actionButtons(explorer([first, second])), []);
  actionButtons(explorer([[0, 1]], true))[1].dispatch("click");
  assert.deepEqual(requested, ["switch_on"]);
});

test("the translation without a head is that of this layer and this head", () => {
  const changing = [
    [0, 0, "one"],
    [0, 1, "two"],
    [1, 0, "three"],
    [1, 1, "four"],
  ];
  const matters = new Matters({ strings: {}, matters: { kind: "cross", changing }, state: { kind: "cross" } });
  assert.deepEqual(
    changing.map(([layer, head]) => matters.without([layer, head])),
    ["one", "two", "three", "four"],
  );
  assert.equal(matters.without([2, 0]), null);
});

test("Tab stops at the focused button of a group, else at the pressed one that is in sight, else at the first", () => {
  const group = h("div", {}, ...["a", "b", "c"].map((name) => h("button", { "aria-pressed": "false" }, name)));
  const [a, b, c] = group.findAll("button");
  const stop = () => {
    keepOneStop(group, "button");
    return group.findAll("button").filter((button) => button.tabIndex === 0);
  };
  assert.deepEqual(stop(), [a]);
  b.setAttribute("aria-pressed", "true");
  assert.deepEqual(stop(), [b]);
  b.hidden = true;
  assert.deepEqual(stop(), [a]);
  a.hidden = true;
  assert.deepEqual(stop(), [c]);
  a.focus();
  assert.deepEqual(stop(), [a]);
});

const WORDS = {
  question: "Question",
  model_says: "{ $share }",
  act_votes: "Votes",
  votes: "votes",
  measured: "head",
  you: "you",
  vote_once: "tap",
};
const PLACE = { layer: 0, head: 0 };

/** The screen of a question whose answers are words. */
const screenOf = (question, shown = PLACE) =>
  questionScreen(
    { words: { en: "Which?" }, options: { en: ["one", "two"] }, n: 2, ...question },
    { words: WORDS, votes: {}, language: "en", answer: () => {}, shown },
  );

test("a phone shows the sentence of a question with its translation, and without it where that is the answer", () => {
  const textsOf = (...args) =>
    screenOf(...args)
      .findAll(".about")
      .flatMap((about) => about.findAll("p"))
      .map((paragraph) => paragraph.textContent);
  assert.deepEqual(textsOf({ kind: "word", sentence: "A cat.", text: "Un chat." }), ["A cat.", "Un chat."]);
  assert.deepEqual(textsOf({ kind: "word", sentence: "A cat." }), ["A cat."]);
  assert.deepEqual(textsOf({ kind: "word" }), []);
  assert.deepEqual(textsOf({ kind: "word" }, { ...PLACE, sentence: "A dog.", text: "Un chien." }), [
    "A dog.",
    "Un chien.",
  ]);
});

test("taps on source tokens are compared with the head's weights once those are measured", () => {
  const measured = { measured: [0.25, 0.75], tally: { 0: 1, 1: 3 }, revealed: true, n: 2 };
  assert.equal(screenOf({ kind: "source", ...measured }).findAll("table").length, 1);
  assert.equal(screenOf({ kind: "source" }).findAll("table").length, 0);
  assert.equal(screenOf({ kind: "word", ...measured }).findAll("table").length, 0);
});

test("the unlisted tokens have the rest of the probability", () => {
  const words = new Proxy(
    { others: "{ $n } others: { $share }", candidate_help: "" },
    { get: (all, key) => all[key] ?? "" },
  );
  const next = new NextWord(
    words,
    () => {},
    () => {},
  );
  const candidates = [
    [5, "▁a", Math.log(0.5)],
    [6, "▁b", Math.log(0.3)],
  ];
  next.load(null);
  next.draw({
    candidates,
    chosenId: 5,
    fed: "x",
    predicted: "▁a",
    ranks: null,
    suppressed: -1,
    vocabulary: 100,
    isFixed: false,
  });
  assert.match(next.remark.textContent, /98 others: 20/);
});

test("an arrow key moves from a number of a block to its neighbour, and stops at the edges", () => {
  const cells = [];
  const press = (focused, key) => {
    const block = { symbol: "q", title: "query", shape: [3, 4] };
    const canvas = Drawing.prototype.createCanvas.call({ block, focused }, { pin: (_, cell) => cells.push(cell) }, {});
    canvas.dispatch("keydown", { key });
    return cells.pop();
  };
  assert.deepEqual(press(undefined, "ArrowDown"), [1, 0]);
  assert.deepEqual(press(undefined, "ArrowRight"), [0, 1]);
  assert.deepEqual(press([2, 3], "ArrowDown"), [2, 3]);
  assert.deepEqual(press([2, 3], "ArrowUp"), [1, 3]);
  assert.deepEqual(press([0, 0], "ArrowLeft"), [0, 0]);
});

test("an outline stays within its row or column of numbers", () => {
  const drawn = [];
  const pen = { strokeRect: (...box) => drawn.push(box) };
  const drawing = { w: 20, h: 10, across: 4, lines: 3, block: { shape: [3, 4] } };
  for (const line of ["row", "column"]) Drawing.prototype.outlineLine.call(drawing, pen, line, 1);
  const within = ([x, y, width, height], left, top, right, bottom) =>
    assert.ok(x >= left && y >= top && x + width <= right && y + height <= bottom, `${[x, y, width, height]}`);
  within(drawn[0], 0, 10, 80, 20);
  within(drawn[1], 20, 0, 40, 30);
});

test("the open head is the page's, unless the link names one or another kind of attention", () => {
  const desk = (kind, choices = {}) => ({
    choices: { kind, heads: [], ...choices },
    page: { head: () => [0, 1] },
    trace: { main: "cross", clearest: [1, 1] },
  });
  assert.deepEqual(openHead(desk("cross")), { kind: "cross", layer: 0, head: 1 });
  assert.deepEqual(openHead(desk("encoder_self")), { kind: "encoder_self", layer: 1, head: 1 });
  assert.deepEqual(openHead(desk("cross", { heads: [[1, 0]] })), { kind: "cross", layer: 1, head: 0 });
});

test("the row that is selected first is one that is forced in this head, not in another", () => {
  const row = (kind, layer, head, query) => ({ kind, layer, head, query, weights: [1, 0] });
  const pieces = ["▁a", "▁b", "▁c", "</s>"];
  const chosen = (...forced) => {
    const desk = {
      t: new Proxy({}, { get: () => "" }),
      choices: { ...unchanged(), forced },
      trace: {
        text: "a b c",
        about: { config: {} },
        main: "cross",
        first: 0,
        source: { pieces },
        predicted: { pieces },
        fed: { pieces },
      },
      open: { kind: "cross", layer: 1, head: 2 },
    };
    const options = experiments(desk, desk.trace, false).findAll("option");
    return options
      .filter((option) => option.getAttribute("selected") !== null)
      .map((option) => option.getAttribute("value"));
  };
  assert.deepEqual(chosen(), ["0"]);
  assert.deepEqual(chosen(row("cross", 1, 2, 3)), ["3"]);
  for (const other of [row("encoder_self", 1, 2, 3), row("cross", 0, 2, 3), row("cross", 1, 0, 3)])
    assert.deepEqual(chosen(other), ["0"]);
});

test("the sampling sliders show the current options", () => {
  const words = { temperature: "T", top_k: "k", top_p: "p", min_p: "m", top_k_all: "all" };
  const sliders = new SamplingSliders(words, { onMove: () => {}, onSet: () => {} });
  const setTopK = (topK) => {
    sliders.set({ temperature: 1, top_k: topK, top_p: 1, min_p: 0 });
    const [, input] = sliders.root.findAll("input");
    const place = input.value;
    input.dispatch("input");
    input.dispatch("change");
    return [Number(place) >= 0, sliders.sampling.top_k, sliders.root.findAll("output")[1].textContent];
  };
  assert.deepEqual(setTopK(50), [true, 50, "50"]);
  assert.deepEqual(setTopK(0), [true, 0, "all"]);
});

test("the plan of a model has its layers side by side within its room, and a decoder-only model no encoder", async () => {
  Object.assign(globalThis.window, { innerHeight: 900, innerWidth: 1400 });
  const planOf = async (main, width) => {
    const stage = { scene: { main, layers: 3, heads: 2, source: { pieces: ["▁a"] } }, last: 0, step: 0 };
    const desk = { about: { config: { n_encoder_layers: 2 } } };
    const holder = Object.assign(h("div"), { clientWidth: width });
    const plan = { holder, page: { stage, desk, t: {} }, label: () => {}, follow: () => {}, fly: () => {} };
    globalThis.requestAnimationFrame = (act) => setTimeout(act);
    buildPlan(plan);
    await plan.built;
    const sides = Object.entries(plan.boxes).map(([name, box]) => {
      const [{ attributes }] = box.findAll("rect");
      return [name, Number(attributes.get("x")), Number(attributes.get("width"))];
    });
    return { names: sides.map(([name]) => name).sort(), sides, places: plan.targetRow.style };
  };
  const both = ["d0", "d1", "d2"].flatMap((layer) => [`${layer}.cross`, `${layer}.ff`, `${layer}.self`]);
  const encoder = ["e0.ff", "e0.self", "e1.ff", "e1.self"];
  for (const width of [360, 720, 1200]) {
    const { names, sides } = await planOf("cross", width);
    assert.deepEqual(names, [...both, ...encoder]);
    const [left, right] = ["e", "d"].map((stack) => sides.filter(([name]) => name.startsWith(stack)));
    const end = Math.max(...left.map(([, x, wide]) => x + wide));
    assert.ok(
      right.every(([, x, wide]) => x >= end && x + wide <= width),
      `${width}`,
    );
    const alone = await planOf("decoder_self", width);
    assert.deepEqual(
      alone.names,
      both.filter((name) => !name.endsWith("cross")),
    );
    assert.ok(
      alone.sides.every(([, x, wide]) => x >= 0 && x + wide <= width),
      `${width} alone`,
    );
  }
});

test("the button stops an animation, and starts it again", () => {
  globalThis.ResizeObserver = class {
    observe() {}
  };
  const page = { site: { strings: { en: { overview: { run: "run", pause: "pause" } } } }, language: "en" };
  const plan = new ModelPlan(h("div"), page);
  let plays = 0;
  plan.play = () => {
    plays += 1;
    plan.isPlaying = true;
  };
  for (let press = 0; press < 4; press += 1) plan.button.dispatch("click");
  assert.equal(plays, 2);
  assert.equal(plan.button.textContent, "run");
});

test("the panes of two sentences are titled by the sentence, those of two models by the model", () => {
  const nameOf = (captions, place) => {
    const explorer = {
      views: captions.map((caption) => ({ caption, kinds: new Map() })),
      state: { kind: "cross", view: "map", heads: [[0, 0]] },
      strings: {},
      panes: [1, 2],
      headsIn: () => [[0, 0]],
      matrixFor: () => ({ broken: [] }),
    };
    const pane = new Pane(explorer, place);
    for (const part of [...pane.drawings.values(), pane.sentences]) part.show = () => {};
    pane.show();
    return pane.title.textContent;
  };
  const sentences = ["A cat. → Un chat. · one", "A dog. → Un chien. · one"];
  assert.deepEqual([nameOf(sentences, 0), nameOf(sentences, 1)], ["A cat.", "A dog."]);
  const models = ["A cat. → Un chat. · one", "A cat. → Le chat. · two"];
  assert.deepEqual([nameOf(models, 0), nameOf(models, 1)], ["one", "two"]);
});

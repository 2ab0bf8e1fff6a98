// The pad: strokes, pictures, and the text that encodes them.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./elements.js";
import { written } from "./files.js";
import { ReadWord } from "../../viz/components/shared/pad/read_word.js";
import { Pad } from "../../viz/components/shared/pad/pad.js";
import {
  greyOfPixels,
  MAX_PICTURE_CHARACTERS,
  PICTURE_WIDTH,
  fitInk,
  inkWidth,
  pictureOfText,
  stripsOf,
  textOfPicture,
} from "../../viz/components/shared/pad/picture.js";
import { rasterize, frameOf } from "../../viz/components/shared/pad/strokes.js";

const HELLO = written("hello");
const picture = rasterize(HELLO, frameOf(HELLO));
const WORDS = {
  ...Object.fromEntries(
    ["pad", "pad_hint", "pad_undo", "pad_rub", "pad_clear", "pad_choose"].map((name) => [name, name]),
  ),
  pad_no_picture: "no picture",
};
globalThis.ResizeObserver ??= class {
  observe() {}
};

/** A pad of 400 × 100 pixels, and the texts that it has reported. */
function createPad() {
  const texts = [];
  const pad = new Pad(WORDS, { changed: (text) => texts.push(text) });
  Object.assign(pad.canvas, {
    clientWidth: 400,
    clientHeight: 100,
    getBoundingClientRect: () => ({ left: 0, top: 0 }),
    setPointerCapture: () => undefined,
  });
  return { pad, texts };
}

/** Draw strokes through the pad's pointer events. */
function write(pad, strokes, pointerId = 1) {
  for (const { points } of strokes) {
    const [first, ...rest] = points.map(({ x, y }) => ({ clientX: 100 * x, clientY: 100 * y, pointerId, button: 0 }));
    pad.canvas.dispatch("pointerdown", first);
    for (const point of rest) pad.canvas.dispatch("pointermove", point);
    pad.canvas.dispatch("pointerup", first);
  }
}

const press = (pad, name) =>
  pad.root
    .findAll("button")
    .find((button) => button.getAttribute("data-name") === `pad-${name}`)
    .dispatch("click");

test("a word takes a few hundred characters, which decode to the same picture", () => {
  const text = textOfPicture(picture);
  assert.ok(text.length < 500, `${text.length}`);
  const again = pictureOfText(text);
  assert.equal(textOfPicture(again), text);
  assert.ok(again.every((value, i) => Math.abs(value - picture[i]) <= 43));
});

test("a text that encodes no picture is refused", () => {
  const text = textOfPicture(picture);
  const wrong = [
    "",
    "hello",
    "ink",
    "ink.é",
    "ink.a b",
    `${text}!`,
    "ink.P".padEnd(5000, "P"),
    "ink.".padEnd(MAX_PICTURE_CHARACTERS + 5, "A"),
  ];
  for (const other of wrong) assert.equal(pictureOfText(other), null, other.slice(0, 20));
  assert.ok(pictureOfText("ink.").every((value) => value === 0));
});

test("noise that would take too many characters is truncated", () => {
  const noise = picture.map((_, i) => (i * 7919) % 256);
  const text = textOfPicture(noise);
  assert.ok(text.length <= MAX_PICTURE_CHARACTERS + 4);
  assert.ok(pictureOfText(text));
});

test("the size of the writing changes neither the word nor the width of the pen", () => {
  for (const size of [0.1, 0.2, 0.35]) {
    const strokes = written("hello", { size });
    const other = rasterize(strokes, frameOf(strokes));
    assert.ok(other.every((value, i) => Math.abs(value - picture[i]) < 12));
  }
});

test("a dot is drawn, and without ink there is no picture", () => {
  const dot = [{ points: [{ x: 1, y: 0.5 }] }];
  assert.ok(inkWidth(rasterize(dot, frameOf(dot))) <= 9);
  assert.equal(fitInk({ pixels: new Uint8Array(100), width: 10, height: 10 }), null);
});

test("a picture is cut into strips of the model's width, all of it or to a margin after its ink", () => {
  const whole = { strip: 6, right: null };
  assert.equal(stripsOf(picture, whole).length, 64);
  assert.equal(stripsOf(picture, { ...whole, strip: 4 }).length, 96);
  const some = stripsOf(picture, { strip: 6, right: 8 });
  assert.equal(some.length, Math.ceil((inkWidth(picture) + 8) / 6));
  assert.deepEqual(some, stripsOf(picture, whole).slice(0, some.length));
  assert.equal(some[1][6 * 15 + 2], Math.fround(picture[15 * PICTURE_WIDTH + 6 + 2] / 255));
});

test("dark ink on paper and light ink on a board are the same word", () => {
  const data = (ink, ground) => {
    const all = new Uint8ClampedArray(4 * picture.length).fill(255);
    picture.forEach((value, i) => all.fill(Math.round(ground + ((ink - ground) * value) / 255), 4 * i, 4 * i + 3));
    return greyOfPixels(all, PICTURE_WIDTH, picture.length / PICTURE_WIDTH);
  };
  const dark = fitInk(data(20, 240));
  const light = fitInk(data(230, 10));
  assert.ok(dark.every((value, i) => Math.abs(value - light[i]) <= 2));
  assert.equal(data(120, 140), null);
});

test("the value is reported after each stroke of a pointer", () => {
  const { pad, texts } = createPad();
  write(pad, HELLO);
  assert.equal(texts.length, HELLO.length);
  assert.equal(texts.at(-1), pad.value);
  const decoded = pictureOfText(pad.value);
  assert.ok(decoded.every((value, i) => Math.abs(value - picture[i]) <= 90));
});

test("a second finger does not write during the first one's stroke", () => {
  const { pad, texts } = createPad();
  pad.canvas.dispatch("pointerdown", { clientX: 10, clientY: 10, pointerId: 1, button: 0 });
  write(pad, HELLO, 2);
  assert.equal(texts.length, 0);
  pad.canvas.dispatch("pointerup", { pointerId: 1 });
  assert.equal(texts.length, 1);
});

test("undo reverts a stroke and clearing", () => {
  const { pad, texts } = createPad();
  write(pad, HELLO.slice(0, 1));
  const first = pad.value;
  write(pad, HELLO.slice(1, 2));
  press(pad, "undo");
  assert.equal(texts.at(-1), first);
  press(pad, "clear");
  assert.equal(pad.value, "");
  assert.equal(texts.at(-1), "");
  press(pad, "undo");
  assert.equal(pad.value, first);
  press(pad, "undo");
  assert.equal(pad.value, "");
});

test("erasing a letter of a picture does not change the others", () => {
  const { pad } = createPad();
  const before = textOfPicture(picture);
  pad.value = before;
  assert.equal(pad.value, before);
  press(pad, "rub");
  const x = 0.5 * 400;
  write(pad, [{ points: [20, 50, 80].map((y) => ({ x: x / 100, y: y / 100 })) }]);
  const [was, is] = [pictureOfText(before), pictureOfText(pad.value)];
  const columns = [...was].flatMap((value, i) => (value !== is[i] ? [i % PICTURE_WIDTH] : []));
  assert.ok(columns.length > 20);
  assert.ok(Math.max(...columns) - Math.min(...columns) <= 14, `${columns}`);
  assert.ok(is.every((value, i) => value <= was[i]));
});

test("setting the same text again preserves the strokes", () => {
  const { pad } = createPad();
  write(pad, HELLO);
  const { value } = pad;
  pad.value = value;
  press(pad, "undo");
  assert.notEqual(pad.value, "");
});

test("a word that was stored before readings had a width of strips is drawn in strips of 6 pixels", () => {
  const reading = { text: textOfPicture(picture), letters: ["h", "i"], looks: [] };
  const { paper, strips } = new ReadWord(reading, { strokes: "hi", nothing: "" });
  assert.equal(strips.length, Math.ceil(inkWidth(picture) / 6));
  assert.equal(paper.width, strips.length * 6 * 3);
});

// Colours: more ink is more attention in light and dark, and every number on a cell can be read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { css, luminance, mix, parseColour } from "../../viz/components/shared/colour.js";
import { readTheme } from "../../viz/components/attention/js/picture/colour.js";

const COLOURS = {
  light: { panel: "#ffffff", ink: "#1a1a24", ink_soft: "#555566", line: "#dddddd", less: "#0072b2", more: "#d55e00" },
  dark: { panel: "#17181d", ink: "#ececf1", ink_soft: "#aaaabb", line: "#33353d", less: "#56b4e9", more: "#ff8a4c" },
};
for (const mode of Object.values(COLOURS))
  mode.kinds = { encoder_self: "#0b7285", decoder_self: "#7048c8", cross: "#b4430c" };

/** The theme of a page with this background. */
const themeOn = (background) =>
  readTheme({ getPropertyValue: (name) => (name === "--st-background-color" ? background : "") }, COLOURS, false);

const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

test("colours are read as they are written", () => {
  assert.deepEqual(parseColour("#0072B2"), [0, 114, 178]);
  assert.deepEqual(parseColour(" rgb(1, 2, 3) "), [1, 2, 3]);
  assert.deepEqual(parseColour("rgba(1,2,3,0.5)"), [1, 2, 3]);
  assert.deepEqual(parseColour("nonsense"), [127, 127, 127]);
  assert.equal(css([0.4, 254.6, 3]), "rgb(0,255,3)");
  assert.equal(css([1, 2, 3], 0.5), "rgba(1,2,3,0.500)");
  assert.deepEqual(mix([0, 0, 0], [100, 200, 50], 0.5), [50, 100, 25]);
});

test("luminance runs from black to white", () => {
  assert.equal(luminance([0, 0, 0]), 0);
  assert.ok(Math.abs(luminance([255, 255, 255]) - 1) < 1e-9);
});

test("the page's background decides between light and dark", () => {
  assert.equal(themeOn("#ffffff").isDark, false);
  assert.equal(themeOn("#0e1117").isDark, true);
});

test("every palette runs one way from the panel, so that more ink is more attention", () => {
  for (const background of ["#ffffff", "#0e1117"]) {
    const theme = themeOn(background);
    for (const name of ["hue", "grey", "viridis", "cividis"]) {
      const steps = theme.ramp(name, "cross").colours.map(luminance);
      const isRising = steps.at(-1) > steps[0];
      assert.equal(isRising, theme.isDark, `${name} on ${background}`);
      for (let i = 1; i < steps.length; i++)
        assert.ok((isRising ? 1 : -1) * (steps[i] - steps[i - 1]) >= -1e-9, `${name} on ${background}, step ${i}`);
    }
  }
});

test("the number on a cell is readable on every ink", () => {
  for (const background of ["#ffffff", "#0e1117"]) {
    const theme = themeOn(background);
    const ramp = theme.ramp("hue", "cross");
    for (let ink = 0; ink <= 1; ink += 1 / 64) {
      const read = contrast(parseColour(ramp.textAt(ink, theme)), parseColour(ramp.at(ink)));
      assert.ok(read >= 3.9, `${read.toFixed(2)} at ${ink} on ${background}`);
    }
  }
});

test("ink outside of 0 to 1 takes the nearest colour", () => {
  const ramp = themeOn("#ffffff").ramp("hue", "cross");
  assert.equal(ramp.at(-1), ramp.at(0));
  assert.equal(ramp.at(7), ramp.at(1));
});

test("signed differences are the panel at no change", () => {
  const theme = themeOn("#ffffff");
  assert.ok(contrast(parseColour(theme.differences.at(0.5)), theme.panelRgb) < 1.02);
});

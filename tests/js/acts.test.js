// The act of a class, which every screen reads from the same snapshot.

import assert from "node:assert/strict";
import { test } from "node:test";

const { actOf } = await import("../../viz/components/phone/acts.js");

const asked = { revealed: false, explained: false };
const closed = { revealed: true, explained: false };
const explained = { revealed: true, explained: true };
const lesson = { page: "lesson" };
const observed = { page: "lesson", experiment: "picture-a", late: false };

test("a question goes from asking to votes, the experiment and the explanation", () => {
  assert.equal(actOf({ question: null, shown: {} }), "lobby");
  assert.equal(actOf({ question: null, shown: { page: "room" } }), "lobby");
  assert.equal(actOf({ question: null, shown: { page: "explore" } }), "look");
  assert.equal(actOf({ question: asked, shown: lesson }), "ask");
  assert.equal(actOf({ question: closed, shown: lesson }), "votes");
  assert.equal(actOf({ question: closed, shown: observed }), "observe");
  assert.equal(actOf({ question: explained, shown: observed }), "explain");
});

test("acts may be skipped: an experiment without a vote, an explanation without an experiment", () => {
  assert.equal(actOf({ question: null, shown: observed }), "observe");
  assert.equal(actOf({ question: explained, shown: lesson }), "explain");
  assert.equal(actOf({ question: explained, shown: { ...observed, late: true } }), "observe");
});

test("while a question is open its experiment is not shown", () => {
  assert.equal(actOf({ question: asked, shown: observed }), "ask");
});

// Links of the page: the application's schema, links in former formats, and sampling at a temperature.

import assert from "node:assert/strict";
import test from "node:test";

import "./screen.js";
import { translate } from "../../viz/components/engine/translate.js";
import { editsOf, isChanged, prefixOf, unchosen } from "../../viz/components/site/links/choices.js";
import {
  APPLICATION_ONLY,
  applicationLink,
  readLink,
  writeLink,
  pinOf,
  pinnedToken,
} from "../../viz/components/site/links/link.js";
import { lookFrom, lookOn } from "../../viz/components/site/desk_heads.js";
import { readJson } from "./files.js";
import { model } from "./golden.js";

const { schema, links, drawn: sampled } = readJson("link_cases.json");
const paramsOf = (link) => Object.fromEntries(new URLSearchParams(link.slice(link.indexOf("?"))));
const choicesOf = (search) => readLink(search, schema).choices;

test("links of the application are read and written back unchanged", () => {
  for (const { link, params } of links) {
    const { choices, unsupported } = readLink(link, schema);
    assert.deepEqual(unsupported, []);
    assert.deepEqual(paramsOf(writeLink(choices, schema)), params);
    assert.deepEqual(choicesOf(writeLink(choices, schema)), choices);
    const application = new URL(applicationLink({ ...choices, level: "head" }, schema, "https://example.org/app"));
    assert.equal(application.pathname, "/app/inside");
    const step = choices.pins[0]?.startsWith("q") ? { "inside.query": choices.pins[0].slice(1) } : {};
    assert.deepEqual(paramsOf(application.search), { ...params, ...step });
  }
});

test("parameters that the page cannot show are listed, and the others restored", () => {
  const { choices, unsupported } = readLink(
    "?text=A+cat.&method=beam&beam_size=5&max_length=9&top_k=5&other_text=A+dog.&weighting=value_weighted&target_language=de" +
      "&interventions=off:x.1.2+patch:encoder.3.residual.after=zero+unmask&effects=1&causal.rival=3",
    schema,
  );
  assert.deepEqual(
    new Set(unsupported),
    new Set(["patch", "unmask", "beam", "length", "other", "target", "weighting"]),
  );
  assert.deepEqual(choices.off, [{ kind: "cross", layer: 1, head: 2 }]);
  assert.deepEqual(readLink("?method=sample&min_p=0.1", schema).unsupported, ["filter"]);
});

test("each parameter of the schema is read, listed as unsupported, or a setting of the reader", () => {
  const ofReader = ["first_index", "presenter", "waiting", "tokens_of"];
  const withoutEffectHere = ["compare", "effects"]; // of a comparison; and a button of the page
  const notRead = new Set([
    ...ofReader,
    ...withoutEffectHere,
    ...Object.values(APPLICATION_ONLY).flat(),
    ...schema.look,
  ]);
  const read = [
    "text",
    "model",
    "language",
    "kind",
    "layer",
    "head",
    "heads",
    "pins",
    "method",
    "prefix",
    "temperature",
    "top_k",
    "top_p",
  ];
  for (const name of Object.keys(schema.fields)) assert.ok(notRead.has(name) || [...read, "seed"].includes(name), name);
});

test("links in the format before the common schema still open", () => {
  const old = choicesOf(
    "?text=%C3%87a+va%3F&model=tiny&off=cross.1.2%2Cencoder_self.0.3&hide=3&positions=zero&force=cross.2.1.3.2~4" +
      "&said=510%2C7&heat=18&seed=5&view=heads&lang=fr&kind=encoder_self&heads=0.1%2C2.3",
  );
  assert.deepEqual(old, {
    ...unchosen(),
    text: "Ça va?",
    model: "tiny",
    language: "fr",
    kind: "encoder_self",
    heads: [
      [0, 1],
      [2, 3],
    ],
    level: "heads",
    off: [
      { kind: "cross", layer: 1, head: 2 },
      { kind: "encoder_self", layer: 0, head: 3 },
    ],
    blocked: [{ kind: "cross", key: 3, layer: null, head: null, query: null }],
    moved: { mode: "zero", amount: 0 },
    forced: [{ kind: "cross", layer: 2, head: 1, query: 3, weights: [0, 0, 1, 0, 1] }],
    prefix: [510, 7],
    temperature: 1.8,
    seed: 5,
  });
  assert.deepEqual(choicesOf("?heads=3.6").heads, [[3, 6]]);
  assert.deepEqual(choicesOf("?layer=1&heads=3.6").heads, [
    [1, 0],
    [3, 6],
  ]);
});

test("malformed parameters are ignored", () => {
  const odd = [
    "?off=cross.-1.2,nothing,cross.1.x&hide=-4&positions=sideways&kind=no&heads=a.b&said=a,-3&heat=x&view=sideways",
    "?force=cross.1.2.3,cross.1.2.x.1,no.0.0.0.0,cross.0.0.0.99999999",
    "?interventions=off:x.1+off:y.1.2+force:x.1.2.3+force:x.1.2.3%3D-1+force:x.1.2.3%3D0,0+block:x+block:x.1.a+move:up.1",
    "?level=cellar&method=magic&temperature=hot&seed=1.5&layer=one&pins=z9&zoom=1+2+3&threshold=&prefix=1.x&interventions=:",
  ];
  assert.deepEqual(readLink("", schema), { choices: unchosen(), unsupported: [] });
  for (const link of odd) assert.ok(!isChanged(choicesOf(link)), link);
  assert.deepEqual(choicesOf(odd[3]), { ...unchosen(), heads: [[0, 0]] });
  assert.equal(choicesOf("?method=sample&temperature=99").temperature, 5);
  const config = {
    target_vocab_size: 6000,
    n_encoder_layers: 4,
    n_encoder_heads: 8,
    n_decoder_layers: 4,
    n_decoder_heads: 8,
  };
  const size = config.target_vocab_size;
  assert.deepEqual(prefixOf({ ...unchosen(), prefix: [510, 99999, 7] }, config), [510]);
  assert.deepEqual(
    prefixOf({ ...unchosen(), prefix: [size - 1, 7] }, config),
    [size - 1, 7],
    "the last id is the model's",
  );
  assert.deepEqual(prefixOf({ ...unchosen(), prefix: [7, size] }, config), [7]);
  const absent = choicesOf("?interventions=off:x.9.0+off:e.3.7+force:x.1.8.0%3D0,1+block:x.2+block:x.2.9");
  const edits = editsOf(absent, config);
  assert.deepEqual(edits.heads_off, [{ kind: "encoder_self", layer: 3, head: 7 }]);
  assert.deepEqual([edits.forced_rows, edits.blocked_keys.length], [[], 1]);
});

test("the selected token and the explorer's options survive a link", () => {
  const [translation, continuation] = [
    { main: "cross", first: 0 },
    { main: "decoder_self", first: 5 },
  ];
  for (const [kind, side, place, scene] of [
    ["cross", "target", 3, translation],
    ["cross", "source", 2, translation],
    ["encoder_self", "source", 1, translation],
    ["decoder_self", "target", 4, translation],
    ["decoder_self", "target", 2, continuation],
    ["decoder_self", "source", 3, continuation],
  ]) {
    const { step, source } = pinnedToken({ ...unchosen(), kind, pins: pinOf(kind, side, place, scene) }, scene);
    assert.equal(side === "target" ? step : source, place);
  }
  assert.deepEqual(pinnedToken(unchosen(), translation), {});
  const { choices } = readLink(links[4].link, schema);
  const defaults = Object.fromEntries(schema.look.map((name) => [name, schema.fields[name].default]));
  const state = { ...defaults, zoom: null, ...lookOn(choices) };
  assert.deepEqual(state.zoom, [1, 0.5, 3, 4]);
  assert.deepEqual(lookFrom(state, schema), choices.look);
  assert.deepEqual(lookFrom({ ...defaults, zoom: null }, schema), {});
});

test("at a temperature the page samples the same tokens as Python", () => {
  for (const { source, target, ...how } of sampled) assert.deepEqual(translate(model, source, how).target, target);
});

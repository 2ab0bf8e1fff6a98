"""The plan of the model shows every part of the current model and agrees with the trace."""

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import model
from model.inference.reading import NO_TOKENS, prompt_tokens
from model.inference.routing import Routing
from model.trace import TokenSequence
from tests.checkpoint import tiny_bundle
from tests.checkpoints.architectures import ARCHITECTURES, save
from tests.viz.page import page_text, run_page
from viz import cache
from viz.components.overview.plan import MOST_LAYERS, MOST_TOKENS, Part, Plan, Token, plan_of, single_stack_plan_of
from viz.i18n import LANGUAGES, group, speaking
from viz.overview import experts
from viz.plain_text import chip_text

TEXT = "the cat is on the sofa ."


@pytest.fixture(scope="module")
def trace():
    return model.translate(tiny_bundle(), TEXT)


MAP = (Path(__file__).parents[2] / "viz/panels/model_map.py").read_text("utf-8")
LAYERS = {*re.findall(r'"((?:en|de)coder\.\w+)"', MAP), "encoder_self", "decoder_self", "cross"}
"""The names of parts that lead to a page, without their layers."""


def parts_of(plan: Plan) -> list[Part]:
    return [part for stack in plan.stacks for row in stack.rows for part in row.parts]


def tokens_of(plan: Plan) -> list[Token]:
    return [token for stack in plan.stacks for token in stack.tokens]


def test_every_layer_of_both_stacks_is_drawn(trace):
    parts = parts_of(plan_of(tiny_bundle().config, trace, 1))
    names = {part.name for part in parts}
    for layer in range(2):
        assert {f"encoder_self.{layer}", f"decoder_self.{layer}", f"cross.{layer}", f"encoder.feed.{layer}"} <= names
    assert len(names) == len(parts)


@pytest.mark.parametrize("step", [0, 2])
def test_heads_show_their_largest_weight_at_the_step_and_its_token(trace, step):
    plan = plan_of(tiny_bundle().config, trace, step)
    (part,) = [part for part in parts_of(plan) if part.name == "cross.1"]
    for head, drawn_head in enumerate(part.heads):
        row = trace.attention.cross[1, head, step]
        assert drawn_head.share == pytest.approx(row.max()) and drawn_head.token == chip_text(
            trace.source.pieces[int(row.argmax())]
        )


def test_the_source_and_the_translation_so_far_are_lit(trace):
    plan = plan_of(tiny_bundle().config, trace, 1)
    lit = [token.is_lit for token in tokens_of(plan)]
    n_source = len(trace.source)
    assert all(lit[:n_source]) and lit[n_source:] == [True, True] + [False] * (len(trace.prefix) - 2)
    assert plan.candidates[0].probability == pytest.approx(np.exp(trace.candidates.log_probs[1, 0]))


def test_of_a_deep_model_the_first_and_last_layers_are_drawn():
    bundle = tiny_bundle(n_encoder_layers=12, n_decoder_layers=1)
    plan = plan_of(bundle.config, model.translate(bundle, TEXT), 0)
    encoder = [row.label for row in plan.stacks[0].rows if row.label]
    assert encoder == ["0", "1", "2", "3", "…", "9", "10", "11"] and len(encoder) == MOST_LAYERS
    assert [row.label for row in plan.stacks[1].rows] == ["", "0", ""]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_part_has_its_name_and_its_explanation(language, trace):
    with speaking(language):
        words = group("overview")
    for part in parts_of(plan_of(tiny_bundle().config, trace, 0)):
        assert words[part.words] and words[f"about_{part.words}"]


def test_every_box_leads_to_a_page(trace):
    for part in parts_of(plan_of(tiny_bundle().config, trace, 0)):
        assert part.name in LAYERS or part.name.rpartition(".")[0] in LAYERS, part.name


@pytest.fixture(scope="module")
def continued():
    bundle = model.load("tiny-decoder")
    return model.translate(bundle, "The little girl wanted to"), len(prompt_tokens(bundle, "The little girl wanted to"))


def test_the_map_of_one_stack_has_its_layers_its_text_and_the_prediction(continued):
    trace, n_prompt = continued
    plan = single_stack_plan_of(trace, n_prompt - 1, n_prompt=n_prompt, has_positions=False)
    names = {part.name for part in parts_of(plan)}
    assert {f"decoder_self.{layer}" for layer in range(4)} < names
    assert not {"encoder", "cross"} & {name.partition(".")[0] for name in names}
    assert [token.is_lit for token in tokens_of(plan)] == [True] * n_prompt + [False] * (len(trace.prefix) - n_prompt)
    assert plan.predicted == trace.target.pieces[n_prompt - 1].lstrip("▁") == plan.candidates[0].text
    (part,) = [part for part in parts_of(plan) if part.name == "decoder_self.2"]
    for head, drawn_head in enumerate(part.heads):
        row = trace.attention.decoder_self[2, head, n_prompt - 1]
        assert drawn_head.share == pytest.approx(row.max())


def test_of_a_long_text_the_tokens_around_the_step_are_drawn():
    long = model.translate(model.load("tiny-decoder"), "The little girl wanted to go home . " * 5)
    fed = [chip_text(piece) for piece in long.prefix.pieces]
    assert len(fed) > MOST_TOKENS
    for step in (0, 20, len(fed) - 1):
        (stack,) = single_stack_plan_of(long, step, n_prompt=len(fed)).stacks
        lit = [token for token in stack.tokens if token.is_lit]
        assert len(stack.tokens) == MOST_TOKENS and (lit[-1].text, lit[-1].index) == (fed[step], step)


def test_prompt_tokens_lead_to_themselves_and_generated_ones_to_their_step(continued):
    trace, n_prompt = continued
    plan = single_stack_plan_of(trace, 2, n_prompt=n_prompt)
    drawn_tokens = [(token.side, token.index) for token in tokens_of(plan)]
    assert drawn_tokens[:n_prompt] == [("source", i) for i in range(n_prompt)]
    assert drawn_tokens[n_prompt:] == [("target", i) for i in range(len(trace.prefix) - n_prompt)]


def test_boxes_of_one_stack_are_named_and_lead_to_a_page(continued):
    trace, n_prompt = continued
    encoder_trace = dataclasses.replace(
        trace, source=trace.prefix, target=NO_TOKENS, prefix=NO_TOKENS, candidates=None,
        log_probs=trace.log_probs[:0],
        attention=model.AttentionMaps(trace.attention.decoder_self, None, None),
    )  # fmt: skip
    plans = [
        single_stack_plan_of(trace, 0, n_prompt=n_prompt),
        *(single_stack_plan_of(encoder_trace, 3, is_masked=is_it) for is_it in (False, True)),
    ]
    for language in LANGUAGES:
        with speaking(language):
            words = group("overview")
        for plan in plans:
            for part in parts_of(plan):
                assert words[part.words] and words[f"about_{part.words}"]
                assert part.name in LAYERS or part.name.rpartition(".")[0] in LAYERS, part.name
            for stack in plan.stacks:
                assert words[stack.title] and words[stack.caption]


def overview_of(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **params: str) -> AppTest:
    save(ARCHITECTURES[name], folder)
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(folder))
    return run_page("overview", text="word5 word6 word7 word9", **params)


def test_overview_names_the_experts_of_the_followed_token(tmp_path, monkeypatch):
    page = overview_of("mixtral", tmp_path / "mixtral", monkeypatch, **{"overview.step": "1", "overview.experts": "2"})
    bundle = cache.bundle("mixtral")
    (routing,) = model.routing(bundle, model.translate(bundle, "word5 word6 word7 word9"))
    choices = routing.experts[2, 1], routing.weights[2, 1]
    first_expert, second_expert = (f"expert {n} with weight {w:.2f}" for n, w in zip(*choices, strict=True))
    sentence = f"In this layer “word6” takes {first_expert} and {second_expert}."
    assert sentence in page_text(page)
    choose = page.selectbox(key="choice.overview.experts")
    assert choose.options == [f"Decoder, layer {layer}" for layer in range(3)] and choose.value == 2
    choose.set_value(0).run()
    assert sentence not in page_text(page)


@pytest.mark.parametrize(("stack", "n_layers", "n_blocks"), [("decoder", 2, 2), ("decoder", 1, 1), ("encoder", 2, 1)])
def test_the_experts_of_a_token_are_drawn_across_the_layers_of_a_decoder_that_has_several(stack, n_layers, n_blocks):
    chosen = np.array([[[0], [0], [2]], [[3], [1], [3]]])[:n_layers]
    tokens = TokenSequence((4, 5, 6), ("a", "b", "c"), (0, 1, 2), (None,) * 3)
    logits, weights = np.zeros((n_layers, 3, 4), np.float32), np.ones((n_layers, 3, 1), np.float32)
    routing = Routing(stack, tuple(range(n_layers)), tokens, logits, chosen, weights)
    with speaking("en"):
        blocks = experts._blocks(routing, n_layers - 1, 1, 0)
    assert len(blocks) == n_blocks
    if n_blocks == 2:
        assert blocks[1].rows == ("0", "1") and blocks[1].columns == ("0", "1")
        assert np.array_equal(blocks[1].values, [[1, 0], [0, 1]])


def test_overview_of_switch_has_the_experts_of_both_stacks(tmp_path, monkeypatch):
    page = overview_of("switch_transformers", tmp_path / "switch", monkeypatch)
    assert page.selectbox(key="choice.overview.experts").options == ["Encoder, layer 1", "Decoder, layer 1"]


@pytest.mark.nightly
def test_overview_of_a_model_without_experts_has_no_word_of_them(tmp_path, monkeypatch):
    page = overview_of("llama", tmp_path / "llama", monkeypatch)
    assert not any("expert" in line.value for line in [*page.markdown, *page.subheader])

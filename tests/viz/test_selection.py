"""Links survive a round trip, and every value from a link is validated."""

import dataclasses
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import viz
from model.analysis.measures import METRICS
from model.intervention_text import read_interventions, write_interventions
from model.interventions import NONE, BlockedKey, ForcedRow, HeadOff, Interventions, PositionEdit
from model.patch import Patch
from tests.js.link_cases import FILE, SELECTIONS, content
from tests.nightly import examples
from viz.components.attention.pack import metric_table
from viz.corpus.choices import MEASURES
from viz.i18n import LANGUAGES, group, speaking
from viz.state.rules import bounded, from_params, to_params
from viz.state.selection import DEFAULT_TEXT, LEVELS, MAX_CHARACTERS, STEPS, Extent, Selection, page_params, schema
from viz.state.view_state import SORTS, ViewState

EXTENT = Extent({"encoder_self": 3, "decoder_self": 2, "cross": 2}, {"encoder_self": 4, "decoder_self": 2, "cross": 2})
NAMES = [field.name for field in dataclasses.fields(Selection)]


def test_an_untouched_selection_needs_no_parameters():
    assert to_params(Selection()) == {}
    assert from_params(Selection, {}) == Selection()


def test_a_link_from_before_a_choice_was_renamed_still_opens():
    assert from_params(Selection, {"weighting": "norm"}).weighting == "value_weighted"
    assert from_params(Selection, {"sort": "sinks"}).sort == "sink_share"


def test_every_choice_survives_a_link():
    chosen = Selection(
        model="tiny", text="Go.\n猫 ❤", language="zh", kind="encoder_self", layer=2, head=3, heads=("0.1", "1.0"),
        view="lines", rows="fed", unit="words", sinks="removed", scale="common", curve="sqrt", threshold=0.25,
        pins=("q3", "k0"), first_index=1, method="beam", beam_size=5, length_penalty=0.6, presenter=True,
        interventions=Interventions(heads_off=(HeadOff("cross", 1, 0, "uniform"),), lift_causal_mask=True),
    )  # fmt: skip
    assert from_params(Selection, to_params(chosen)) == chosen


@given(st.fixed_dictionaries({}, optional={name: st.text(max_size=40) for name in NAMES}))
@settings(max_examples=examples(200), deadline=None)
def test_any_parameters_give_a_selection_inside_the_model(params):
    chosen = from_params(Selection, params).within(EXTENT)
    assert EXTENT.layers[chosen.kind] > chosen.layer >= 0
    assert EXTENT.heads[chosen.kind] > chosen.head >= 0
    assert chosen.view in ("map", "lines", "text")
    assert 0 <= chosen.threshold <= 1
    assert all(ablation.layer < EXTENT.layers[ablation.kind] for ablation in chosen.interventions.heads_off)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("layer", "99999", 999), ("layer", "-3", 0), ("layer", "two", 0), ("threshold", "nan", 0.0),
        ("threshold", "7", 1.0), ("kind", "sideways", "cross"), ("presenter", "maybe", False),
        ("beam_size", "100", 8), ("layer", "1e400", 0),
    ],
)  # fmt: skip
def test_invalid_parameters_fall_back_or_are_clamped(name, value, expected):
    assert getattr(from_params(Selection, {name: value}), name) == expected


def test_a_text_beyond_the_limit_is_cut():
    assert len(from_params(Selection, {"text": "x" * (MAX_CHARACTERS + 9)}).text) == MAX_CHARACTERS


def test_a_high_layer_moves_to_the_last_one_of_a_smaller_model():
    chosen = Selection(kind="cross", layer=5, head=7, heads=("0.1", "5.1", "1.9")).within(EXTENT)
    assert (chosen.layer, chosen.head, chosen.heads) == (1, 1, ("0.1",))


def test_a_kind_that_the_model_lacks_is_replaced_by_one_that_it_has():
    encoder_only = Extent(
        {"encoder_self": 2, "decoder_self": 0, "cross": 0}, {"encoder_self": 2, "decoder_self": 0, "cross": 0}
    )
    assert Selection(kind="cross").within(encoder_only).kind == "encoder_self"


def test_interventions_on_heads_that_the_model_lacks_are_dropped():
    wished = Interventions(heads_off=(HeadOff("cross", 1, 1), HeadOff("cross", 4, 0), HeadOff("cross", 0, 9)))
    assert Selection(interventions=wished).within(EXTENT).interventions.heads_off == (HeadOff("cross", 1, 1),)


def test_interventions_survive_a_link_whole():
    interventions = Interventions(
        heads_off=(HeadOff("encoder_self", 0, 1), HeadOff("cross", 2, 5, "uniform")),
        forced_rows=(ForcedRow("cross", 1, 0, 3, (0.0, 0.25, 0.75)),),
        blocked_keys=(BlockedKey("cross", 4), BlockedKey("decoder_self", 0, 1, None, 2)),
        source_positions=PositionEdit("shift", -3),
        lift_causal_mask=True,
        patches=(
            Patch("encoder.1.residual.after", (1, 2), from_text="The dog = “sat”: 5 & 6."),
            Patch("decoder.0.cross.mixed", heads=(0, 1), zero=True),
            Patch("decoder.0.cross.output", mean=True),
            Patch("encoder.embedding", positions=(0,), noise=7, noise_scale=1.5),
            Patch("decoder.final_norm", value=[0.5, -1.25]),
        ),
    )
    assert read_interventions(write_interventions(interventions)) == interventions


def test_patches_of_layers_and_heads_that_the_model_lacks_are_dropped():
    valid = Patch("encoder.0.self.mixed", heads=(1,), zero=True)
    names = ("decoder.2.cross.output", "decoder.5.cross.output", "encoder.3.self.output")
    heads = tuple(Patch("encoder.0.self.mixed", heads=(head,), zero=True) for head in (4, 9))
    invalid = (*(Patch(name, zero=True) for name in names), *heads)
    assert Selection(interventions=Interventions(patches=(valid, *invalid))).within(EXTENT).interventions.patches == (
        valid,
    )


def test_changes_for_any_sentence_name_no_token():
    everywhere = Patch("decoder.0.cross.output", zero=True)
    patches = Patch("encoder.0.residual.after", (1,), zero=True), Patch("encoder.embedding", from_text="He reads.")
    assert Interventions(patches=(everywhere, *patches)).for_any_sentence() == Interventions(patches=(everywhere,))


@pytest.mark.nightly
@given(st.text(max_size=80))
@settings(max_examples=examples(200), deadline=None)
def test_any_text_reads_as_interventions(text):
    assert isinstance(read_interventions(text), Interventions)


@pytest.mark.parametrize(
    "item",
    [
        "off:x.1",
        "off:q.1.2",
        "force:x.0.0.0=",
        "force:x.0.0.0=0,0",
        "move:fly.1",
        "off:x.-1.0",
        "patch:encoder.embedding",
        "patch:x=text",
    ],
)
def test_an_impossible_intervention_is_left_out(item):
    assert read_interventions(f"{item} unmask") == Interventions(lift_causal_mask=True)
    assert read_interventions(item) == NONE


def test_choices_of_a_page_stay_in_its_area():
    @dataclasses.dataclass(frozen=True, slots=True)
    class Choices:
        step: int = bounded(0, 0, 9)

    params = {"decode.step": "4", "step": "8"}
    assert from_params(Choices, params, prefix="decode.").step == 4
    assert to_params(Choices(step=4), prefix="decode.") == {"decode.step": "4"}


def test_the_first_sentence_is_there_before_anyone_types():
    assert Selection().text == DEFAULT_TEXT.strip() != ""


@pytest.mark.parametrize("value", [0, 999_999, 1_234_567, 2**31 - 1])
def test_a_number_of_any_length_survives_the_link(value):
    @dataclasses.dataclass(frozen=True, slots=True)
    class Numbers:
        seed: int = bounded(1, 0, 2**31 - 1)
        rate: float = bounded(0.5, 0.0, 1e10)

    numbers = Numbers(seed=value, rate=value + 0.125)
    assert from_params(Numbers, to_params(numbers)) == numbers


def test_the_browser_is_sent_every_metric_that_sorts_heads_with_its_words():
    table = {metric["name"]: metric for metric in metric_table()}
    assert tuple(table) == SORTS
    for metric in METRICS:
        if metric.name in SORTS:
            entry = table[metric.name]
            assert (entry["unit"], entry["ascending"]) == (metric.unit, metric.is_ascending)
            assert entry["scale"] == (None if None in (metric.low, metric.high) else [metric.low, metric.high])
    for language in LANGUAGES:
        with speaking(language):
            words = group("attention")
        missing = [f"{kind}_{name}" for name in SORTS for kind in ("metric", "sort", "bar", "about")]
        missing += [f"{kind}_{name}" for name in MEASURES for kind in ("corpus", "corpus_about")]
        assert not [key for key in missing if not words.get(key)], language


REMEDY = "python -m tests.js.link_cases"


def test_the_file_that_javascript_is_tested_with_is_what_python_writes() -> None:
    stored = json.loads(FILE.read_text("utf-8"))
    for name, value in json.loads(json.dumps(content(is_drawn=False))).items():
        assert stored[name] == value, REMEDY


def test_links_round_trip() -> None:
    for selection, case in zip(SELECTIONS, content(is_drawn=False)["links"], strict=True):
        assert from_params(Selection, case["params"]) == selection


def test_every_field_but_the_changes_has_its_rule_and_the_look_is_made_of_fields() -> None:
    described = schema()
    assert {field.name for field in dataclasses.fields(Selection)} - described["fields"].keys() == {"interventions"}
    assert set(described["look"]) <= {field.name for field in dataclasses.fields(ViewState)}
    assert all("is" in form and "default" in form for form in described["fields"].values())


def test_links_to_the_site_have_the_level_and_token_of_the_applications_page() -> None:
    params = {"text": "A cat.", "pins": "q1", "inside.query": "4", "overview.step": "2", "decode.step": "3"}
    assert page_params(params, "") == {"text": "A cat.", "pins": "q1"}
    assert page_params(params, "inside") == {"text": "A cat.", "pins": "q4", "level": "head"}
    assert page_params(params, "overview") == {"text": "A cat.", "pins": "q2", "level": "model"}
    assert page_params(params, "decode") == {"text": "A cat.", "pins": "q3"}
    assert set(LEVELS.values()) <= STEPS.keys()


@pytest.mark.parametrize("script", ["shared/address.js", "sentence/tour.js", "site/embed.js"])
def test_a_script_that_names_parameters_by_hand_names_those_of_the_schema(script: str) -> None:
    text = (Path(viz.__file__).parent / "components" / script).read_text("utf-8")
    parameters = set(re.findall(r'(?:\.get|isNew)\("(\w+)"', text))
    for listed in re.findall(r"const CHOICES = \[(.*?)\]", text, re.DOTALL):
        parameters |= set(re.findall(r'"(\w+)"', listed))
    page_only = {"long", "level", "off", "lang"}  # an overlong text, and the site's current and earlier names
    assert parameters - page_only and parameters - page_only <= schema()["fields"].keys() | {"interventions"}

"""The schema that links of the application and of the page without a server share."""

import dataclasses
import json
import re
from pathlib import Path

import pytest

import viz
from tests.js.link_cases import FILE, SELECTIONS, made
from viz.state.link_schema import LEVELS, STEPS, page_params, schema
from viz.state.rules import from_params
from viz.state.selection import Selection
from viz.state.view_state import ViewState

REMEDY = "python -m tests.js.link_cases"


def test_the_file_that_javascript_is_tested_with_is_what_python_writes() -> None:
    stored = json.loads(FILE.read_text("utf-8"))
    for name, value in json.loads(json.dumps(made(is_drawn=False))).items():
        assert stored[name] == value, REMEDY


def test_links_are_read_back_as_what_they_were_written_from() -> None:
    for selection, case in zip(SELECTIONS, made(is_drawn=False)["links"], strict=True):
        assert from_params(Selection, case["params"]) == selection


def test_every_field_but_the_changes_has_its_rule_and_the_look_is_made_of_fields() -> None:
    found = schema()
    assert {field.name for field in dataclasses.fields(Selection)} - found["fields"].keys() == {"interventions"}
    assert set(found["look"]) <= {field.name for field in dataclasses.fields(ViewState)}
    assert all("is" in form and "default" in form for form in found["fields"].values())


def test_the_page_is_told_the_level_and_the_token_of_the_applications_page() -> None:
    params = {"text": "A cat.", "pins": "q1", "inside.query": "4", "overview.step": "2", "decode.step": "3"}
    assert page_params(params, "") == {"text": "A cat.", "pins": "q1"}
    assert page_params(params, "inside") == {"text": "A cat.", "pins": "q4", "level": "head"}
    assert page_params(params, "overview") == {"text": "A cat.", "pins": "q2", "level": "model"}
    assert page_params(params, "decode") == {"text": "A cat.", "pins": "q3"}
    assert set(LEVELS.values()) <= STEPS.keys()


@pytest.mark.parametrize("script", ["shared/address.js", "sentence/tour.js", "site/embed.js"])
def test_a_script_that_names_parameters_by_hand_names_those_of_the_schema(script: str) -> None:
    text = (Path(viz.__file__).parent / "components" / script).read_text("utf-8")
    named = set(re.findall(r'(?:\.get|isNew)\("(\w+)"', text))
    for listed in re.findall(r"const CHOICES = \[(.*?)\]", text, re.DOTALL):
        named |= set(re.findall(r'"(\w+)"', listed))
    own = {"long", "level", "off", "lang"}  # a text too long for a link, and the page's own names with the earlier ones
    assert named - own and named - own <= schema()["fields"].keys() | {"interventions"}

"""Names from visitors' files are escaped on every page.

Streamlit renders Markdown in labels, options, help texts and captions. The test checks all messages to the browser,
so that it covers new labels too.
"""

import dataclasses
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from streamlit.testing.v1 import AppTest

import model
from model.corpus.queued import create_survey
from model.runs.limits import RUNS_VARIABLE, Limits
from model.runs.status import write_owner
from model.text.pairs import Pair
from tests.checkpoint import WORDS, tiny_bundle
from tests.pages import PAGES, go_to, open_drawers
from tests.viz.page import new_app, proto_nodes, strings_in
from viz.plain_text import as_code, escape_markdown
from viz.rooms.hub import hub
from viz.rooms.questions import Question
from viz.rooms.room import Room
from viz.state.selection import Selection

ROOT = Path(__file__).parents[2]
HOSTILE = "![x](a.png) [y](d) $z^2$ :red[b] <img src=c> `"
"""An image, a link, a formula, a colour and HTML."""
_MARK = re.compile(r"!\[x\]\(|(?<!\\)\[y\]\(|(?<!\\)\$z|:red\[b\]|(?<!\\)<img src=c")
_PLAIN = {"Text.body", "Code.code_text", "TextInput.default", "TextInput.value", "TextInput.placeholder",
          "TextArea.default", "TextArea.value", "TextArea.placeholder", "Selectbox.options",
          "Selectbox.raw_value"}  # fmt: skip
_NAMES = {"id", "key", "url", "file_name", "form_id", "spec"}
"""Fields that Streamlit does not render as Markdown."""
_COMPONENTS = {"bidi_component", "arrow_data_frame", "arrow_vega_lite_chart", "plotly_chart", "json"}
"""Elements that render their data themselves and have their own tests."""


def has_markup(text: str) -> bool:
    """Whether Markdown would interpret part of a text as markup."""
    return bool(_MARK.search(re.sub(r"(`+).*?\1", "", text)))


def all_strings(app: AppTest) -> Iterator[tuple[str, str]]:
    """Yields every string of a page with its field."""
    for node in proto_nodes(app):
        if getattr(node, "type", "") not in _COMPONENTS:
            yield from strings_in(node.proto, node.proto.DESCRIPTOR.name)


def is_never_markdown(field: str) -> bool:
    return field in _PLAIN or field.rpartition(".")[2] in _NAMES


def links() -> Iterator[tuple[str, dict[str, str]]]:
    """Every page, and every part of a page, with the hostile text in each free-text parameter."""
    kinds: list[tuple[str, Any]] = [("", Selection)]
    for path in sorted((ROOT / "viz").rglob("*.py")):
        is_script = path.stem == path.parent.name  # importing it would run the page
        if not is_script and "\nclass Choices:" in path.read_text("utf-8") and path.parent.name != "state":
            module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            kinds.append((f"{getattr(module, 'AREA', path.parent.name)}.", module.Choices))
    rules = {f"{area}{field.name}": rule for area, kind in kinds for field in dataclasses.fields(kind)
             if (rule := field.metadata.get("rule"))}  # fmt: skip
    free = {name: HOSTILE for name, rule in rules.items() if rule.is_free and name not in _IDENTIFIERS}
    for page in PAGES:
        areas = {"fine_tune": "tune"}.get(page, page)
        for part in getattr(rules.get(f"{areas}.part"), "form", {}).get("among", [""]):
            yield page, free | ({f"{areas}.part": part} if part else {})


_IDENTIFIERS = {"model", "tokens_of", "text", "language", "lesson.before", "room.code", "room.key", "corpus.survey"}
"""Free text on which the page's content depends."""
LINKS = list(links())


@pytest.fixture
def visit_hostile(tiny_server: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(RUNS_VARIABLE, str(tmp_path / "runs"))
    words = model.WordTokenizer([word if index < 12 else f"{word}{HOSTILE}" for index, word in enumerate(WORDS)])
    bundle = dataclasses.replace(
        tiny_bundle(HOSTILE), target_tokenizer=words, source_language=HOSTILE, target_language=HOSTILE
    )

    def visit(page: str, **params: str) -> AppTest:
        app = new_app(**{"text": "the cat is sleeping", "model": HOSTILE} | params)
        app.session_state["regard.private_models"] = {HOSTILE: bundle}
        app.session_state["regard.memory"] = {"visitor": "me"}
        return go_to(open_drawers(app), page)

    visit.bundle = bundle  # type: ignore[attr-defined]
    return visit


def unescaped_names(app: AppTest) -> list[str]:
    strings = list(all_strings(app))
    assert any("a.png" in text.replace("\\", "") for _, text in strings), "the name is nowhere on the page"
    return [f"{field}: {text}" for field, text in strings if not is_never_markdown(field) and is_markup(field, text)]


def is_markup(field: str, text: str) -> bool:
    """Whether part of a text is interpreted: as a tag in HTML, as Markdown elsewhere."""
    return "<img src=c" in text if field == "Html.body" else has_markup(text)


@pytest.mark.nightly(but=("fine_tune",))
@pytest.mark.parametrize("page", PAGES)
def test_a_models_name_words_and_languages_are_drawn_as_written(visit_hostile, page: str) -> None:
    assert unescaped_names(visit_hostile(page)) == []


@pytest.mark.nightly(but=("link0", "link32", "link23"))
@pytest.mark.parametrize(("page", "params"), LINKS, ids=[f"link{n}" for n in range(len(LINKS))])
def test_free_text_of_a_link_is_drawn_as_written(visit_hostile, page: str, params: dict[str, str]) -> None:
    assert unescaped_names(visit_hostile(page, **{"text": f"the cat is sleeping {HOSTILE}"} | params)) == []


@pytest.mark.nightly
def test_names_of_surveys_and_runs_are_drawn_as_written(visit_hostile, tmp_path: Path) -> None:
    bundle = visit_hostile.bundle
    survey = create_survey(
        tmp_path / "runs", bundle, [Pair("the cat", "le chat")], Limits.from_environment(), title=f"{HOSTILE}.tsv"
    )
    write_owner(survey, "me")
    assert unescaped_names(visit_hostile("corpus", **{"corpus.survey": survey.path.name})) == []


def test_changes_in_force_name_tokens_and_texts_as_written(visit_hostile) -> None:
    patch = f"patch:encoder.0.residual.after@1=text:{quote(HOSTILE, safe='')}"
    assert unescaped_names(visit_hostile("decode", prefix="13", interventions=f"block:d.1 {patch}")) == []


@pytest.mark.parametrize("kind", ["options", "source"])
def test_words_of_a_room_are_drawn_as_written(visit_hostile, kind: Any) -> None:
    """Texts of a question, from a translation or a teacher's file, and texts of phones."""
    app = visit_hostile("room")
    app.button(key="room_open").click().run()
    room = Room.find(hub().store, app.query_params["room.code"])
    assert room is not None
    words = dict.fromkeys(("en", "fr", "zh"), HOSTILE)
    options: dict[str, tuple[str, ...]] = dict.fromkeys(("en", "fr", "zh"), (HOSTILE, f"2 {HOSTILE}"))
    room.send(room.join(), HOSTILE)
    room.ask(Question(id="own#1", kind=kind, measured=(0.5, 0.5), words=words, options=options, n=2, right="1"))
    strings = [*unescaped_names(app.run())]
    room.vote(room.join(), "own#1", "1")
    for key in ("room_reveal", "room_explain"):
        app.button(key=key).click().run()
        strings += unescaped_names(app)
    assert strings == []


def test_the_walk_detects_unescaped_text() -> None:
    assert has_markup(HOSTILE) and has_markup("`a` ![x](b)")
    assert not has_markup("`![x](a)`") and not has_markup(r"\!\[x\]\(a")
    app = AppTest.from_string("import streamlit as st\nst.button('![x](a.png)')\nst.text('![x](a.png)')").run()
    assert len(unescaped_names(app)) == 1


@pytest.mark.parametrize(
    "text", ["![x](http://h/a.png)", "<img src=x>", ":red[a]", "$a$", "**b**", "a|b_c", "[l](m)", "# h", "`c`", "~~s~~"]
)
def test_no_mark_of_markdown_is_left_unescaped(text: str) -> None:
    escaped = escape_markdown(text)
    bare = [c for i, c in enumerate(escaped) if c in "![]()<>*_`:$#|~" and (i == 0 or escaped[i - 1] != "\\")]
    assert not bare and escaped.replace("\\", "").replace("\u2060", "") == text


@pytest.mark.parametrize("text", ["see http://h/a", "https://h", "www.h.org", "a@h.org", "WWW.H.ORG"])
def test_no_address_becomes_a_link(text: str) -> None:
    """Checked by Markdown's rule for bare addresses, applied after its marks."""
    assert not re.search(r"https?://|www\.|\w@\w", escape_markdown(text).replace("\\", ""), re.IGNORECASE)


def test_code_cannot_be_ended_from_within() -> None:
    assert as_code("a` ![x](http://h) `b").count("`") == 2
    assert "\n" not in as_code("a\n\n![x](y)") and as_code("  ") == ""

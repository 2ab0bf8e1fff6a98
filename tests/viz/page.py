"""Opens pages of the application by their links in AppTest, uses them and reads what they show."""

import dataclasses
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

import model
from model.bundle import Bundle
from tests.checkpoint import save_tiny
from tests.checkpoints import golden
from tests.pages import PAGES, go_to
from tests.walk.browser import data_of
from viz import cache
from viz.panels.reading import Reading, read_under
from viz.state.selection import Selection

MAIN = str(Path(__file__).parents[2] / "viz/main.py")
SENTENCE = "the cat is sleeping on the sofa ."
MODEL_BOUND = {("positions", "pair"), ("laboratory", "cell"), ("laboratory", "steps")}
"""Fields whose range also depends on the model or the sentence."""


def new_app(**params: str) -> AppTest:
    """A session before its first run. In names of parameters "__" stands for a dot."""
    app = AppTest.from_file(MAIN, default_timeout=300)
    app.query_params.update({name.replace("__", "."): value for name, value in params.items()})
    return app


def run_page(page: str = PAGES[0], /, **params: str) -> AppTest:
    """A page after a session's first run."""
    return go_to(new_app(**params), page)


def reading_of(bundle: Bundle, text: str) -> Reading:
    """A page's reading of a sentence."""
    reading = read_under(bundle, Selection(text=text))
    assert reading is not None
    return reading


def page_text(app: AppTest) -> str:
    """All text of a page outside its components."""
    kinds = (app.markdown, app.caption, app.text, app.info, app.warning, app.success, app.error)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def press(app: AppTest, *keys: str) -> None:
    """Press buttons in turn; "" reruns the page without a click."""
    for key in keys:
        (app.button(key=key).click() if key else app).run()


def url_param(app: AppTest, name: str) -> str:
    """A parameter of a page's link."""
    return "".join(app.query_params[name])


def component(app: AppTest, key: str) -> Any:
    """The protobuf message of a component."""
    return next(node for node in app._tree if node.type == "bidi_component" and node.key == key).proto


def sentence_data(app: AppTest) -> dict[str, Any]:
    """The data sent to the sentence component."""
    return data_of(component(app, "sentence"))


def proto_nodes(app: AppTest) -> Iterator[Any]:
    """The blocks and elements of a page that have a protobuf message."""
    waiting: list[Any] = [app._tree]
    while waiting:
        node = waiting.pop()
        waiting += getattr(node, "children", {}).values()
        if isinstance(getattr(node, "proto", None), Message):
            yield node


def strings_in(message: Message, where: str = "") -> Iterator[tuple[str, str]]:
    """Yields each string in a message with the path of its field."""
    for field, value in message.ListFields():
        for item in value if field.is_repeated else [value]:
            if isinstance(item, Message):
                yield from strings_in(item, f"{where}.{field.name}")
            elif isinstance(item, str):
                yield f"{where}.{field.name}", item


def assert_numbers_match_links(app: AppTest, kinds: dict[str, Any], *, links_accept_more: bool = False) -> set[str]:
    """Check that sliders and number inputs have the range that links accept; returns the fields that they set.

    Args:
        kinds: the dataclass of choices by area.
        links_accept_more: whether links also accept numbers outside the range, which stand for a suggestion.
    """
    checked: set[str] = set()
    for widget in (*app.slider, *app.number_input):
        _, area, field = (*(widget.key or "").split("."), "", "")[:3]
        if area in kinds and field:
            rule = next(
                option.metadata["rule"].form for option in dataclasses.fields(kinds[area]) if option.name == field
            )
            offered: Any = (widget.min, widget.max)
            valid = (rule["low"], rule["high"])
            may_be_narrower = links_accept_more or (area, field) in MODEL_BOUND
            assert valid[0] <= offered[0] and offered[1] <= valid[1] if may_be_narrower else offered == valid, (
                widget.key
            )
            checked.add(field)
    return checked


def open_checkpoints_page(tmp_path, monkeypatch, language=None):
    """Open the checkpoints page of a server whose default model is a tiny one."""
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny")))
    return run_page("checkpoints", text="the cat is sleeping", **({"language": language} if language else {}))


def drop(page, *files: tuple[str, bytes]):
    """Drop files on the page, which must not raise."""
    page.file_uploader(key="checkpoint_files").set_value(
        [(name, raw, "application/octet-stream") for name, raw in files]
    )
    page.run()
    return page


def torch_file(name: str, state: dict[str, torch.Tensor]) -> tuple[str, bytes]:
    """Tensors saved by ``torch.save``, to be dropped."""
    stream = io.BytesIO()
    torch.save(state, stream)
    return name, stream.getvalue()


def golden_upload(name: str, folder: Path) -> tuple[str, bytes]:
    """A golden checkpoint's file, to be dropped."""
    return file_upload(golden.read(name).write(folder))


def file_upload(path: Path) -> tuple[str, bytes]:
    """A file's name and content, to be dropped."""
    return path.name, path.read_bytes()


def answer_first_question(page, heads: int):
    """Answer the pending question for the number of heads."""
    page.radio(key="first_n_heads").set_value(heads)
    return page.button(key="checkpoint_first_answer").click().run()


def private_models(page) -> dict[str, model.Bundle]:
    """The models opened in this session."""
    return page.session_state.get("regard.private_models", {})

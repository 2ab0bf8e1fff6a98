"""Opens pages of the application as a link does, without a browser, and reads what they say."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from tests.pages import PAGES, go_to
from tests.walk.browser import data_of

MAIN = str(Path(__file__).parents[2] / "viz/main.py")
SENTENCE = "the cat is sleeping on the sofa ."
OF_MODEL = {("positions", "pair"), ("laboratory", "cell"), ("laboratory", "steps")}
"""Numbers that end where the model or the sentence in use does."""


def new_app(**params: str) -> AppTest:
    """A session that has not run yet. A parameter of its link may be named with "__" for its dot."""
    app = AppTest.from_file(MAIN, default_timeout=300)
    app.query_params.update({name.replace("__", "."): value for name, value in params.items()})
    return app


def opened(page: str = PAGES[0], /, **params: str) -> AppTest:
    """A page after the first run of a session."""
    return go_to(new_app(**params), page)


def said(app: AppTest) -> str:
    """The texts of a page, those of its components left out."""
    kinds = (app.markdown, app.caption, app.text, app.info, app.warning, app.success, app.error)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def press(app: AppTest, *keys: str) -> None:
    """Press buttons one after the other; "" runs the page without a click."""
    for key in keys:
        (app.button(key=key).click() if key else app).run()


def param(app: AppTest, name: str) -> str:
    """A parameter of a page's link."""
    return "".join(app.query_params[name])


def component(app: AppTest, key: str) -> Any:
    """The message to one of a page's components."""
    return next(node for node in app._tree if node.type == "bidi_component" and node.key == key).proto


def stage(app: AppTest) -> dict[str, Any]:
    """What the sentence's component was sent."""
    return data_of(component(app, "sentence"))


def nodes(app: AppTest) -> Iterator[Any]:
    """The blocks and elements of a page that have a message to the browser, ``proto``."""
    waiting: list[Any] = [app._tree]
    while waiting:
        node = waiting.pop()
        waiting += getattr(node, "children", {}).values()
        if isinstance(getattr(node, "proto", None), Message):
            yield node


def drawn(message: Message, where: str = "") -> Iterator[tuple[str, str]]:
    """Every string in a message, with its field."""
    for field, value in message.ListFields():
        for item in value if field.is_repeated else [value]:
            if isinstance(item, Message):
                yield from drawn(item, f"{where}.{field.name}")
            elif isinstance(item, str):
                yield f"{where}.{field.name}", item


def numbers_match_links(app: AppTest, kinds: dict[str, Any], *, hold_more: bool = False) -> set[str]:
    """Check that each slider and field of numbers offers what a link may hold; the choices that they are for.

    Args:
        kinds: the class of each area's choices.
        hold_more: whether links hold further numbers too, which stand for what is suggested.
    """
    seen: set[str] = set()
    for widget in (*app.slider, *app.number_input):
        _, area, field = (*(widget.key or "").split("."), "", "")[:3]
        if area in kinds and field:
            rule = next(each.metadata["rule"].form for each in dataclasses.fields(kinds[area]) if each.name == field)
            offered: Any = (widget.min, widget.max)
            held = (rule["low"], rule["high"])
            is_of_model = hold_more or (area, field) in OF_MODEL
            assert held[0] <= offered[0] and offered[1] <= held[1] if is_of_model else offered == held, widget.key
            seen.add(field)
    return seen

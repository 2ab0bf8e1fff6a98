"""Presses every button of every page twice in one session, and again in a second session of the same process.

Pages and buttons are found in the application, so new ones are covered without a change here.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1.element_tree import Button, ButtonGroup, MenuButton, Radio

from tests.pages import PAGES
from tests.walk import models
from tests.walk.browser import ROOT, Browser
from tests.walk.checks import check_against_fresh_session, check_against_model
from tests.walk.widgets import NOT_PRESSED, choice, is_submit, pressable, state
from viz import cache

Screen = tuple[str, int] | None
"""A part of a page: a control for its choices and one of its options; None for the page as it opens."""


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(models.shared()))
    cache.RESULTS.clear()


TWIN = "twin of Ada"
"""A model with the first model's weights and another vocabulary."""


class Visit:
    """A session on one page that presses every button."""

    def __init__(self, page: str, params: dict[str, str]) -> None:
        self.page, self.params = page, params
        self.browser = self._link_reached()
        self.pressed: set[str] = set()

    def press_everything(self, times: int) -> None:
        """Press each button of each screen a number of times, and compare every screen with its choices."""
        for screen in [None, *self._screens()]:
            self._open(screen)
            check_against_model(self.browser)
            for name in sorted(self._buttons() - self.pressed):
                self._press(name, screen, times)

    def _press(self, name: str, screen: Screen, times: int) -> None:
        self.pressed.add(name)
        for _ in range(times):
            if name not in self._buttons():
                self._open(screen)
            if name not in self._buttons():
                return  # the button works once: afterwards the change is active
            widget = pressable(self.browser.elements())[name]
            self.browser.app.component_states.append(state(widget, choice(widget, 1)))
            self.browser.run()
            check_against_model(self.browser)

    def _open(self, screen: Screen) -> None:
        """Open the screen from its link in the same session."""
        self.browser.go(self.page)
        self.browser.say("sentence", "address", f"?{self.browser.query(self.params)}")
        self.browser.run()
        control = None if screen is None else pressable(self.browser.elements()).get(screen[0])
        if screen is not None and control is not None:
            self.browser.app.component_states.append(state(control, choice(control, screen[1])))
            self.browser.run()

    def _link_reached(self) -> Browser:
        return Browser(page=self.page, params=self.params, private=models.shelf_of("Ada"))

    def _buttons(self) -> set[str]:
        widgets = pressable(self.browser.elements())
        return {name for name, widget in widgets.items() if isinstance(widget, Button | MenuButton)}

    def _screens(self) -> Iterator[Screen]:
        for name, widget in pressable(self.browser.elements()).items():
            if (
                name.startswith(f"choice.{self.page}.")
                and isinstance(widget, ButtonGroup | Radio)
                and not is_submit(widget)
            ):
                yield from ((name, option) for option in range(len(widget.options)))


@pytest.mark.nightly(but=("inside", "positions"))
@pytest.mark.parametrize("page", PAGES)
def test_every_button_of_a_page_can_be_pressed_twice_and_by_the_next_visitor(page):
    first = Visit(page, {"text": "the cat is sleeping", "layer": "0", "head": "1", "pins": "q0"})
    first.press_everything(times=2)
    second = Visit(page, {"text": "the dog is on the sofa", "layer": "1", "head": "0", "pins": "q2", "model": TWIN})
    second.press_everything(times=1)
    for visit in (first, second):
        check_against_fresh_session(visit.browser)
    assert first.pressed >= {"keys", "language"}, "what surrounds every page"


def test_excluded_buttons_still_exist():
    code = "\n".join(path.read_text("utf-8") for path in Path(ROOT / "viz").rglob("*.py"))
    for key in NOT_PRESSED:
        assert f'key="{key}"' in code

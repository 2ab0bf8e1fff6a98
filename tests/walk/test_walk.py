"""A short walk with a fixed seed, every button pressed twice, and tests that the checks detect errors."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import seed
from hypothesis.stateful import run_state_machine_as_test
from streamlit.testing.v1.element_tree import Button, ButtonGroup, MenuButton, Radio

from tests.nightly import examples
from tests.pages import PAGES
from tests.walk import models
from tests.walk.__main__ import settings_for
from tests.walk.browser import ROOT, Browser
from tests.walk.checks import WrongError, check_against_fresh_session, check_against_model
from tests.walk.machine import Walking
from tests.walk.widgets import NOT_PRESSED, choice, is_submit, pressable
from viz import cache


def test_two_readers_walk_through_the_pages_and_every_screen_matches_its_choices():
    run_state_machine_as_test(seed(20)(Walking), settings=settings_for(n_walks=examples(3), n_steps=25))


@pytest.mark.nightly
def test_a_translation_of_another_sentence_is_noticed(monkeypatch):
    first = Browser(params={"text": "the cat is sleeping"})
    check_against_model(first)
    first_result, translate = {}, cache.translate
    monkeypatch.setattr(
        cache, "translate", lambda *args, **options: first_result.setdefault("", translate(*args, **options))
    )
    first.write("the dog is on the sofa")
    check_against_model(first)
    first.write("the cat is sleeping")
    with pytest.raises(WrongError, match="the stage's source is"):
        check_against_model(first)


@pytest.mark.nightly
def test_a_choice_that_is_not_in_the_address_is_noticed():
    browser = Browser(params={"text": "the cat is sleeping", "first_index": "1"})
    check_against_fresh_session(browser)
    browser.app.query_params.pop("first_index")
    with pytest.raises(WrongError, match=r"on explore: here .*first.* is 1"):
        check_against_fresh_session(browser)


def test_words_of_another_language_are_noticed():
    browser = Browser(params={"text": "the cat is sleeping", "language": "fr"})
    check_against_model(browser)
    browser.app.query_params["language"] = "zh"
    with pytest.raises(WrongError, match="the page is in zh"):
        check_against_model(browser)


def test_a_name_of_the_other_readers_model_is_noticed():
    browser = Browser(params={"text": "the cat is sleeping"}, private=models.shelf_of("Ada"))
    check_against_model(browser, "Bob")
    with pytest.raises(WrongError, match="a model of Ada's is named"):
        check_against_model(browser, "Ada")


Screen = tuple[str, int] | None
"""A part of a page: a control for its choices and one of its options; None for the page as it opens."""


TWIN = "twin of Ada"
"""A model with the first model's weights and another vocabulary."""


class Visit:
    """A session on one page that presses every button."""

    def __init__(self, page: str, params: dict[str, str]) -> None:
        self.page, self.params = page, params
        self.browser = Browser(page=page, params=params, private=models.shelf_of("Ada"))
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
            self.browser.press(name, choice(pressable(self.browser.elements())[name], 1))
            check_against_model(self.browser)

    def _open(self, screen: Screen) -> None:
        """Open the screen from its link in the same session."""
        self.browser.go(self.page)
        self.browser.say("sentence", "address", f"?{self.browser.query(self.params)}")
        self.browser.run()
        control = None if screen is None else pressable(self.browser.elements()).get(screen[0])
        if screen is not None and control is not None:
            self.browser.press(screen[0], choice(control, screen[1]))

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

"""The walk as a hypothesis state machine: its steps and their frequency."""

from pathlib import Path
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from tests.pages import PAGES
from tests.walk.walk import ACTIONS, FIELDS, LINKS, SENTENCES, Step, Walk
from viz.i18n import LANGUAGES

WHO = st.integers(0, 1)
ANY = st.integers(0, 9_999)


class Walking(RuleBasedStateMachine):
    """Two readers on one server. ``trails`` is the folder for the trails of failed walks."""

    trails: ClassVar[Path | None] = None
    n_steps: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self.walk = Walk()

    def _do(self, step: Step) -> None:
        try:
            self.walk.do(step)
        except Exception:
            if self.trails is not None:
                self.walk.save(self.trails)
            raise
        type(self).n_steps += 1

    @rule(reader=WHO, number=ANY, value=ANY)
    def press(self, reader: int, number: int, value: int) -> None:
        self._do(self.walk.pressed(reader, number, value))

    @rule(reader=WHO, number=ANY, value=ANY)
    def press_another(self, reader: int, number: int, value: int) -> None:
        self._do(self.walk.pressed(reader, number, value))

    @rule(reader=WHO, number=ANY, value=ANY)
    def press_one_more(self, reader: int, number: int, value: int) -> None:
        self._do(self.walk.pressed(reader, number, value))

    @rule(reader=WHO, text=st.sampled_from(SENTENCES))
    def write(self, reader: int, text: str) -> None:
        self._do([reader, "write", text])

    @rule(reader=WHO, page=st.sampled_from(PAGES))
    def go(self, reader: int, page: str) -> None:
        self._do([reader, "go", page])

    @rule(reader=WHO, page=st.sampled_from(PAGES))
    def go_elsewhere(self, reader: int, page: str) -> None:
        self._do([reader, "go", page])

    @rule(reader=WHO)
    def back(self, reader: int) -> None:
        self._do([reader, "back"])

    @rule(reader=WHO)
    def reload(self, reader: int) -> None:
        self._do([reader, "reload"])

    @rule(reader=WHO, page=st.sampled_from(PAGES), link=st.sampled_from(LINKS))
    def link(self, reader: int, page: str, link: dict[str, str]) -> None:
        self._do([reader, "link", page, link])

    @rule(reader=WHO, place=ANY)
    def model(self, reader: int, place: int) -> None:
        self._do([reader, "model", place])

    @rule(reader=WHO, language=st.sampled_from(list(LANGUAGES)))
    def speak(self, reader: int, language: str) -> None:
        self._do([reader, "speak", language])

    @rule(reader=WHO, place=ANY, fields=st.sampled_from(FIELDS))
    def head(self, reader: int, place: int, fields: dict) -> None:
        self._do([reader, "head", place, fields])

    @rule(reader=WHO, action=st.sampled_from(ACTIONS), place=ANY)
    def act(self, reader: int, action: str, place: int) -> None:
        self._do([reader, "act", action, place])

    @rule(reader=WHO, number=ANY)
    def undo(self, reader: int, number: int) -> None:
        self._do([reader, "undo", number])

    @rule(reader=WHO, number=ANY)
    def tell(self, reader: int, number: int) -> None:
        self._do([reader, "tell", number])

    @rule(reader=WHO)
    def fresh(self, reader: int) -> None:
        self._do([reader, "fresh"])

    @rule(reader=WHO, dice=st.integers(0, 3), seed=st.sampled_from((135, 7)))
    def drop(self, reader: int, dice: int, seed: int) -> None:
        """Rare, because a checkpoint is examined in a separate process."""
        if not dice:
            self._do([reader, "drop", seed])

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

    @rule(who=WHO, number=ANY, value=ANY)
    def press(self, who: int, number: int, value: int) -> None:
        self._do(self.walk.pressed(who, number, value))

    @rule(who=WHO, number=ANY, value=ANY)
    def press_another(self, who: int, number: int, value: int) -> None:
        self._do(self.walk.pressed(who, number, value))

    @rule(who=WHO, number=ANY, value=ANY)
    def press_one_more(self, who: int, number: int, value: int) -> None:
        self._do(self.walk.pressed(who, number, value))

    @rule(who=WHO, text=st.sampled_from(SENTENCES))
    def write(self, who: int, text: str) -> None:
        self._do([who, "write", text])

    @rule(who=WHO, page=st.sampled_from(PAGES))
    def go(self, who: int, page: str) -> None:
        self._do([who, "go", page])

    @rule(who=WHO, page=st.sampled_from(PAGES))
    def go_elsewhere(self, who: int, page: str) -> None:
        self._do([who, "go", page])

    @rule(who=WHO)
    def back(self, who: int) -> None:
        self._do([who, "back"])

    @rule(who=WHO)
    def reload(self, who: int) -> None:
        self._do([who, "reload"])

    @rule(who=WHO, page=st.sampled_from(PAGES), link=st.sampled_from(LINKS))
    def link(self, who: int, page: str, link: dict[str, str]) -> None:
        self._do([who, "link", page, link])

    @rule(who=WHO, place=ANY)
    def model(self, who: int, place: int) -> None:
        self._do([who, "model", place])

    @rule(who=WHO, language=st.sampled_from(list(LANGUAGES)))
    def speak(self, who: int, language: str) -> None:
        self._do([who, "speak", language])

    @rule(who=WHO, place=ANY, fields=st.sampled_from(FIELDS))
    def head(self, who: int, place: int, fields: dict) -> None:
        self._do([who, "head", place, fields])

    @rule(who=WHO, action=st.sampled_from(ACTIONS), place=ANY)
    def act(self, who: int, action: str, place: int) -> None:
        self._do([who, "act", action, place])

    @rule(who=WHO, number=ANY)
    def undo(self, who: int, number: int) -> None:
        self._do([who, "undo", number])

    @rule(who=WHO, number=ANY)
    def tell(self, who: int, number: int) -> None:
        self._do([who, "tell", number])

    @rule(who=WHO)
    def fresh(self, who: int) -> None:
        self._do([who, "fresh"])

    @rule(who=WHO, dice=st.integers(0, 3), seed=st.sampled_from((135, 7)))
    def drop(self, who: int, dice: int, seed: int) -> None:
        """Rare, because a checkpoint is examined in a separate process."""
        if not dice:
            self._do([who, "drop", seed])

"""A walk of two readers through one server: steps are plain data, and all checks run after each."""

import json
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from tests.walk import models
from tests.walk.browser import FRONT, Browser
from tests.walk.checks import WrongError, check_against_fresh_session, check_against_model, private_models
from tests.walk.widgets import choice, is_submit, pressable, state
from viz import cache
from viz.i18n import LANGUAGES

Step = list[Any]
READERS = (("Ada", "light", "en-US"), ("Bob", "dark", "fr-FR"))
SENTENCES = (
    "the cat is sleeping", "The dog is on the sofa.", "#5 #6 #7", "cat", "", "THE CAT IS HERE", "你好 ❤ <b>",
    "the cat\nis on the sofa .", "the the the the", "#14 #8 | #5", "I have never seen such a beautiful garden.",
    "the cat is on the sofa . " * 8,
)  # fmt: skip
LINKS: tuple[dict[str, str], ...] = (
    {}, {"text": "the dog is on the sofa", "weighting": "gradient", "pins": "q1"},
    {"text": "the cat .", "kind": "decoder_self", "layer": "1", "head": "1", "view": "lines"},
    {"text": "the cat is sleeping", "interventions": "off:x.0.1 even:e.0.0", "effects": "1"},
    {"text": "the dog", "language": "zh", "first_index": "1"}, {"text": "the cat .", "model": "nowhere"},
    {"text": "the dog .", "method": "beam", "beam_size": "3", "language": "en"},
    {"text": "the cat .", "method": "sample", "seed": "3", "temperature": "2", "presenter": "1"},
    {"text": "the cat is", "prefix": "12.13", "interventions": "unmask move:shuffle.3 block:x.1 force:x.0.0.0=0,1"},
    {"text": "the dog is", "other_text": "the cat is", "weighting": "value_weighted"},
    {"model": "en-fr", "weighting": "rollout"},
    {"layer": "77", "head": "-4", "kind": "none", "interventions": "off:x.9.9", "text": "the"},
)  # fmt: skip
"""Parameters of links between readers."""
FIELDS: tuple[dict[str, Any], ...] = (
    {}, {"pins": ["q0"]}, {"pins": ["k1", "q3"]}, {"weighting": "value_weighted"}, {"weighting": "rollout"},
    {"weighting": "gradient", "pins": ["q2"]}, {"view": "text"}, {"unit": "words"}, {"rows": "fed"},
    {"sinks": "removed", "threshold": 0.3}, {"zoom": [0.0, 0.0, 1.0, 1.0]}, {"weighting": "raw", "pins": []},
)  # fmt: skip
"""Settings of the explorer besides the head."""
ACTIONS = ("switch_off", "switch_on", "open_head", "present", "end_presenting")


class Walk:
    """Two browsers, their steps so far, and the pages they visited."""

    def __init__(self) -> None:
        cache.RESULTS.clear()
        self.trail: list[Step] = []
        self.seen: Counter[str] = Counter()
        self.browsers = [
            Browser(theme=theme, locale=locale, params={"text": SENTENCES[0]}, private=models.shelf_of(name))
            for name, theme, locale in READERS
        ]

    def do(self, step: Step) -> None:
        """Carry out one step and check the resulting screen.

        Raises:
            WrongError: when a check fails.
        """
        self.trail.append(step)
        reader, action, *rest = step
        self.seen[action] += 1
        getattr(self, f"_{action}")(reader, *rest)
        browser = self.browsers[reader]
        check_against_model(browser, READERS[1 - reader][0])

    def pressed(self, reader: int, number: int, value: int) -> Step:
        """The step that uses one of the widgets on screen."""
        widgets = pressable(self.browsers[reader].elements())
        if not widgets:
            return [reader, "go", FRONT]
        name = sorted(widgets)[number % len(widgets)]
        return [reader, "press", name, choice(widgets[name], value)]

    def save(self, path: Path) -> None:
        """Write the trail for a replay."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(json.dumps(step, ensure_ascii=False) for step in self.trail) + "\n", "utf-8")

    def _press(self, reader: int, name: str, value: Any) -> None:
        browser = self.browsers[reader]
        widget = pressable(browser.elements()).get(name)
        if widget is None:
            raise WrongError(f"{name} is not on screen")
        form, new_state = getattr(widget.proto, "form_id", ""), state(widget, value)
        if form and not is_submit(widget):
            browser.forms.setdefault(form, {})[new_state.id] = new_state
            return
        browser.app.component_states += [new_state, *(browser.forms.pop(form, {}).values() if form else ())]
        browser.run()

    def _write(self, reader: int, text: str) -> None:
        self.browsers[reader].write(text)
        if self.browsers[reader].params.get("text", text) != text:
            raise WrongError(
                f"the address keeps {self.browsers[reader].params['text']!r} for the new sentence {text!r}"
            )

    def _go(self, reader: int, page: str) -> None:
        self.browsers[reader].go(page)
        if self.browsers[reader].page != page:
            raise WrongError(f"{page} was opened, and {self.browsers[reader].page} came")

    def _back(self, reader: int) -> None:
        browser = self.browsers[reader]
        previous = browser.history[-2:-1]
        browser.back()
        if previous and (browser.page, browser.params.get("text")) != (
            previous[0].page,
            previous[0].params.get("text"),
        ):
            raise WrongError(f"Back led to {browser.page} {browser.params}, and not to {previous[0]}")

    def _reload(self, reader: int) -> None:
        before = self.browsers[reader].params
        self.browsers[reader].reload()
        now = self.browsers[reader].params
        if "tokens_of" in now and "tokens_of" not in before:
            # A refresh closes the reader's models; the substitute opens on its default head.
            now |= dict(parse_qsl(now.get("waiting", "")))
            now = {name: text for name, text in now.items() if name in before}
        if now != before:
            raise WrongError(f"a refresh made {self.browsers[reader].params} of {before}")

    def _link(self, reader: int, page: str, params: dict[str, str]) -> None:
        name, theme, locale = READERS[reader]
        self.browsers[reader] = Browser(
            page=page, params=params, theme=theme, locale=locale, private=models.shelf_of(name)
        )

    def _model(self, reader: int, place: int) -> None:
        names = (*cache.model_names(), *private_models(self.browsers[reader]))
        browser = self.browsers[reader]
        picker = pressable(browser.elements()).get("choice..model")
        wished = browser.params.get("model", names[0])
        if picker is None or (wished not in names and place % len(names) == 0):
            return  # the first model is used in place of the missing one, and its button is already selected
        browser.press("choice..model", choice(picker, place))
        if browser.params.get("model", names[0]) != names[place % len(names)]:
            raise WrongError(
                f"{names[place % len(names)]} was chosen, and the address names {browser.params.get('model')}"
            )

    def _speak(self, reader: int, language: str) -> None:
        browser = self.browsers[reader]
        if "language" not in pressable(browser.elements()):
            return
        browser.press("language", LANGUAGES[language])
        if browser.language != language:
            raise WrongError(f"{language} was chosen, and the page is in {browser.language}")

    def _head(self, reader: int, place: int, fields: dict[str, Any]) -> None:
        browser = self.browsers[reader]
        explorer = browser.explorer()
        if explorer is None:
            return
        kind, layer, head = _place(explorer[1], place)
        browser.choose_head(kind, layer, head, **fields)
        if browser.page == FRONT:
            values = [browser.params.get(name, default) for name, default in _DEFAULTS.items()]
            if values != [kind, str(layer), str(head)]:
                raise WrongError(f"{kind} {layer}.{head} was chosen, and the address keeps {values}")

    def _act(self, reader: int, action: str, place: int) -> None:
        browser = self.browsers[reader]
        explorer = browser.explorer()
        if explorer is not None:
            browser.act(action, *_place(explorer[1], place))

    def _undo(self, reader: int, number: int) -> None:
        """Switch a head off and undo it; everything must be as before."""
        browser = self.browsers[reader]
        explorer = browser.explorer()
        if (
            explorer is None
            or browser.page != FRONT
            or browser.app.session_state.get("regard.memory", {}).get("attention_file")
        ):
            return
        place, before = _place(explorer[1], number), browser.params
        if list(place) in explorer[1]["views"][0]["off"]:
            return
        browser.act("switch_off", *place)
        if "undo" not in pressable(browser.elements()):
            raise WrongError(f"{place} was switched off, and nothing is there to undo it")
        browser.press("undo")
        if browser.params != before:
            raise WrongError(f"undo made {browser.params} of {before}")

    def _tell(self, reader: int, number: int) -> None:
        """Click inside one of the other components."""
        browser = self.browsers[reader]
        messages = {
            "inside.component": ("token", f"{('source', 'target')[number % 2]}.{number // 2 % 9}"),
            "overview.map": ("open", _BOXES[number % len(_BOXES)]),
            "decoding": ("act", _ACTS[number % len(_ACTS)]),
            "head_effects": ("cell", [number % 3, number // 3 % 2, number // 6 % 2]),
            "lesson.hunt": ("cell", [0, number % 3, number // 3 % 2]),
        }
        for key in browser.components():
            if key in messages:
                if key == "decoding":
                    browser.say(key, "at", {"step": number % 5, "node": -1, "cross": [number % 3, 0], "own": [0, 1]})
                else:
                    browser.say(key, *messages[key])
                browser.run()
                return

    def _drop(self, reader: int, seed: int) -> None:
        """Drop a checkpoint on its page, and look at it."""
        browser = self.browsers[reader]
        browser.go("checkpoints")
        if not browser.app.file_uploader:
            return
        browser.drop(f"dropped-{seed}.zip", models.archive(seed))
        check_against_model(browser, READERS[1 - reader][0])
        widgets = list(pressable(browser.elements()))
        if "checkpoint_look" not in widgets:
            raise WrongError(f"a checkpoint that was dropped cannot be looked at: {widgets}")
        browser.press("checkpoint_look")
        if browser.page != FRONT:
            raise WrongError(f"the dropped model is not looked at in Explore but in {browser.page}")

    def _fresh(self, reader: int) -> None:
        check_against_fresh_session(self.browsers[reader])


_DEFAULTS = {"kind": "cross", "layer": "0", "head": "0"}
_BOXES = ("encoder.embedding", "decoder.embedding", "encoder.output", "decoder.output", "cross.0", "cross.1#1",
          "encoder_self.0#0", "decoder_self.1", "encoder.feed.0", "decoder.feed.1", "nothing")  # fmt: skip
_ACTS: tuple[Any, ...] = (
    {"do": "prefix", "ids": [12, 13]}, {"do": "fork", "ids": [5]}, {"do": "fork", "ids": [14, 8]}, {"do": "nothing"},
    {"do": "force", "kind": "cross", "layer": 0, "head": 1, "query": 0, "weights": [0.0, 1.0]}, None,
)  # fmt: skip


def _place(header: dict[str, Any], number: int) -> tuple[str, int, int]:
    kinds = header["views"][0]["kinds"]
    kind = kinds[number % len(kinds)]
    n = number // len(kinds)
    return kind["name"], n % kind["layers"], n // kind["layers"] % kind["heads"]

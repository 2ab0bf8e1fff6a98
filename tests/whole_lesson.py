"""A whole lesson in Chromium: a teacher, two second screens and three phones, which must all show the same act.

    python -m tests.whole_lesson                                the short route, in English, Chinese and French
    python -m tests.whole_lesson --route full --pictures out    all sixteen scenes, photographed
    REGARD_CHECKPOINT=pretrained/en-de python -m tests.whole_lesson --languages fr --dark

The teacher follows the route with the shipped model: every question is asked, answered on the phones, closed, followed
by its experiment and explained; the quiz comes before and after. In each act all second screens and phones must show
that act. Second screens may not need scrolling, be empty, or use type smaller than ``SMALLEST`` pixels. In the first
scene of the first language every screen is reloaded in every act, a phone sleeps through one, and another joins late
and leaves. In every scene the teacher chooses another sentence while the vote is open, and another model after the
explanation, which must reach every phone; and goes back a scene and forward again. A second room is not affected. One
screen of each kind is light and the other dark. It prints one line per scene and fails if a screen shows another act.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from benchmarks.browser import chromium
from model.checkpoints.loading import PRETRAINED
from tests.browser.actions import LOCALES, button_name, message_in, open_room
from tests.serving import application
from viz.i18n import LANGUAGES
from viz.lesson.moving import scenes_of
from viz.lesson.quiz import quiz as items_of
from viz.lesson.scenes import SCENES
from viz.rooms.questions import AFTER, BEFORE

SETTLED = "[data-testid=stApp][data-test-script-state=notRunning]"
PATIENCE = 120_000
"""Timeout of every wait, in milliseconds."""
OTHER = "These flowers are beautiful."
"""A sentence of the list, which the next scene's own sentence replaces."""
SMALLEST = 20
"""The smallest type on a second screen, in pixels."""
FITS = """() => { const wall = document.querySelector('.wall');
    const inside = [...wall.querySelectorAll('*')].filter((each) => getComputedStyle(each).overflowY !== 'visible');
    return wall.scrollWidth <= wall.clientWidth + 1 && wall.scrollHeight <= wall.clientHeight + 1
        && inside.every((each) => each.scrollHeight <= each.clientHeight + 8); }"""
"""Whether nothing on the second screen is cut off, except descenders."""
SMALL = """smallest => { const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode());) { const around = node.parentElement;
        if (!node.data.trim() || !around.checkVisibility()) continue;
        const size = parseFloat(getComputedStyle(around).fontSize);
        if (size < smallest) found.push(`${size} px: ${node.data.trim()}`); }
    return found; }"""
"""Texts in too small type."""
WALLS = ((1920, 1080), (1280, 720))


@dataclass
class Class:
    """The pages of one class."""

    language: str
    teacher: Page
    walls: list[Page]
    phones: list[Page]
    neighbour: Page
    """A phone of another room."""
    code: str
    join: Callable[[], Page]
    """Opens another phone."""
    pictures: Path | None

    def message(self, key: str, **values: object) -> str:
        """A text in the teacher's language."""
        return message_in(self.language, key, **values)

    def press(self, key: str) -> None:
        """Press a button of the teacher's page by its label."""
        self.teacher.get_by_role("button", name=button_name(self.message(key))).click()

    def expect_act(self, act: str, name: str) -> None:
        """Wait until every screen shows the act, check the second screens, and photograph all.

        Raises:
            TimeoutError: if a screen does not show the act, or a second screen is cut off.
            AssertionError: if a second screen is empty or its type too small.
        """
        for wall in self.walls:
            wall.wait_for_function("act => document.body.dataset.act === act", arg=act)
            wall.wait_for_function(FITS)
        for phone in self.phones:
            phone.wait_for_function("act => document.getElementById('class').dataset.act === act", arg=act)
        self.teacher.locator(SETTLED).wait_for()
        self.teacher.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")
        self.photograph(f"{name}-{act}")
        for wall in self.walls:
            assert act == "lobby" or wall.locator(".wall").inner_text().strip(), f"{name}: the second screen is empty"
            assert not (small := wall.evaluate(SMALL, SMALLEST)), f"{name}, {act}: {small}"
        assert self.neighbour.evaluate("document.getElementById('class').dataset.act") == "lobby"

    def expect_scene(self, name: str) -> None:
        """Wait until the teacher's link names a scene, because the next choice changes that link."""
        is_scene = "name => (new URLSearchParams(location.search).get('lesson.scene') ?? 'box') === name"
        self.teacher.wait_for_function(is_scene, arg=name)

    def where(self) -> str:
        """The act on each screen and the teacher's link, for error messages."""
        walls = [wall.evaluate("document.body.dataset.act") for wall in self.walls]
        phones = [phone.evaluate("document.getElementById('class')?.dataset.act") for phone in self.phones]
        return f"second screens {walls}, phones {phones}, teacher {self.teacher.url}"

    def choose(self, **params: str) -> None:
        """Open the teacher's page with other choices in its link, such as another sentence or model.

        Afterwards every phone's text must have changed.
        """
        texts_before = [phone.locator("#class").inner_text() for phone in self.phones]
        place = urlsplit(self.teacher.url)
        query = dict(parse_qsl(place.query, keep_blank_values=True)) | params
        self.teacher.goto(urlunsplit(place._replace(query=urlencode(query))))
        for phone, before in zip(self.phones, texts_before, strict=True):
            phone.wait_for_function("old => document.getElementById('class').innerText !== old", arg=before)

    def photograph(self, name: str) -> None:
        """Save a picture of each screen, if there is a folder for them."""
        if self.pictures is None:
            return
        walls = ((f"wall{height}", wall) for (_, height), wall in zip(WALLS, self.walls, strict=True))
        phones = ((f"phone-{code}", phone) for code, phone in zip(LANGUAGES, self.phones, strict=True))
        for name_of_screen, page in (("teacher", self.teacher), *phones, *walls):
            page.screenshot(path=self.pictures / f"{self.language}-{name}-{name_of_screen}.png")

    def reload(self, act: str, name: str) -> None:
        """Reload every screen, which must then show the same act."""
        for page in (*self.walls, *self.phones, self.teacher):
            page.reload()
        self.expect_act(act, f"{name}-reloaded")


@contextmanager
def open_class(browser: Browser, address: str, chosen: argparse.Namespace, language: str) -> Iterator[Class]:
    """A room with its screens, and another room; walls use the teacher's language, phones one language each."""
    with ExitStack() as closing:

        def page(path: str, width: int, height: int, spoken: str, *, is_dark: bool = False) -> Page:
            context = browser.new_context(
                viewport={"width": width, "height": height}, locale=LOCALES[spoken],
                color_scheme="dark" if is_dark else "light",
            )  # fmt: skip
            closing.callback(context.close)
            new_page = context.new_page()
            new_page.set_default_timeout(PATIENCE)
            new_page.goto(f"{address}/{path}")
            return new_page

        def room(is_dark: bool) -> tuple[Page, str]:
            teacher = page(f"room?language={language}", 1440, 900, language, is_dark=is_dark)
            return teacher, open_room(teacher, language)

        (teacher, code), (_, other_code) = room(chosen.dark), room(False)
        walls = [
            page(f"class/{code}/screen", *size, language, is_dark=chosen.dark != bool(i))
            for i, size in enumerate(WALLS)
        ]
        phones = [
            page(f"class/{code}", 390, 844, spoken, is_dark=chosen.dark != bool(i % 2))
            for i, spoken in enumerate(LANGUAGES)
        ]
        neighbour = page(f"class/{other_code}", 390, 844, language)
        late = partial(page, f"class/{code}", 390, 844, language)
        yield Class(language, teacher, walls, phones, neighbour, code, late, chosen.pictures)


def walk(group: Class, route: str, *, has_reloads: bool) -> None:
    """The quiz, the scenes of the route, and the quiz again."""
    group.expect_act("lobby", "00")
    quiz(group, BEFORE, right=False)  # no route has been chosen
    group.photograph("00-quiz")
    group.press("room.close_quiz")
    group.expect_act("lobby", "01")
    address = group.teacher.url.partition("/room?")[0]
    group.teacher.goto(f"{address}/?language={group.language}&room.code={group.code}")
    group.expect_act("look", "02")
    for place, number in enumerate(scenes_of(route)):
        if place:
            group.teacher.locator(".st-key-lesson-next button").click()
        else:
            at = f"{address}/lesson?language={group.language}&room.code={group.code}&lesson.route={route}"
            group.teacher.goto(at)
        scene(group, number, is_first=has_reloads and not place)
        if place:
            go_back(group, scenes_of(route)[place - 1], number)
        print(f"{group.language}: scene {number + 1} of {len(SCENES)}", flush=True)
    group.teacher.locator(".st-key-top_bar").get_by_role("link", name=group.code).click()
    group.press("room.drop")
    group.expect_act("lobby", "90")
    quiz(group, AFTER, route, right=True)
    group.press("room.close_vote")
    group.expect_act("explain", "91")


def go_back(group: Class, before: int, current: int) -> None:
    """Go back a scene and forward again; each time every screen shows the explanation with its votes."""
    for way, number in (("previous", before), ("next", current)):
        group.teacher.locator(f".st-key-lesson-{way} button").click()
        group.expect_scene(SCENES[number].name)  # both scenes have the same act, so wait before clicking
        group.expect_act("explain", f"{current + 10}-{SCENES[current].name}-{way}")


def quiz(group: Class, offer: str, route: str = "full", *, right: bool) -> None:
    """Ask a quiz and answer every question of the route on every phone."""
    n_items = len(items_of(offer, route))
    group.teacher.get_by_role("combobox", name=group.message("room.ask")).click()
    group.teacher.get_by_role("option", name=group.message(f"room.ask_{offer.partition('.')[2]}")).click()
    group.press("room.ask_open")
    for phone in group.phones:
        for number in range(n_items):
            phone.get_by_text(f"{number + 1} / {n_items}").wait_for()
            phone.locator(".answers button").nth((number + int(right)) % 3).click()
        phone.locator(".question .remark").wait_for()


def scene(group: Class, number: int, *, is_first: bool) -> None:
    """Run a scene: question, votes, experiment, explanation."""
    name, place, address = SCENES[number].name, f"{number + 10}-{SCENES[number].name}", group.phones[0].url
    group.expect_act("ask", place)
    group.expect_scene(name)
    group.choose(**(_write_word(1) if name == "reader" else {"text": OTHER}))
    group.expect_act("ask", f"{place}-other")
    for i, phone in enumerate(group.phones):
        phone.locator(".answers button").nth((number + i) % 2).click()
    group.teacher.get_by_text(
        group.message("room.answers_of", n=len(group.phones), phones=len(group.phones))
    ).wait_for()
    if is_first:
        group.reload("ask", place)
    group.press("room.close_vote")
    group.expect_act("votes", place)
    if is_first:
        group.reload("votes", place)
        late = group.join()
        late.wait_for_function("() => document.getElementById('class').dataset.act === 'votes'")
        late.context.close()
        group.phones[0].goto("about:blank")
    if name == "train":
        group.press("lesson.train_start")
    else:
        group.teacher.locator(".st-key-lesson-change button").click()
    if is_first:
        group.walls[0].wait_for_function("() => document.body.dataset.act === 'observe'")
        group.phones[0].goto(address)
    group.expect_act("observe", place)
    if is_first:
        group.reload("observe", place)
    group.press("lesson.explain_now")
    group.expect_act("explain", place)
    if is_first:
        group.reload("explain", place)
    group.choose(**(_write_word(3) if name == "reader" else {"model": "en-de"}))
    group.expect_act("explain", f"{place}-model")
    group.choose(**(_write_word(1) if name == "reader" else {"model": "en-fr"}))
    group.expect_act("explain", f"{place}-again")


def _write_word(place: int) -> dict[str, str]:
    """Choose another word in the scene on handwriting, whose source is a picture."""
    words = (PRETRAINED / "reader/examples.tsv").read_text("utf-8").splitlines()
    return {"lesson.word": words[place].split("\t")[2], "lesson.letter": ""}


def main() -> int:
    """Walk the lesson in each language."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--route", choices=("short", "full"), default="short")
    parser.add_argument("--languages", nargs="+", choices=tuple(LOCALES), default=tuple(LOCALES))
    parser.add_argument("--pictures", type=Path, help="a folder for photographs of every act")
    parser.add_argument("--dark", action="store_true", help="the teacher's page dark, the others the other way round")
    chosen = parser.parse_args()
    if chosen.pictures is not None:
        chosen.pictures.mkdir(parents=True, exist_ok=True)
    with application(OMP_NUM_THREADS="1") as address, chromium() as browser:
        for language in chosen.languages:
            with open_class(browser, address, chosen, language) as group:
                try:
                    walk(group, chosen.route, has_reloads=language == chosen.languages[0])
                except (PlaywrightTimeout, AssertionError):
                    print(group.where(), flush=True)
                    raise
    print("every screen showed every act")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Which test files are related to a file of the code, by names and imports: for quick runs and for mutation testing."""

import re
from functools import cache
from pathlib import Path

from tests.pages import PAGES

ROOT = Path(__file__).parents[1]
MOST_RELATED = 14
"""Files of tests that are run for one error."""
DEPTH = 5
"""How far from a file a test may be, in imports."""
IN_BROWSER = {
    "attention": ("tests/browser/test_views.py", "tests/browser/test_views_reading.py"),
    "site": ("tests/browser/test_site.py",),
    "engine": ("tests/browser/test_site.py",),
    "phone": ("tests/browser/test_room.py",),
    "sentence": ("tests/browser/test_sentence.py",),
    "decoding": ("tests/browser/test_decode_page.py",),
    "inside": ("tests/browser/test_teaching.py",),
    "overview": ("tests/browser/test_overview_page.py",),
    "matrix": ("tests/browser/test_keyboard.py",),
}
"""Tests of components whose scripts need a page."""


@cache
def _texts() -> dict[Path, str]:
    """The tests, and the code."""
    found = [
        path for top in ("tests", "viz", "model") for ext in ("py", "js") for path in (ROOT / top).rglob(f"*.{ext}")
    ]
    return {path.relative_to(ROOT): path.read_text("utf-8") for path in sorted(found)}


@cache
def _imports() -> dict[str, list[Path]]:
    """The files that import or name a module, by its dotted name; scripts by their names."""
    found: dict[str, list[Path]] = {}
    for path, text in _texts().items():
        if path.suffix == ".js":
            names = set(re.findall(r"""["'`][^"'`\n]*/([\w.]+\.js)["'`]""", text))
        else:
            names = set(re.findall(r"\b(?:model|viz|tests)(?:\.\w+)+", text))
            names |= {name[: dot.start()] for name in names for dot in re.finditer(r"\.", name)}  # a package is run too
            for package, listed in re.findall(r"from ([\w.]+) import (\([^)]*|[^\n]*)", text):
                names |= {f"{package}.{short}" for short in re.findall(r"\w+", listed)}
        for name in names:
            found.setdefault(name, []).append(path)
    return found


def _users(path: Path) -> list[Path]:
    """The files that import a file, in the order of their names."""
    module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    return [user for user in _imports().get(path.name if path.suffix == ".js" else module, ()) if user != path]


@cache
def related(name: str) -> tuple[str, ...]:
    """Files of tests for a file: of its name, those that import it, then those further away, of pages that use it or
    with a rare word in common.

    Among those as near, first those whose names share rare words with the file's. Of a component's script, Node's, then
    those in Python that run it, then those in a browser.
    """
    path = Path(name)
    places: dict[Path, int] = {}
    level, seen = [path], {path}
    for distance in range(DEPTH):
        places = dict.fromkeys(_of_pages(level), distance + 1) | places
        users = [user for each in level for user in _users(each)]
        places = {test: distance for test in users if is_test(test)} | places
        level = [user for user in dict.fromkeys(users) if user not in seen and user.parts[0] != "tests"]
        seen |= set(level)
    for part in re.split("_", path.stem):
        naming = [test for test in _texts() if is_test(test) and test.suffix == path.suffix and part in _words(test)]
        places = {test: 1 for test in naming if len(naming) <= MOST_RELATED} | places
    places |= {test: -1 for test in _texts() if _is_of(test, path)}
    mine = _words_of_name(path)
    rare = {word for word in mine if _bearing().get(word, 0) <= MOST_RELATED // 2}
    places = {test: 1 for test in _texts() if is_test(test) and rare & _words_of_name(test)} | places
    likeness = {test: sum(1 / _bearing()[word] for word in mine & _words_of_name(test)) for test in places}
    named = {test: len(_names_of(path) & _words(test)) for test in places}

    def order(test: Path) -> tuple[float, float, int, Path]:
        return (min(places[test], 1), -likeness[test] - 0.05 * named[test], places[test], test)

    chosen = [test.as_posix() for test in sorted(places, key=order) if test.suffix == path.suffix][:MOST_RELATED]
    if path.suffix != ".js":
        return tuple(chosen)
    running = [test.as_posix() for test, text in _texts().items() if test.suffix == ".py" and f"/{path.name}" in text]
    return (*chosen, *(name for name in running if is_test(Path(name))), *IN_BROWSER.get(path.parts[2], ()))


@cache
def _words(path: Path) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", _texts()[path]))


@cache
def _words_of_name(path: Path) -> frozenset[str]:
    """Words of a path without their plural's ending: viz/lesson/views.py has lesson and view."""
    return frozenset(word.removesuffix("s") for word in re.findall(r"[a-z0-9]+", path.as_posix())) - {"py", "j", "tet"}


@cache
def _bearing() -> dict[str, int]:
    """How many files of tests bear a word in their path."""
    found: dict[str, int] = {}
    for word in (word for test in _texts() if is_test(test) for word in _words_of_name(test)):
        found[word] = found.get(word, 0) + 1
    return found


@cache
def _names_of(path: Path) -> frozenset[str]:
    """What a file defines for others, and its own name."""
    text = _texts().get(path, "")
    found = re.findall(r"^(?:export )?(?:async )?(?:def|class|function|const) ([A-Za-z]\w+)", text, re.MULTILINE)
    return frozenset({path.stem, *found})


def _of_pages(paths: list[Path]) -> list[Path]:
    """Tests that name a page in whose folder one of the files is: a page is a script, which nothing imports."""
    pages = {path.parts[1] for path in paths if path.parts[0] == "viz" and path.suffix == ".py"} & set(PAGES)
    return [test for page in sorted(pages) for test in _opening(page)]


@cache
def _opening(page: str) -> tuple[Path, ...]:
    listed = [test for test, text in _texts().items() if test.suffix == ".py" and is_test(test) and f'"{page}"' in text]
    return tuple(test for test in listed if "viz" in test.parts)


def is_test(path: Path) -> bool:
    """Whether a file has tests that need no browser."""
    return (path.name.startswith("test_") or path.name.endswith(".test.js")) and "browser" not in path.parts


def _is_of(test: Path, path: Path) -> bool:
    """Whether a file of tests bears the file's name: state.test.js, test_state.py, test_state_page.py."""
    bare = test.stem.removeprefix("test_").removesuffix(".test").removesuffix("_page")
    return is_test(test) and test.suffix == path.suffix and bare == path.stem

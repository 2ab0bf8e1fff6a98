"""Finds the test files related to a source file, by names and imports, for quick runs and mutation testing."""

import re
from functools import cache
from pathlib import Path

from tests.pages import PAGES

ROOT = Path(__file__).parents[1]
MOST_RELATED = 14
"""The number of test files that are run per mutant."""
DEPTH = 5
"""The largest distance of a test from a file, in imports."""
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
"""Browser tests of components' scripts."""


@cache
def _texts() -> dict[Path, str]:
    """The texts of all tests and all code."""
    found = [
        path for top in ("tests", "viz", "model") for ext in ("py", "js") for path in (ROOT / top).rglob(f"*.{ext}")
    ]
    return {path.relative_to(ROOT): path.read_text("utf-8") for path in sorted(found)}


@cache
def _imports() -> dict[str, list[Path]]:
    """The files that import or name a module, by its dotted name, or a script, by its file name."""
    importers: dict[str, list[Path]] = {}
    for path, text in _texts().items():
        if path.suffix == ".js":
            names = set(re.findall(r"""["'`][^"'`\n]*/([\w.]+\.js)["'`]""", text))
        else:
            names = set(re.findall(r"\b(?:model|viz|tests)(?:\.\w+)+", text))
            names |= {
                name[: dot.start()] for name in names for dot in re.finditer(r"\.", name)
            }  # importing a module imports its packages
            for package, listed in re.findall(r"from ([\w.]+) import (\([^)]*|[^\n]*)", text):
                names |= {f"{package}.{short}" for short in re.findall(r"\w+", listed)}
        for name in names:
            importers.setdefault(name, []).append(path)
    return importers


def _users(path: Path) -> list[Path]:
    """The files that import a file, sorted."""
    module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    return [user for user in _imports().get(path.name if path.suffix == ".js" else module, ()) if user != path]


@cache
def related_tests(name: str) -> tuple[str, ...]:
    """Test files for a source file: named after it, importing it directly or indirectly, testing pages that use it, or
    sharing a rare word.

    Ties are ordered by rare words in common. For a component's script: Node tests, then Python tests that run it, then
    browser tests.
    """
    path = Path(name)
    distances: dict[Path, int] = {}
    level, visited = [path], {path}
    for distance in range(DEPTH):
        distances = dict.fromkeys(_of_pages(level), distance + 1) | distances
        users = [user for near_file in level for user in _users(near_file)]
        distances = {test: distance for test in users if is_test(test)} | distances
        level = [user for user in dict.fromkeys(users) if user not in visited and user.parts[0] != "tests"]
        visited |= set(level)
    for part in re.split("_", path.stem):
        naming = [test for test in _texts() if is_test(test) and test.suffix == path.suffix and part in _words(test)]
        distances = {test: 1 for test in naming if len(naming) <= MOST_RELATED} | distances
    distances |= {test: -1 for test in _texts() if _is_of(test, path)}
    name_words = _words_of_name(path)
    rare = {word for word in name_words if _files_per_word().get(word, 0) <= MOST_RELATED // 2}
    distances = {test: 1 for test in _texts() if is_test(test) and rare & _words_of_name(test)} | distances
    likeness = {
        test: sum(1 / _files_per_word()[word] for word in name_words & _words_of_name(test)) for test in distances
    }
    n_names_used = {test: len(_names_of(path) & _words(test)) for test in distances}

    def order(test: Path) -> tuple[float, float, int, Path]:
        return (min(distances[test], 1), -likeness[test] - 0.05 * n_names_used[test], distances[test], test)

    chosen = [test.as_posix() for test in sorted(distances, key=order) if test.suffix == path.suffix][:MOST_RELATED]
    if path.suffix != ".js":
        return tuple(chosen)
    running = [test.as_posix() for test, text in _texts().items() if test.suffix == ".py" and f"/{path.name}" in text]
    return (*chosen, *(name for name in running if is_test(Path(name))), *IN_BROWSER.get(path.parts[2], ()))


@cache
def _words(path: Path) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", _texts()[path]))


@cache
def _words_of_name(path: Path) -> frozenset[str]:
    """Words of a path in the singular: viz/lesson/views.py has lesson and view."""
    return frozenset(word.removesuffix("s") for word in re.findall(r"[a-z0-9]+", path.as_posix())) - {"py", "j", "tet"}


@cache
def _files_per_word() -> dict[str, int]:
    """The number of test files with a word in their path, by word."""
    counts: dict[str, int] = {}
    for word in (word for test in _texts() if is_test(test) for word in _words_of_name(test)):
        counts[word] = counts.get(word, 0) + 1
    return counts


@cache
def _names_of(path: Path) -> frozenset[str]:
    """The public names that a file defines, and its name."""
    text = _texts().get(path, "")
    names = re.findall(r"^(?:export )?(?:async )?(?:def|class|function|const) ([A-Za-z]\w+)", text, re.MULTILINE)
    return frozenset({path.stem, *names})


def _of_pages(paths: list[Path]) -> list[Path]:
    """Tests that name a page whose folder contains one of the files; nothing imports a page's script."""
    pages = {path.parts[1] for path in paths if path.parts[0] == "viz" and path.suffix == ".py"} & set(PAGES)
    return [test for page in sorted(pages) for test in _opening_of_page(page)]


@cache
def _opening_of_page(page: str) -> tuple[Path, ...]:
    listed = [test for test, text in _texts().items() if test.suffix == ".py" and is_test(test) and f'"{page}"' in text]
    return tuple(test for test in listed if "viz" in test.parts)


def is_test(path: Path) -> bool:
    """Whether a file contains tests that need no browser."""
    return (path.name.startswith("test_") or path.name.endswith(".test.js")) and "browser" not in path.parts


def _is_of(test: Path, path: Path) -> bool:
    """Whether a test file is named after a file: state.test.js, test_state.py, test_state_page.py."""
    bare = test.stem.removeprefix("test_").removesuffix(".test").removesuffix("_page")
    return is_test(test) and test.suffix == path.suffix and bare == path.stem

"""docs/architecture.md matches the code: arrows are imports, tables name every part, and walks lead to files."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from model.analysis.measures import METRICS
from model.interventions import ITEMS
from model.patch import Patch
from tests.cases import for_each
from tests.trees import imported_modules, statements, tree_of

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/architecture.md").read_text("utf-8")
DRAWING = re.search(r"```\n(.*?)```", PAGE, re.DOTALL)


def _arrows() -> Iterator[tuple[str, str]]:
    """The arrows of the drawing as pairs of folders or files: ("viz/lesson", "viz/panels")."""
    assert DRAWING is not None
    for line in DRAWING[1].splitlines():
        groups = [_parts(end.strip()) for end in line.split("->")]
        for importers, imported in itertools.pairwise(groups):
            yield from itertools.product(importers, imported)


def _parts(name: str) -> list[str]:
    """ "viz/{cache, i18n}" as viz/cache and viz/i18n."""
    inside = re.fullmatch(r"(\w+/)\{(.*)\}", name)
    return [name] if inside is None else [inside[1] + part.strip() for part in inside[2].split(",")]


@cache
def _imports(part: str) -> frozenset[str]:
    """The paths of all modules that a part's files import, anywhere in them."""
    place = ROOT / part
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place if place.suffix else place.with_suffix(".py")]
    assert files and all(path.is_file() for path in files), f"{part} is nowhere"
    return frozenset(name.replace(".", "/") for path in files for name in imported_modules(path))


def _imports_from(importer: str, imported: str) -> bool:
    return any(name == imported or name.startswith(f"{imported}/") for name in _imports(importer))


ARROWS = sorted(set(_arrows()))


@for_each(ARROWS)
def test_an_arrow_is_an_import_and_nothing_imports_against_it(importer: str, imported: str) -> None:
    assert _imports_from(importer, imported)
    assert not _imports_from(imported, importer.removesuffix(".py"))


def test_nothing_imports_against_a_chain_of_arrows() -> None:
    importers_of: dict[str, set[str]] = {}
    for importer, imported in ARROWS:
        importers_of.setdefault(imported, set()).add(importer)

    def ancestors(part: str) -> set[str]:
        direct = importers_of.get(part, set())
        return direct.union(*(ancestors(part_) for part_ in direct))

    against = {
        (part, ancestor)
        for part in importers_of
        for ancestor in ancestors(part)
        if _imports_from(part, ancestor.removesuffix(".py"))
    }
    assert not against


DRAWN = {part for arrow in ARROWS for part in arrow if "/" in part}


MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for layer in ("model", "viz") for path in (ROOT / layer).rglob("*.py")
}  # fmt: skip


def _runtime_imports(path: Path) -> Iterator[str]:
    """This repository's modules that a file imports at runtime, also within functions."""
    nodes = list(statements(tree_of(path.read_text("utf-8")).body))
    conditions = (node for node in nodes if isinstance(node, ast.If) and isinstance(node.test, ast.Name))
    for_types = {
        id(statement) for node in conditions if ast.unparse(node.test) == "TYPE_CHECKING" for statement in node.body
    }
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and id(node) not in for_types:
            members = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from [member for member in members if member in MODULES] or [node.module]


def _part(name: str) -> str:
    """A module's folder in the drawing, or the module itself: "model.checkpoints.formats", "model.trace"."""
    folders = (part.replace("/", ".") for part in DRAWN if (ROOT / part).is_dir())
    inside = [part for part in folders if name == part or name.startswith(f"{part}.")]
    return max(inside, key=len, default=".".join(name.split(".")[:2]))


def test_no_module_and_no_part_imports_itself_by_way_of_others() -> None:
    ours = MODULES.keys() - {"model", "viz"}
    modules = {name: set(_runtime_imports(MODULES[name])) & ours - {name} for name in ours}
    parts: dict[str, set[str]] = {}
    for name, imports in modules.items():
        parts.setdefault(_part(name), set()).update({_part(imported) for imported in imports} - {_part(name)})
    for graph in (modules, parts):
        TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_every_folder_is_drawn() -> None:
    folders = {
        str(folder.relative_to(ROOT)) for layer in ("model", "viz") for folder in (ROOT / layer).iterdir()
        if folder.is_dir() and any(folder.rglob("*.py"))
    }  # fmt: skip
    assert not folders - DRAWN


def test_the_drawing_has_a_way_for_every_import_between_its_parts() -> None:
    imports_of: dict[str, set[str]] = {}
    for importer, imported in ARROWS:
        imports_of.setdefault(importer, set()).add(imported)

    def reached(part: str) -> set[str]:
        """All that a part may import, which a folder inside another shares."""
        direct = imports_of.get(part, set())
        return direct.union(*(reached(part_) for part_ in (*direct, *_parents(part))))

    pairs = (
        (part, target)
        for part in DRAWN for target in DRAWN - {part, *_parents(part)}
        if _layer(part) == _layer(target) and part not in _parents(target)
        and not {target, *_parents(target)} & reached(part)
    )  # fmt: skip
    assert not [f"{part} -> {target}" for part, target in pairs if _imports_from(part, target)]


def _parents(part: str) -> set[str]:
    """The folders around a part, without its layer: model/checkpoints for model/checkpoints/formats."""
    return {str(folder) for folder in Path(part).parents if folder.parent.name}


def _layer(part: str) -> str:
    return part.partition("/")[0]


@pytest.mark.parametrize("layer", ["model", "viz"])
def test_the_tables_name_every_part_and_no_other(layer: str) -> None:
    section = PAGE.split(f"## `{layer}/`")[1].split("\n## ")[0]
    cells = (row.split("|")[1] for row in section.splitlines() if row.startswith("| `"))
    listed = {name.removesuffix("<name>/") for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    existing = {
        f"{path.name}/" if path.is_dir() else path.name
        for path in (ROOT / layer).iterdir()
        if path.suffix == ".py" or (path.is_dir() and any(path.glob("*.py")))
    }
    assert existing - listed <= {"__init__.py", "__main__.py"}
    assert listed <= existing


def test_each_walk_arrives() -> None:
    walks = re.findall(r"^- \*\*.*?(?=^- |\n\n)", PAGE.split("### Walks")[1], re.DOTALL | re.MULTILINE)
    assert len(walks) == 7
    for walk in walks:
        files = [ROOT / Path(*steps) for steps in _paths(walk)]
        assert files and all(path.is_file() for path in files), files
        text = "\n".join(path.read_text("utf-8") for path in files)
        for name in re.findall(r"`(\w+(?:\.\w+)?)`", walk):
            owner, _, member = name.rpartition(".")
            if name.endswith((".py", ".js")):
                continue
            assert re.search(
                rf"(?:def|class|function) {member}\b|^ +{member}\(.*{{$|^{member}\b.* = ", text, re.MULTILINE
            ), name
            assert not owner or re.search(rf"class {owner}\b", text), name


@pytest.mark.parametrize(
    ("question", "names", "n_listed"),
    [
        ("a new metric of a head", [metric.name for metric in METRICS], 5),
        ("a new change of attention", [kind.__name__ for kind in ITEMS.values() if kind is not Patch], 3),
    ],
)
def test_a_walk_opens_every_file_that_lists_the_names(question: str, names: list[str], n_listed: int) -> None:
    (walk,) = re.findall(rf"^- \*\*What does {question} open.*?(?=^- |\n\n)", PAGE, re.DOTALL | re.MULTILINE)
    files = {ROOT / Path(*steps) for steps in _paths(walk)}
    assert 0 < len(files) <= 6
    for layer in ("model", "viz"):
        for path in itertools.chain((ROOT / layer).rglob("*.py"), (ROOT / layer).rglob("*.js")):
            text = path.read_text("utf-8")
            listed = [
                name
                for name in names
                if name in text and re.search(rf"[\"']{name}[\"']|^ +{name}:|\b{name}\b(?=[(,|\]])", text, re.M)
            ]
            assert len(listed) < n_listed or path in files, f"{path} lists {', '.join(listed)}: {question} opens it too"


def _paths(walk: str) -> Iterator[list[str]]:
    """The steps of "`model/` → `decoding/` → `beam_search.py`"."""
    for chain in re.findall(r"`\w+/`(?:\s*→\s*`[\w.]+/?`)+", walk):
        yield [step.strip("/") for step in re.findall(r"`([^`]+)`", chain)]

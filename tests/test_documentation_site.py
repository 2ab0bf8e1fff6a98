"""The documentation site contains every page and every public name of the library; `make docs` checks its links."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import model
import viz
from docs import written

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


class _Loader(yaml.SafeLoader):
    """Reads `!ENV [name, default]` as its default."""


def _default(loader: yaml.SafeLoader, node: yaml.SequenceNode) -> Any:
    return loader.construct_sequence(node)[-1]


_Loader.add_constructor("!ENV", _default)
SITE: dict[str, Any] = yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), _Loader)


def _pages(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for entry in nav if isinstance(nav, list) else nav.values() if isinstance(nav, dict) else ():
        yield from _pages(entry)


def test_every_document_is_in_the_navigation_once_in_the_agreed_order():
    listed = list(_pages(SITE["nav"]))
    assert len(listed) == len(set(listed))
    documents = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    generated = set(re.findall(r'": "([a-z]+\.md)"', (DOCS / "outside.py").read_text("utf-8")))
    assert set(listed) == documents | generated
    assert [next(iter(tab)) for tab in SITE["nav"]] == [
        "Start", "Teach", "Explore", "Research", "Library reference", "Command line", "Checkpoints", "Administer",
        "How it is built", "Decisions", "Experiments",
    ]  # fmt: skip


def test_every_public_name_has_its_place_in_the_reference():
    texts = "\n".join(path.read_text("utf-8") for path in (DOCS / "reference").glob("*.md"))
    described = re.findall(r"^::: ([\w.]+)$", texts, re.MULTILINE)
    assert len(described) == len(set(described))
    steps = {"model.decoding.beam", "model.decoding.forced", "model.decoding.greedy", "model.decoding.sample"}
    public_names = {
        "model",
        *steps,
        *(f"model.{name}" for name in model.__all__),
        *(f"viz.notebook.{name}" for name in viz.__all__),
    }
    assert set(described) == public_names


def test_the_page_of_translate_is_two_clicks_from_the_first_one():
    first, second = ((DOCS / name).read_text("utf-8") for name in ("index.md", "reference/translate.md"))
    assert "(reference/translate.md)" in first and second.splitlines()[2] == "::: model.translate"


@pytest.mark.parametrize("name", sorted({name for name, _ in written.PARTS}))
def test_generated_parts_of_the_documents_match_the_code(name: str):
    page = (DOCS / name).read_text("utf-8")
    assert page == written.rewritten(name, page), "python -m docs.written"


def test_the_page_of_the_command_line_has_every_command_with_every_option():
    page = (DOCS / "commands.md").read_text("utf-8")
    for top in (written.model_parser(), written.viz_parser()):
        for name, command in written.commands_of(top).items():
            part = page.split(f"\n## {name}\n")[1].split("\n## ")[0]
            assert all(f"`{option}`" in part for action in command._actions[1:] for option in action.option_strings)

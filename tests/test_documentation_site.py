"""The documentation site has every page and public name, links have targets, and tables match the code."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml

import model
import viz
from docs import written
from model.checkpoints.basis import limits as checkpoints
from model.checkpoints.basis.limits import Limits, limits
from model.runs import limits as training
from tests.cases import for_each

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


FOLDERS = (
    "*.md",
    "docs/**/*.md",
    "pretrained/*/*.md",
    "benchmarks/*.md",
    "deploy/**/*.md",
    "paper/*.md",
    ".github/**/*.md",
)
DOCUMENTS = sorted({path for folder in FOLDERS for path in ROOT.glob(folder)})
LINK = re.compile(r"(?:\]\(|srcset=\"|src=\")([^)\"\s]+)")
TABLE = (ROOT / "docs/administrators.md").read_text("utf-8")
VARIABLE = re.compile(r"REGARD_[A-Z_]+(?![A-Z_{])")  # not the start of an f-string's name
INTERNAL = {"REGARD_PROGRAM", "REGARD_COMPLETED"}
"""Set by the installed command for its child process."""
PROXY = {"REGARD_ONE", "REGARD_TWO", "REGARD_LISTEN", "REGARD_OUTER_PROXY", "REGARD_MEMORY", "REGARD_CPUS",
         "REGARD_NGINX_IMAGE"}  # fmt: skip
"""Placeholders in nginx's and the containers' configuration; the application does not read them."""


@for_each(DOCUMENTS)
def test_links_lead_to_files_and_headings_that_are_there(document: Path):
    for link in LINK.findall(without_code(document.read_text("utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, heading = link.partition("#")
        target = document.parent / unquote(name) if name else document
        assert target.exists(), f"{document.name}: {link}"
        if heading and target.suffix == ".md":
            assert heading in headings(target), f"{document.name}: {link}"


def test_the_readme_is_one_screen_with_three_doors_that_each_lead_to_a_page():
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.split()) <= 900
    first_screen = text.split("## ")[0]
    assert "make app" in first_screen and "make test" in first_screen and ".webp" in first_screen
    doors = text.split("## Three doors")[1]
    for door in ("Teach", "Explore", "Research"):
        (paragraph,) = [part for part in doors.split("\n\n") if part.startswith(f"**{door}.**")]
        assert paragraph.count("\n") <= 2 and len(LINK.findall(paragraph)) == 1


def test_every_variable_that_the_application_reads_is_in_the_administrators_table():
    limits = {f"REGARD_{name.upper()}" for name in Limits.__dataclass_fields__}
    variables = {name for path in sources() for name in VARIABLE.findall(path.read_text("utf-8"))} - INTERNAL - PROXY
    documented = set(VARIABLE.findall(TABLE)) - PROXY
    assert variables <= documented
    assert documented <= variables | limits
    rows = [line.split("|")[1] for line in TABLE.splitlines() if line.startswith("| `REGARD_")]
    listed = [name for row in rows for name in VARIABLE.findall(row)]
    assert len(listed) == len(set(listed))


def test_the_limits_that_stand_in_the_table_are_those_of_the_code():
    for line in TABLE.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if not line.startswith("| `REGARD_"):
            continue
        for name, value in zip(VARIABLE.findall(cells[0]), cells[2].replace(",", "").split(), strict=False):
            field = name.removeprefix("REGARD_").lower()
            if field in Limits.__dataclass_fields__ and field != "computation_mb":
                assert int(value) == getattr(Limits(), field), name


SIZE = re.compile(r"([\d,.]+) (GiB|MiB|million|steps|minutes|days|hour)|(\d+)")
UNITS = {"GiB": 1024, "MiB": 1, "million": 1_000_000, "steps": 1, "minutes": 60, "days": 1, "hour": 1 / 24}
PUBLIC_ROWS = {
    "one upload": ("max_upload_mb",),
    "one file of weights": ("max_file_mb",),
    "uploads of all visitors, and of one": ("uploads_mb", "session_uploads_mb"),
    "weights that one visitor, and all of them, keep open": ("session_memory_mb", "models_mb"),
    "weights of one file of attention, and of all that are open": ("attention_mb", "results_mb"),
    "parameters of a checkpoint": ("max_parameters",),
    "training runs of each replica, waiting or running": ("max_alive", "max_alive_per_session"),
    "length of a run, and of its pauses together": ("max_steps", "max_seconds", "max_pause_seconds"),
    "finished runs are kept": ("keep_days",),
    "disk for all runs, for one visitor's, and for what one run records": (
        "keep_bytes", "keep_bytes_per_session", "undo_bytes",
    ),
}  # fmt: skip


@pytest.mark.parametrize("public", [False, True])
def test_the_table_of_public_servers_has_every_limit_that_changes_with_its_value(
    public: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGARD_PUBLIC", "1" if public else "")
    uploads, runs = limits(), training.Limits.from_environment()
    assert {name for names in PUBLIC_ROWS.values() for name in names} == {*checkpoints._PUBLIC, *training._PUBLIC}
    cells = {row[0]: row[1 + public] for row in rows_of("| | usual | public |")}
    for row, names in PUBLIC_ROWS.items():
        sizes = [(text, unit, bare) for text, unit, bare in SIZE.findall(cells[row])]
        for name, (text, unit, bare) in zip(names, sizes, strict=False):
            value = getattr(uploads if hasattr(uploads, name) else runs, name)
            value = value / 2**20 if name.endswith("bytes") or "keep_bytes" in name else value
            expected = float(bare) if bare else float(text.replace(",", "")) * UNITS[unit]
            assert value == pytest.approx(expected), (row, name)


def rows_of(heading: str) -> list[list[str]]:
    """The cells of the table below a heading."""
    lines = TABLE.split(heading)[1].splitlines()[2:]
    ours = lines[: lines.index("")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in ours]


def sources() -> list[Path]:
    return [ROOT / "app.py", *(path for part in ("model", "viz", "packaging") for path in (ROOT / part).rglob("*.py"))]


def without_code(text: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


def headings(path: Path) -> set[str]:
    """The anchors that GitHub gives to a document's headings."""
    titles = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in titles}

"""Links in the documents lead to existing targets, and the table of environment variables matches the code."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from model.checkpoints.limits import Limits

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("pretrained/*/*.md")})
LINK = re.compile(r"(?:\]\(|srcset=\"|src=\")([^)\"\s]+)")
TABLE = (ROOT / "docs/administrators.md").read_text("utf-8")
VARIABLE = re.compile(r"REGARD_[A-Z_]+")
INTERNAL = {"REGARD_PROGRAM", "REGARD_COMPLETED"}
"""Set by the installed command for the process that it starts."""
PROXY = {"REGARD_ONE", "REGARD_TWO", "REGARD_LISTEN"}
"""Replaced in nginx's configuration."""


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_and_headings_that_are_there(document: Path):
    for link in LINK.findall(without_code(document.read_text("utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, heading = link.partition("#")
        target = document.parent / unquote(name) if name else document
        assert target.exists(), f"{document.name}: {link}"
        if heading:
            assert heading in headings(target), f"{document.name}: {link}"


def test_the_readme_sends_teachers_students_and_researchers_each_to_a_page_of_theirs():
    text = (ROOT / "README.md").read_text("utf-8")
    for who in ("teachers", "students", "researchers"):
        (paragraph,) = [part for part in text.split("\n\n") if part.startswith(f"**For {who}.**")]
        assert paragraph.count("\n") <= 2 and len(LINK.findall(paragraph)) == 1


def test_every_variable_that_the_application_reads_is_in_the_administrators_table():
    limits = {f"REGARD_{name.upper()}" for name in Limits.__dataclass_fields__}
    read = {name for path in sources() for name in VARIABLE.findall(path.read_text("utf-8"))} - INTERNAL
    named = set(VARIABLE.findall(TABLE)) - PROXY
    assert read <= named
    assert named <= read | limits
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


def sources() -> list[Path]:
    return [ROOT / "app.py", *(path for part in ("model", "viz", "packaging") for path in (ROOT / part).rglob("*.py"))]


def without_code(text: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


def headings(path: Path) -> set[str]:
    """The anchors that GitHub gives to a document's headings."""
    found = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}

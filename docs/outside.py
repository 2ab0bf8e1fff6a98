"""MkDocs hooks: documents that stand outside docs/ become pages, and links to code lead to the repository."""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "SECURITY.md": "reporting.md",
    "benchmarks/README.md": "figures.md",
}
"""Documents of the repository, and the page that each becomes."""
ICON = "viz/regard.svg"
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the documents, and the icon."""
    for name, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text("utf-8")))
    files.append(File.generated(config, "images/regard.svg", content=(ROOT / ICON).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    """Links that leave docs/ lead to the page that a document became, or to the file in the repository."""
    source = page.file.src_uri
    place = posixpath.dirname(next((name for name, made in PAGES.items() if made == source), f"docs/{source}"))

    def led(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(place, found[1]))
        if not (ROOT / target).exists():
            return found[1]  # MkDocs reports it
        inside = PAGES.get(target) or (target.removeprefix("docs/") if target.startswith("docs/") else "")
        if target == "README.md":
            inside = "index.md"
        if not inside or (ROOT / target).is_dir():
            return f"{config.repo_url}/blob/main/{target}"
        return posixpath.relpath(inside, posixpath.dirname(source) or ".")

    text = re.sub(r"<picture>.*?</picture>", "", markdown, flags=re.DOTALL)
    kept = CODE.findall(text)
    parts = CODE.split(text)
    return "".join(LINK.sub(led, part) + code for part, code in zip(parts, [*kept, ""], strict=True))

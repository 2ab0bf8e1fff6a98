"""What a release is made of, as commands that the Makefile and the workflows share.

python packaging/release.py notes 1.0.0          that version's part of CHANGELOG.md
python packaging/release.py version v1.0.0       ends with status 1 unless the code, CITATION.cff and CHANGELOG.md agree
python packaging/release.py checksums build/dist SHA-256 of each file, in build/dist/SHA256SUMS
python packaging/release.py sbom FILE            the installed packages that Regard needs, as CycloneDX JSON
python packaging/release.py licences             the same packages with their licences, a line each
python packaging/release.py server               requirements-server.txt from requirements-lock.txt
python packaging/release.py newest               the direct dependencies without their bounds, for pip
python packaging/release.py doi 10.5281/zenodo.1 writes the DOI into CITATION.cff
python packaging/release.py owner NAME           writes the repository's address, and the links that need it
"""

import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ADDRESS = ROOT / "packaging" / "address.txt"
"""The repository's address, such as https://github.com/ada/regard; empty until ``make owner`` writes it.
Every link that needs it is written from here, and is not shown before."""
BEGIN, END = "<!-- published -->\n", "<!-- end of published -->"
_SITE = "https://{owner}.github.io/regard"
_BINDER = "https://mybinder.org/v2/gh/{owner}/regard/main?labpath=docs%2Fnotebooks"
_COLAB = "https://colab.research.google.com/github/{owner}/regard/blob/main/docs/notebooks"
_CLONE = "git clone --filter=blob:none https://github.com/{owner}/regard"
PUBLISHED = {
    "README.md": f"`{_CLONE}` fetches the code: 80 MB, without the older versions of files.\n\n"
    f"**Nothing to install:** [the static site]({_SITE}/) runs the model in the page; [the documentation]"
    f"({_SITE}/docs/) is beside it; notebooks open in [Binder]({_BINDER}%2F1-explore.ipynb) and "
    f"[Colab]({_COLAB}/1-explore.ipynb).\n",
    "docs/index.md": f"`{_CLONE}` fetches the code. Without installing anything: the [static site]({_SITE}/) runs the "
    "model in the page.\n",
    "deploy/space/README.md": "[Source and documentation](https://github.com/{owner}/regard)\n",
    "docs/notebooks/README.md": f"Without installing: [![Binder](https://mybinder.org/badge_logo.svg)]({_BINDER})\n"
    f"[![Colab](https://colab.research.google.com/assets/colab-badge.svg)]({_COLAB}/1-explore.ipynb)\n",
}
"""What stands between ``BEGIN`` and ``END`` of a document once the repository has an address."""
_BADGES = (
    f"\n\n[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({_COLAB}/{{name}})\n"
    f"[![Open in Binder](https://mybinder.org/badge_logo.svg)]({_BINDER}%2F{{name}})"
)
_ABSENT = """raise ImportError('install Regard first: pip install "regard[app]"')"""
_FETCHED = (
    "import subprocess\n\n    wanted = 'regard[app] @ git+https://github.com/{owner}/regard'\n"
    "    subprocess.run([sys.executable, '-m', 'pip', 'install', '--quiet', wanted], check=True)"
)
_NAME = re.compile(r"^([A-Za-z0-9._-]+)(?:\[([\w,-]+)\])?")


class ReleaseError(Exception):
    """What must be mended before a release; the message says how."""


def notes(version: str) -> str:
    """The section of CHANGELOG.md that is headed by this version.

    Raises:
        ReleaseError: when there is none.
    """
    parts = re.split(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)
    for heading, text in zip(parts[1::2], parts[2::2], strict=True):
        if re.split(r"[\s,(]", heading)[0] == version:
            return text.strip()
    raise ReleaseError(f"CHANGELOG.md has no section {version}: rename Unreleased, with the day")


def check_version(tag: str) -> str:
    """The version that a tag names.

    Raises:
        ReleaseError: when the code, the citation or the changes name another, or another day.
    """
    version = tag.removeprefix("v")
    (code,) = re.findall(r'^__version__ = "(.+)"$', (ROOT / "model/__init__.py").read_text("utf-8"), re.MULTILINE)
    (cited,) = re.findall(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    for where, said in (("model/__init__.py", code), ("CITATION.cff", cited)):
        if said != version:
            raise ReleaseError(f"{where} says {said} and the tag says {version}: make them equal")
    notes(version)
    (day,) = re.findall(r"^date-released: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    if f"## {version}, {day}\n" not in (ROOT / "CHANGELOG.md").read_text("utf-8"):
        raise ReleaseError(
            f"CITATION.cff says {day} and CHANGELOG.md does not head {version} by that day: make them equal"
        )
    return version


def checksums(folder: Path) -> str:
    """A line of digest and name for each file of a folder, as ``sha256sum --check`` reads them."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


def server_lock(lock: str) -> str:
    """The packages that the application needs, of those that requirements-lock.txt locks, with their hashes.

    PyTorch and what it alone needs are left out: its builds for a processor or a GPU come from PyTorch's own index
    (deploy/Dockerfile). pip installs the rest with ``--no-deps``, because the list is complete.
    """
    blocks = [block for block in re.split(r"(?m)^(?=[a-z0-9])", lock) if "==" in block]
    named = [(block.partition("==")[0], block) for block in blocks]  # a name twice, where versions of Python differ
    needed_by: dict[str, set[str]] = {name: set() for name, _ in named}
    for name, block in named:
        needed_by[name] |= set(re.findall(r"(?m)^ +#(?: +via)? +([^\s#]\S*(?: requirements\S*)?)$", block))
    apart = {name for name in needed_by if name in ("torch", "triton") or name.startswith(("nvidia-", "cuda-"))}
    kept = {name for name, by in needed_by.items() if "-r requirements.txt" in by} - apart
    while more := {name for name, by in needed_by.items() if by & {*kept, "torch"}} - apart - kept:
        kept |= more
    head = "# Written by make lock: what the application needs, without PyTorch (deploy/Dockerfile).\n"
    return head + "".join(block for name, block in named if name in kept)


def direct() -> list[str]:
    """The requirements that pyproject.toml names, of the library and of every extra, without their markers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    every = [*project["dependencies"], *(each for extra in extras.values() for each in extra)]
    return sorted({each.partition(";")[0] for each in every if not each.startswith("regard[")})


def needed(requirements: Iterable[str]) -> list[metadata.Distribution]:
    """The installed packages behind these requirements, and behind theirs, by name."""
    found: dict[str, metadata.Distribution] = {}
    waiting = [(requirement, frozenset[str]()) for requirement in requirements]
    while waiting:
        requirement, extras = waiting.pop()
        parsed = _NAME.match(requirement)
        if parsed is None or not _applies(requirement, extras):
            continue
        name = re.sub(r"[-_.]+", "-", parsed[1]).lower()
        wanted = frozenset((parsed[2] or "").split(",")) - {""}
        if name in found and not wanted:
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # of another system
        waiting += [(each, wanted) for each in found[name].requires or ()]
    return [found[name] for name in sorted(found)]


def _applies(requirement: str, extras: frozenset[str]) -> bool:
    """Whether a requirement that belongs to an extra belongs to one that is asked for."""
    asked = re.findall(r"extra == ['\"]([\w-]+)['\"]", requirement)
    return not asked or bool(extras & set(asked))


def licence(package: metadata.Distribution) -> str:
    """What a package says about its licence: the expression, the classifiers, or the first line of the field."""

    def field(name: str) -> list[str]:
        return [str(each) for each in package.metadata.get_all(name) or ()]

    classified = [each.rpartition(" :: ")[2] for each in field("Classifier") if "License ::" in each]
    stated = "".join(field("License")).strip().splitlines()
    return "".join(field("License-Expression")) or ", ".join(classified) or (stated[0][:80] if stated else "not stated")


def licences() -> Iterator[str]:
    """A line for each package: name, version, licence."""
    for package in needed(direct()):
        yield f"{package.metadata['Name']:28} {package.version:14} {licence(package)}"


def bill(version: str) -> dict[str, Any]:
    """The software bill of materials, CycloneDX 1.6."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "regard", "version": version}},
        "components": [
            {
                "type": "library",
                "name": package.metadata["Name"],
                "version": package.version,
                "purl": f"pkg:pypi/{re.sub(r'[-_.]+', '-', package.metadata['Name']).lower()}@{package.version}",
                "licenses": [{"license": {"name": licence(package)}}],
            }
            for package in needed(direct())
        ],
    }


def write_doi(doi: str) -> None:
    """Replace the DOI in CITATION.cff.

    Raises:
        ReleaseError: when it is no DOI.
    """
    if not re.fullmatch(r"10\.\d{4,9}/\S+", doi):
        raise ReleaseError(f"{doi} is no DOI: give it as 10.5281/zenodo.1234567")
    path = ROOT / "CITATION.cff"
    before, _, _ = path.read_text("utf-8").partition("identifiers:\n")
    path.write_text(
        f"{before}identifiers:\n  - type: doi\n    value: {doi}\n    description: All versions\n", encoding="utf-8"
    )


def write_owner(owner: str) -> None:
    """Write the repository's address, and with it every link to it; an empty owner takes them away."""
    ADDRESS.write_text(f"https://github.com/{owner}/regard\n" if owner else "", "utf-8")
    for name, template in PUBLISHED.items():
        path = ROOT / name
        before, _, rest = path.read_text("utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        path.write_text(f"{before}{BEGIN}{template.format(owner=owner) if owner else ''}{END}{after}", "utf-8")
    for path in sorted((ROOT / "docs/notebooks").glob("*.ipynb")):
        book = json.loads(path.read_text("utf-8"))
        title = "".join(book["cells"][0]["source"]).partition("\n\n[![")[0]
        setup = "".join(book["cells"][1]["source"])
        setup = setup.partition('find_spec("regard") is None:\n    ')
        badges = _BADGES.format(owner=owner, name=path.name) if owner else ""
        remedy = _FETCHED.format(owner=owner) if owner else _ABSENT
        for cell, text in zip(book["cells"], (title + badges, f"{setup[0]}{setup[1]}{remedy}"), strict=False):
            cell["source"] = text.splitlines(keepends=True)
        path.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main(arguments: Sequence[str]) -> int:
    """Run one command; a mistake is one line and status 1."""
    command, *values = arguments or ["help"]
    try:
        match command, values:
            case "notes", [version]:
                sys.stdout.write(f"{notes(version)}\n")
            case "version", [tag]:
                sys.stdout.write(f"{check_version(tag)}\n")
            case "checksums", [folder]:
                (Path(folder) / "SHA256SUMS").write_text(checksums(Path(folder)), "utf-8")
            case "sbom", [path]:
                (version,) = re.findall(r'__version__ = "(.+)"', (ROOT / "model/__init__.py").read_text("utf-8"))
                Path(path).write_text(json.dumps(bill(version), indent=1) + "\n", "utf-8")
            case "licences", []:
                sys.stdout.write("\n".join(licences()) + "\n")
            case "server", []:
                lock = (ROOT / "requirements-lock.txt").read_text("utf-8")
                (ROOT / "requirements-server.txt").write_text(server_lock(lock), "utf-8")
            case "newest", []:
                names = dict.fromkeys(found[0] for each in direct() if (found := _NAME.match(each)))
                sys.stdout.write("\n".join(names) + "\n")
            case "doi", [doi]:
                write_doi(doi)
            case "owner", [owner]:
                write_owner(owner)
            case _:
                sys.stderr.write(__doc__ or "")
                return 2
    except ReleaseError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

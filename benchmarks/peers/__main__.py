"""Compares each quantity of the library with its peers on the same tiny models, and writes the table of docs/peers.md.

    python -m benchmarks.peers                    installs each peer in an environment of its own, under build/peers
    python -m benchmarks.peers inseq captum       only these; the others' columns stay as they are

An environment sees the packages of the one that this runs in, so that a peer brings only what is missing, and no second
PyTorch. A peer that cannot be installed is named in the table.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.peers import attributions, weights
from benchmarks.peers.by_nnsight import nnsight
from benchmarks.peers.by_transformer_lens import transformer_lens
from benchmarks.peers.models import CLASSES, twins
from benchmarks.peers.rows import QUANTITIES

ROOT = Path(__file__).parents[2]
PLACE, PAGE = ROOT / "build" / "peers", ROOT / "docs" / "peers.md"
FOUND = Path(__file__).with_name("found.json")
BEGIN, END = "<!-- table: written by python -m benchmarks.peers -->", "<!-- end of table -->"
PATIENCE = 1_800


PEERS = {"transformers": weights.transformers, "transformer-lens": transformer_lens, "nnsight": nnsight,
         "captum": attributions.captum, "inseq": attributions.inseq, "bertviz": weights.bertviz}  # fmt: skip
"""What compares one family with a package, by the package's name."""
HERE = ("transformers", "captum")
"""Packages that Regard needs anyway."""


def main() -> None:
    """Ask each peer in its environment, keep what was found, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers", nargs="*", default=list(PEERS), metavar="PEER", help=", ".join(PEERS))
    parser.add_argument("--inside", metavar="PEER", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.inside:
        print(json.dumps(answers(chosen.inside)))
        return
    found = json.loads(FOUND.read_text("utf-8")) if FOUND.is_file() else {}
    for name in chosen.peers:
        found[name] = asked(name)
        print(name, found[name].get("error") or found[name]["version"], flush=True)
    text = json.dumps(found, sort_keys=True).replace("], [", "],\n[").replace('}, "', '},\n"')  # a comparison a line
    FOUND.write_text(f"{text}\n", "utf-8")
    PAGE.write_text(rewritten(PAGE.read_text("utf-8"), found), "utf-8")


def answers(peer: str) -> dict[str, Any]:
    """Every comparison with a peer that is installed here."""
    rows = [row for twin in twins().values() for row in PEERS[peer](twin)]
    return {
        "version": version(peer),
        "rows": [[row.quantity, row.family, row.difference, row.reason] for row in rows],
    }


def asked(name: str) -> dict[str, Any]:
    """The answers from the peer's own environment, or why there are none."""
    try:
        python = sys.executable if name in HERE else environment(name)
        command = [python, "-m", "benchmarks.peers", "--inside", name]
        return json.loads(_run(command).splitlines()[-1])
    except subprocess.CalledProcessError as error:
        return {"error": (error.stderr.strip().splitlines() or ["no reason"])[-1][:300]}


def environment(name: str) -> str:
    """The Python of an environment with one peer beside this one's packages."""
    place = PLACE / name
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    _run([sys.executable, "-m", "venv", "--without-pip", str(place)])
    inside = _run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    Path(inside, "here.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    _run([sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", name])
    return str(python)


def _run(command: list[str]) -> str:
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | {"HF_HUB_OFFLINE": "1"}, capture_output=True, text=True, check=True,
        timeout=PATIENCE,
    ).stdout  # fmt: skip


def rewritten(page: str, found: dict[str, Any]) -> str:
    """The page with the tables of what was found."""
    before, _, rest = page.partition(BEGIN)
    return "\n".join([f"{before}{BEGIN}", *table(found), "", *left_out(found), f"{END}{rest.partition(END)[2]}"])


def table(found: dict[str, Any]) -> Iterable[str]:
    """A row for each quantity and peer: what it is, whose it is, and the largest difference on each family."""
    yield f"| quantity | what it is | source | equals | {' | '.join(CLASSES)} |"
    yield "| --- " * (4 + len(CLASSES)) + "|"
    for key, quantity in QUANTITIES.items():
        for name, answer in found.items():
            cells = {family: gap for of, family, gap, _ in answer.get("rows", ()) if of == key}
            if cells:
                said = " | ".join(_number(cells.get(family)) for family in CLASSES)
                peer = f"{name} {answer['version'].partition('+')[0]}"
                yield f"| {quantity.name} | {quantity.definition} | {quantity.source} | {peer} | {said} |"


def left_out(found: dict[str, Any]) -> Iterable[str]:
    """What was asked and not compared, each reason once, and the peers that are missing."""
    for name, answer in found.items():
        if "error" in answer:
            yield f"- **{name}** could not be installed or asked: {answer['error']}"
    reasons: dict[tuple[str, str], list[str]] = {}
    for name, answer in found.items():
        for key, family, gap, reason in answer.get("rows", ()):
            if gap is None:
                said = reason.replace(family, "this model").split(": choose")[0]
                asked_of = f"{name} " if not reason.startswith("Regard") else ""
                reasons.setdefault((asked_of, said), []).append(f"{key} ({family})")
    for (asked_of, said), places in reasons.items():
        yield f"- {', '.join(dict.fromkeys(places))}: {asked_of}{said}"


def _number(gap: float | None) -> str:
    return "–" if gap is None else "0" if gap == 0 else f"{gap:.0e}"


if __name__ == "__main__":
    main()

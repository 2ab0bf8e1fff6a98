"""Compares each quantity of the library with its peers on the same tiny models, and writes the table of docs/peers.md.

    python -m benchmarks.peers                    installs each peer in an environment of its own, under build/peers
    python -m benchmarks.peers inseq captum       only these; the others' columns stay as they are

An environment sees the packages of the one that this runs in, so that a peer brings only what is missing, and no second
PyTorch. A peer that cannot be installed is named in the table.
"""

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

from benchmarks.figures import rewritten
from benchmarks.peers import attributions, hooks, weights
from benchmarks.peers.models import CLASSES, QUANTITIES, twins
from benchmarks.serving import ROOT

PLACE, PAGE = ROOT / "build" / "peers", ROOT / "docs" / "peers.md"
FOUND = Path(__file__).with_name("found.json")
BEGIN, END = "<!-- table: written by python -m benchmarks.peers -->", "<!-- end of table -->"
PATIENCE = 1_800
PEERS = {"transformers": weights.transformers, "transformer-lens": hooks.transformer_lens, "nnsight": hooks.nnsight,
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
    PAGE.write_text(rewritten(PAGE.read_text("utf-8"), table(found), BEGIN, END), "utf-8")


def answers(peer: str) -> dict[str, Any]:
    """Every comparison with a peer that is installed here."""
    return {"version": version(peer), "rows": [row for twin in twins().values() for row in PEERS[peer](twin)]}


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


def table(found: dict[str, Any]) -> Iterable[str]:
    """A row for each quantity and peer: what it is, whose it is, and the largest difference on each family. Then what
    was asked and not compared, each reason once, and the peers that are missing."""
    yield f"| quantity | what it is | source | equals | {' | '.join(CLASSES)} |"
    yield "| --- " * (4 + len(CLASSES)) + "|"
    for key, quantity in QUANTITIES.items():
        for name, answer in found.items():
            cells = {family: gap for of, family, gap, _ in answer.get("rows", ()) if of == key}
            if cells:
                gaps = (cells.get(family) for family in CLASSES)
                said = ("–" if gap is None else "0" if gap == 0 else f"{gap:.0e}" for gap in gaps)
                peer = f"{name} {answer['version'].partition('+')[0]}"
                yield f"| {' | '.join((*quantity[:3], peer, *said))} |"
    yield ""
    reasons: dict[str, list[str]] = {}
    for name, answer in found.items():
        if "error" in answer:
            yield f"- **{name}** could not be installed or asked: {answer['error']}"
        for key, family, gap, reason in answer.get("rows", ()):
            if gap is None:
                said = reason.replace(family, "this model").split(": choose")[0]
                by = "" if reason.startswith("Regard") else f"{name} "
                reasons.setdefault(f"{by}{said}", []).append(f"{key} ({family})")
    for reason, places in reasons.items():
        yield f"- {', '.join(dict.fromkeys(places))}: {reason}"


if __name__ == "__main__":
    main()

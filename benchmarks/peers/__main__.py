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
from benchmarks.peers import packages
from benchmarks.peers.models import CLASSES, QUANTITIES, twins
from tests.serving import ROOT

PLACE, PAGE = ROOT / "build" / "peers", ROOT / "docs" / "peers.md"
RESULTS = Path(__file__).with_name("results.json")
BEGIN, END = "<!-- table: written by python -m benchmarks.peers -->", "<!-- end of table -->"
PATIENCE = 1_800
PEERS = ("transformers", "transformer-lens", "nnsight", "captum", "inseq", "bertviz")
"""``packages`` has a function for each."""
REQUIRED = ("transformers", "captum")
"""Packages that Regard needs anyway."""


def main() -> None:
    """Compare with each peer in its environment, store the results, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers", nargs="*", default=PEERS, metavar="PEER", help=", ".join(PEERS))
    parser.add_argument("--inside", metavar="PEER", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.inside:
        print(json.dumps(compare(chosen.inside)))
        return
    results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.is_file() else {}
    for name in chosen.peers:
        results[name] = result_of(name)
        print(name, results[name].get("error") or results[name]["version"], flush=True)
    text = json.dumps(results, sort_keys=True)
    text = text.replace("], [", "],\n[").replace('}, "', '},\n"')  # one comparison per line
    RESULTS.write_text(f"{text}\n", "utf-8")
    PAGE.write_text(rewritten(PAGE.read_text("utf-8"), table(results), BEGIN, END), "utf-8")


def compare(peer: str) -> dict[str, Any]:
    """Every comparison with a peer that is installed in this environment."""
    compare_with = getattr(packages, peer.replace("-", "_"))
    return {"version": version(peer), "rows": [row for twin in twins().values() for row in compare_with(twin)]}


def result_of(name: str) -> dict[str, Any]:
    """``compare`` in the peer's own environment, or the error."""
    try:
        python = sys.executable if name in REQUIRED else environment(name)
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


def table(results: dict[str, Any]) -> Iterable[str]:
    """A row for each quantity and peer: its definition, its source, and the largest difference on each family. Then the
    quantities that could not be compared, each reason once, and the peers that could not be installed."""
    yield f"| quantity | what it is | source | equals | {' | '.join(CLASSES)} |"
    yield "| --- " * (4 + len(CLASSES)) + "|"
    for key, quantity in QUANTITIES.items():
        for name, result in results.items():
            cells = {family: gap for of, family, gap, _ in result.get("rows", ()) if of == key}
            if cells:
                gaps = (cells.get(family) for family in CLASSES)
                numbers = ("–" if gap is None else "0" if gap == 0 else f"{gap:.0e}" for gap in gaps)
                peer = f"{name} {result['version'].partition('+')[0]}"
                yield f"| {' | '.join((*quantity[:3], peer, *numbers))} |"
    yield ""
    reasons: dict[str, list[str]] = {}
    for name, result in results.items():
        if "error" in result:
            yield f"- **{name}** could not be installed or asked: {result['error']}"
        for key, family, gap, reason in result.get("rows", ()):
            if gap is None:
                text = reason.replace(family, "this model").split(": choose")[0]
                by = "" if reason.startswith("Regard") else f"{name} "
                reasons.setdefault(f"{by}{text}", []).append(f"{key} ({family})")
    for reason, places in reasons.items():
        yield f"- {', '.join(dict.fromkeys(places))}: {reason}"


if __name__ == "__main__":
    main()

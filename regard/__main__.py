"""``regard`` opens the application; ``regard translate …`` and its like are the commands of ``python -m model``."""

import os
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from regard import HOUSE, MODEL, VIZ
from regard.extras import complete

USAGE = """\
usage: regard [--checkpoint PATH] [-- STREAMLIT OPTIONS]     open the application
       regard COMMAND ...                                    a command; regard COMMAND --help explains it
       regard gallery|site|figure ...                        pages and figures that need no server
       regard serve --workers 2 --address 0.0.0.0 ...        several servers behind one port, with nginx
       regard --version
"""
NEEDS = {"train": ("accelerate", "train"), "evaluate": ("sacrebleu", "train"), "survey": ("pyarrow", "interpret")}
"""Commands that the library alone cannot run: the package that shows whether their extra is there, and the extra."""
PAGES = ("gallery", "site", "handouts", "figure")
"""Commands of ``python -m viz``."""
SERVE = "serve"
"""``python -m viz.serve``."""


def main() -> int:
    """Run one command in a process of its own, which does not import from the folder it starts in."""
    arguments = sys.argv[1:]
    if arguments in (["-h"], ["--help"]):
        sys.stdout.write(USAGE + "\n")
        return _run([sys.executable, "-P", "-m", MODEL, "--help"])
    if arguments == ["--version"]:
        sys.stdout.write(f"regard {version('regard')}\n")
        return 0
    command = "" if not arguments or arguments[0].startswith("-") else arguments[0]
    needed, extra = ("streamlit", "app") if command in ("", SERVE, *PAGES) else NEEDS.get(command, ("", ""))
    if needed and find_spec(needed) is None and not complete(extra, arguments):
        return 1
    if command == SERVE:
        return _run([sys.executable, "-P", "-m", f"{VIZ}.serve", *arguments[1:]])
    if command:
        return _run([sys.executable, "-P", "-m", VIZ if command in PAGES else MODEL, *arguments])
    return _open(arguments)


def _open(arguments: list[str]) -> int:
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    ours, streamlits = arguments[:cut], arguments[cut + 1 :]
    # Streamlit reads .streamlit/config.toml of the folder it starts in, so paths are made whole before it moves there.
    ours = [
        str(Path(word).resolve()) if before == "--checkpoint" else word
        for before, word in zip(["", *ours], ours, strict=False)
    ]
    command = [sys.executable, "-P", "-m", "streamlit", "run", "app.py", *streamlits, "--", *ours]
    return _run(command, folder=HOUSE)


def _run(command: list[str], folder: Path | None = None) -> int:
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join(
        filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")])
    )
    environment["REGARD_PROGRAM"] = "regard"
    environment.setdefault("PYTHONUTF8", "1")  # Windows would write translations in the code page of its country
    environment.setdefault("REGARD_RUNS", str(_data_folder() / "runs"))
    if os.name == "posix":
        os.chdir(folder or Path.cwd())
        # The command takes this process's place, so that a signal to it is a signal to the application.
        os.execve(command[0], command, environment)
    return subprocess.call(command, cwd=folder, env=environment)


def _data_folder() -> Path:
    """Where an installed application may write: the reader's own data folder, never site-packages."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "regard"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/regard"
    return Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local/share")) / "regard"


if __name__ == "__main__":
    sys.exit(main())

"""The library alone needs four packages. What brings the others, once a command that needs them is typed.

Under uv the command begins again in an environment that has them, as ``uvx --from ".[app]" regard`` would have made it.
In an environment of the reader's own nothing is installed without a yes.
"""

import json
import os
import subprocess
import sys
from importlib.metadata import distribution

AGAIN_VARIABLE = "REGARD_COMPLETED"
"""Set for the second attempt, which is the last."""


def complete(extra: str, arguments: list[str]) -> bool:
    """Whether an extra has been brought. Under uv it does not return: the command goes on in another environment."""
    uv = os.environ.get("UV", "")
    if uv and AGAIN_VARIABLE not in os.environ:
        _begin_again(uv, extra, arguments)
    wanted = f"regard[{extra}]"
    sys.stderr.write(f'regard: the library alone is installed, and this needs more: pip install "{wanted}"\n')
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write("Install it into this environment now? [y/N] ")
    sys.stderr.flush()
    is_wished = sys.stdin.readline().strip().lower() in ("y", "yes")
    return is_wished and not subprocess.call([sys.executable, "-m", "pip", "install", wanted])


def _begin_again(uv: str, extra: str, arguments: list[str]) -> None:
    source = json.loads(distribution("regard").read_text("direct_url.json") or "{}").get("url", "")
    wanted = f"regard[{extra}] @ {source}" if source else f"regard[{extra}]"
    command = [uv, "tool", "run", "--from", wanted, "regard", *arguments]
    environment = {**os.environ, AGAIN_VARIABLE: "1"}
    if os.name == "posix":
        os.execve(uv, command, environment)
    raise SystemExit(subprocess.call(command, env=environment))

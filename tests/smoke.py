"""A short check of an installation on any system, for the workflows.

python -m tests.smoke library        a translation with its attention
python -m tests.smoke upload         a checkpoint is read in the sandbox, like uploads
python -m tests.smoke application    the server starts and answers with the page
python -m tests.smoke package        library and application of the installed package, from an empty folder
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence

SENTENCE = "The cat is sleeping."
TRANSLATE = f"""
import {{name}} as regard
trace = regard.translate(regard.load(), {SENTENCE!r})
assert trace.text and abs(trace.attention.cross.sum(-1) - 1).max() < 1e-5
print(trace.text)
"""
UPLOAD = """
from pathlib import Path
from model.checkpoints.sandbox import examine_sandboxed
print(examine_sandboxed(Path("pretrained/tiny")).bundle.name)
"""
PATIENCE = 180
"""Timeout for the server's first response in seconds."""


def library(name: str = "model", folder: str = ".") -> None:
    """Translate in a new process, like a reader's first script."""
    subprocess.run([sys.executable, "-c", TRANSLATE.format(name=name)], cwd=folder, check=True)


def upload() -> None:
    """Read a checkpoint in the sandbox, as the application reads uploads."""
    subprocess.run([sys.executable, "-c", UPLOAD], check=True)


def application(command: Sequence[str] = ("-m", "streamlit", "run", "app.py"), folder: str = ".") -> None:
    """Start the server and request its health route and its page."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--server.headless", "true", "--server.port", str(port), "--server.address", "127.0.0.1"]
    server = subprocess.Popen([sys.executable, *command, *options], cwd=folder, env={**os.environ})
    try:
        assert _answer(server, f"http://127.0.0.1:{port}/_stcore/health") == b"ok"
        assert b"<html" in _answer(server, f"http://127.0.0.1:{port}/")
        print("the application answers")
    finally:
        server.terminate()
        server.wait(timeout=30)


def _answer(server: subprocess.Popen[bytes], address: str) -> bytes:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return answer.read()
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise SystemExit(f"{address} did not answer")


def package() -> None:
    """Check the installed package from a folder without a clone."""
    with tempfile.TemporaryDirectory() as folder:
        library("regard", folder)
        application(("-m", "regard", "--"), folder)


if __name__ == "__main__":
    {"library": library, "upload": upload, "application": application, "package": package}[sys.argv[1]]()

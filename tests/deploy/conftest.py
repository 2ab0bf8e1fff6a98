"""Redis, two replicas and nginx on loopback, with the configuration files of deploy/."""

import os
import signal
import string
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.programs import require_programs
from tests.serving import ROOT, free_port, redis_server, wait_until_healthy
from viz.environment import REPLICA_VARIABLE

TEMPLATE = ROOT / "deploy" / "nginx" / "regard.conf.template"
NGINX_CONF = """
daemon off; error_log {folder}/error.log; pid {folder}/nginx.pid; events {{ worker_connections 8192; }}
http {{
    access_log off; include {folder}/regard.conf;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
}}
"""


@dataclass
class School:
    """The running system: its address, and its replicas by name."""

    address: str
    redis: str
    start: Callable[[str], None]
    replicas: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def kill(self, name: str) -> None:
        """Kill a replica immediately, like a crash."""
        os.killpg(self.replicas[name].pid, signal.SIGKILL)
        self.replicas.pop(name).wait()


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[School]:
    """The system, started once for all tests of a file."""
    require_programs("nginx", "redis-server")
    folder = tmp_path_factory.mktemp("school")
    front, ports = free_port(), {"one": free_port(), "two": free_port()}
    with redis_server(folder) as redis:

        def start(name: str) -> None:
            school.replicas[name] = _replica(name, ports[name], redis, folder)

        school = School(f"http://127.0.0.1:{front}", redis, start)
        nginx = None
        try:
            for name in ports:
                start(name)
            nginx = start_nginx(folder, front, ports)
            wait_until_healthy(nginx, f"{school.address}/_stcore/health")
            yield school
        finally:
            if nginx is not None:
                nginx.terminate()
                nginx.wait()
            for name in list(school.replicas):
                school.kill(name)


def _replica(name: str, port: int, redis: str, folder: Path) -> subprocess.Popen[bytes]:
    environment = {
        **os.environ, REPLICA_VARIABLE: name, "REGARD_RUNS": str(folder / "runs"), "OMP_NUM_THREADS": "1",
        "REGARD_REDIS_URL": redis, "REGARD_PROXIES": "1",
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.address",
         "127.0.0.1", "--server.port", str(port), "--server.fileWatcherType", "none"],
        cwd=ROOT, env=environment, start_new_session=True,
    )  # fmt: skip
    wait_until_healthy(process, f"http://127.0.0.1:{port}/_stcore/health")
    return process


def start_nginx(folder: Path, front: int, ports: dict[str, int], max_upload_mb: int = 1) -> subprocess.Popen[bytes]:
    """Start nginx, as deploy/ configures it, in front of the replicas at these ports."""
    values = {
        "REGARD_ONE": f"127.0.0.1:{ports['one']}", "REGARD_TWO": f"127.0.0.1:{ports['two']}",
        "REGARD_LISTEN": f"127.0.0.1:{front}", "REGARD_MAX_UPLOAD_MB": str(max_upload_mb),
        "REGARD_OUTER_PROXY": "127.0.0.9",
    }  # fmt: skip
    # Like envsubst with these names, safe_substitute leaves nginx's own $variables unchanged.
    (folder / "regard.conf").write_text(string.Template(TEMPLATE.read_text("utf-8")).safe_substitute(values), "utf-8")
    (folder / "nginx.conf").write_text(NGINX_CONF.format(folder=folder), "utf-8")
    return subprocess.Popen(["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "start.log")])

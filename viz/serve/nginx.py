"""The configuration of nginx in front of several servers, for ``regard serve`` and ``deploy/``.

python -m viz.serve.nginx > deploy/nginx/regard.conf.template     writes the one for two containers
"""

import sys
from collections.abc import Mapping
from pathlib import Path

SITE = Path(__file__).with_name("site.conf")
CONTAINERS = {"one": "${REGARD_ONE}", "two": "${REGARD_TWO}"}
"""The replicas of deploy/compose.yaml; envsubst fills in their addresses."""
_WHOLE = """\
daemon off;
error_log {folder}/error.log notice;
pid {folder}/nginx.pid;
worker_rlimit_nofile {files};
events {{ worker_connections 8192; }}
http {{
    access_log off;
    keepalive_timeout 65s;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def site(replicas: Mapping[str, str], values: Mapping[str, str] | None = None) -> str:
    """The site: a new visitor gets any replica, and a cookie leads the next requests to the same one.

    Args:
        replicas: host and port of each replica, by name.
        values: of the names in ``${…}``; names without a value remain for envsubst.
    """
    names = list(replicas)
    shares = [f"    {100 / len(names):.2f}% {name};" for name in names[:-1]] + [f"    * {names[-1]};"]
    cookies = [*(f"    {name} {name};" for name in names), "    default $regard_new;"]
    upstreams = []
    for name, address in replicas.items():
        backups = [f"    server {backup} backup;" for backup in replicas.values() if backup != address]
        upstreams += [f"upstream {name} {{", f"    server {address} max_fails=1 fail_timeout=5s;", *backups, "}"]
    text = SITE.read_text("utf-8")
    for marker, lines in (("@SHARES@", shares), ("@NAMES@", cookies), ("@UPSTREAMS@", upstreams)):
        text = text.replace(marker, "".join(f"{line}\n" for line in lines))
    for name, value in (values or {}).items():
        text = text.replace(f"${{{name}}}", value)
    return text


def write(folder: Path, replicas: Mapping[str, str], values: Mapping[str, str], *, files: int) -> Path:
    """Write nginx's configuration with this limit of open files into a folder; returns its main file."""
    (folder / "site.conf").write_text(site(replicas, values), "utf-8")
    main = folder / "nginx.conf"
    main.write_text(_WHOLE.format(folder=folder, files=files), "utf-8")
    return main


if __name__ == "__main__":
    sys.stdout.write(site(CONTAINERS))

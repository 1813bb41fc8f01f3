"""The proxies of deploy/proxy, each started with its file as it stands there, but for names, ports and folders."""

from __future__ import annotations

import os
import random
import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from service.local.supervisor import Child, Program
from tests.docs.rooms import ROOT
from tests.messages.services import certificate
from tests.serving import PATIENCE, Server, wait_for

FOLDER: Final = ROOT / "deploy" / "proxy"
NAME: Final = "games.example.org"
KINDS: Final = ("nginx", "haproxy", "caddy")
Changes = dict[str, str]


@dataclass(frozen=True, slots=True)
class Proxy(Server):
    """A proxy with TLS on a port of this machine, where `http_port` leads to it."""

    http_port: int
    certificate: Path
    context: ssl.SSLContext

    def line(self, source: str = "") -> socket.socket:
        """Connect to it by TLS."""
        plain = socket.create_connection(("127.0.0.1", self.port), PATIENCE, (source, 0) if source else None)
        return self.context.wrap_socket(plain, server_hostname=NAME)


def missing(kind: str) -> str:
    """Return why a proxy cannot be tried here, '' where it can."""
    if os.geteuid() != 0:
        return "the proxies give their rights up themselves, so they are started as root"
    return "" if shutil.which(kind) else f"{kind} is not here (a package of Debian)"


@contextmanager
def running(kind: str, folder: Path, web: Sequence[int]) -> Iterator[Proxy]:
    """Run a proxy before two web servers on these ports."""
    # They read their files as accounts of their own.
    for each in (folder, folder.parent, folder.parent.parent):
        each.chmod(0o755)
    ports = (quiet_port(), quiet_port())
    signed = certificate(folder, (NAME,))
    changes, command = _OF_KIND[kind](folder, ports, web)
    file = folder / _FILES[kind]
    file.write_text(_changed((FOLDER / _FILES[kind]).read_text(), changes))
    environment = {**os.environ, **_environment(kind, folder)}
    child = Child(Program(name=kind, command=[*command, str(file)], log=folder / "log", environment=environment))
    proxy = Proxy(ports[1], child, ports[0], signed, ssl.create_default_context(cafile=signed))
    try:
        wait_for(child, lambda: _answers(proxy), PATIENCE)
        yield proxy
    finally:
        # Some wait for their clients first.
        child.kill()


def quiet_port() -> int:
    """Return a free port below those that the system gives to connections, of which there are thousands here."""
    while True:
        port = random.randrange(20_000, 32_000)
        with suppress(OSError), socket.create_server(("", port)):
            return port


def _changed(text: str, changes: Mapping[str, str]) -> str:
    """Return the text with other names; each of them has to be there."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def _answers(proxy: Proxy) -> bool:
    with suppress(OSError):
        return proxy.ask("/livez", headers={"Host": NAME}).status == 200
    return False


_FILES: Final = {"nginx": "nginx.conf", "haproxy": "haproxy.cfg", "caddy": "Caddyfile"}


def _nginx(folder: Path, ports: Sequence[int], web: Sequence[int]) -> tuple[Changes, list[str]]:
    changes = {
        "/run/nginx.pid": f"{folder}/pid",
        "/var/log/nginx/error.log": "stderr",
        "/var/log/nginx/access.log": "/dev/stderr",
        "listen 80;": f"listen 127.0.0.1:{ports[0]};",
        "listen [::]:80;": "",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{ports[1]} ssl http2;",
        "listen [::]:443 ssl http2;": "",
        "/etc/boardroom/tls/fullchain.pem": f"{folder}/server.pem",
        "/etc/boardroom/tls/privkey.pem": f"{folder}/server.pem",
        **_upstreams(web),
    }
    return changes, ["nginx", "-g", "daemon off;", "-e", "stderr", "-c"]


def _haproxy(folder: Path, ports: Sequence[int], web: Sequence[int]) -> tuple[Changes, list[str]]:
    changes = {
        "log /dev/log local0": "log stderr format raw local0",
        "bind :::80 v6only": "",
        "bind :80": f"bind 127.0.0.1:{ports[0]}",
        "bind :::443 v6only ssl crt /etc/boardroom/tls/combined.pem alpn h2,http/1.1": "",
        "bind :443": f"bind 127.0.0.1:{ports[1]}",
        "/etc/boardroom/tls/combined.pem": f"{folder}/server.pem",
        **_upstreams(web),
    }
    return changes, ["haproxy", "-db", "-f"]


def _caddy(folder: Path, ports: Sequence[int], web: Sequence[int]) -> tuple[Changes, list[str]]:
    signed = folder / "server.pem"
    # Its certificates come from elsewhere, so the file names none.
    changes = {
        "{$SITE:games.example.org} {": f"{NAME}:{ports[1]} {{\nbind 127.0.0.1\ntls {signed} {signed}\n",
        "	admin off": f"	admin off\n	http_port {ports[0]}\n	https_port {ports[1]}\n",
        **_upstreams(web),
    }
    return changes, ["caddy", "run", "--adapter", "caddyfile", "--config"]


_OF_KIND: Final[Mapping[str, Callable[[Path, Sequence[int], Sequence[int]], tuple[Changes, list[str]]]]] = {
    "nginx": _nginx,
    "haproxy": _haproxy,
    "caddy": _caddy,
}


def _upstreams(web: Sequence[int]) -> Changes:
    return {"127.0.0.1:8000": f"127.0.0.1:{web[0]}", "127.0.0.1:8001": f"127.0.0.1:{web[1]}"}


def _environment(kind: str, folder: Path) -> Changes:
    """Return what the file of a proxy takes from the environment."""
    if kind != "caddy":
        return {}
    version = subprocess.run(["caddy", "version"], capture_output=True, text=True, check=True).stdout
    older = {"REQUEST_BUFFERS": "buffer_requests"} if version.removeprefix("v").startswith("2.6") else {}
    return {"HOME": str(folder), "XDG_DATA_HOME": str(folder), **older}

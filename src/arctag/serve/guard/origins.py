"""Which requests are refused for where they come from: for another host, or sent by a page of another web site.

Browsers send what any page tells them to. A page elsewhere can let a name of its own resolve to 127.0.0.1 and read our
answers; the `Host` header shows that name. Or it can send a form or load a picture from here, whose answer it cannot
read but which makes work; the headers `Sec-Fetch-Site` and `Origin`, which pages cannot set, show that. Programs other
than browsers send neither.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.types import Scope

HERE = ("127.0.0.1", "[::1]", "localhost")
_LINKED = ("/", "/docs")  # pages that other sites may link to; they are cheap
_SAME_SITE = ("same-origin", "none")  # sent by our page, or by the user: an address typed, a bookmark


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name
        return False


class Hosts:
    """The hosts that a server on this address answers for: names of this machine on a loopback address, else all."""

    def __init__(self, address: str) -> None:
        own = f"[{address}]" if ":" in address else address
        names = "|".join(map(re.escape, {*HERE, own}))
        self._pattern = (
            re.compile(rf"({names})(:\d{{1,5}})?", re.IGNORECASE | re.ASCII) if is_loopback(address) else None
        )

    def __contains__(self, scope: Scope) -> bool:
        """Whether a request is for one of them, and has one `Host` header."""
        if self._pattern is None:
            return True
        hosts = _values(scope, b"host")
        return len(hosts) == 1 and self._pattern.fullmatch(hosts[0]) is not None


def is_cross_site(scope: Scope) -> bool:
    """Whether a page of another web site, or one on another port, makes a browser send this."""
    if scope["method"] in ("GET", "HEAD") and scope["path"] in _LINKED:
        return False
    if sites := _values(scope, b"sec-fetch-site"):
        return any(site.lower() not in _SAME_SITE for site in sites)
    hosts = [host.lower() for host in _values(scope, b"host")]
    return any([_authority(origin)] != hosts for origin in _values(scope, b"origin"))


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _authority(origin: str) -> str:
    """Host and port of an origin; empty for `null`, the origin of a page that has none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""

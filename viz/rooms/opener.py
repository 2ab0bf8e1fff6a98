"""Who opens a room, for counting rooms: the network address that requested the page.

A cookie would not do, because a visitor who deletes it would be counted as another.
"""

from __future__ import annotations

import ipaddress

PREFIX_OF_A_SITE = 64
"""The bits of an IPv6 address that belong to one subscriber, who may choose the others freely."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def opener_of(peer: str, forwarded: str, *, n_proxies: int | None = None) -> str:
    """The visitor's address, for IPv6 without the second half; empty when it is not known.

    Args:
        peer: the other end of the connection; empty for this machine itself.
        forwarded: the header X-Forwarded-For. A visitor can forge its beginning, but not the part that proxies add.
        n_proxies: how many proxies add to the header. When None, it is one if the connection comes from this machine
            or a private network, as it does from a proxy beside the application, otherwise none.
    """
    if n_proxies is None:
        here = _address(peer)
        n_proxies = int(not peer or (here is not None and here.is_private))
    added = [each.strip() for each in forwarded.split(",") if each.strip()]
    place = min(n_proxies, len(added))
    found = _address(added[-place] if place else peer)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, PREFIX_OF_A_SITE), strict=False))
    return str(found) if found else ""


def _address(text: str) -> Address | None:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found

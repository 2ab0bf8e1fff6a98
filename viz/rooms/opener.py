"""Who opens a room, as far as rooms are counted: the network address from which the page was asked for.

A cookie would not do, because a visitor who deletes it would be counted as another.
"""

from __future__ import annotations

import ipaddress

PREFIX_OF_A_SITE = 64
"""Bits of an IPv6 address that one subscriber shares; the others are theirs to choose."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def opener_of(peer: str, forwarded: str, *, n_proxies: int | None = None) -> str:
    """The visitor's address; an IPv6 address without its last half. Empty where it is not known.

    Args:
        peer: the other end of the connection; empty for this machine itself.
        forwarded: the header X-Forwarded-For. A visitor can write into its beginning, but not into what proxies add.
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

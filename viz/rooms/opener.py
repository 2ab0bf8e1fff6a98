"""Identifies a visitor for limits by the network address of the request.

A cookie would not do: a visitor could delete it and count as another.
"""

import ipaddress

PREFIX_OF_A_SITE = 64
"""Bits of an IPv6 address that identify a subscriber, who may choose the others freely."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def rate_limit_key(address: str) -> str:
    """The address by which a visitor is counted: of IPv6 the first 64 bits; empty when unknown."""
    ip = _address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((ip, PREFIX_OF_A_SITE), strict=False))
    return str(ip) if ip else ""


def visitor_address(peer: str, forwarded: str, n_proxies: int) -> str:
    """The visitor's address as the proxies in front of the application saw it; ``peer`` without such a header.

    Args:
        peer: the other end of the connection.
        forwarded: the header X-Forwarded-For. A visitor can forge its beginning, but not the part that proxies add.
        n_proxies: how many proxies add to the header. With 0 the header is not read, because anybody can send one.
    """
    added = [part.strip() for part in forwarded.split(",") if part.strip()]
    place = min(n_proxies, len(added))
    ip = _address(added[-place]) if place else None
    return str(ip) if ip else peer


def _address(text: str) -> Address | None:
    try:
        ip = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip

"""Who a visitor is, for limits: the network address from which the request came.

A cookie would not do, because a visitor who deletes it would be counted as another.
"""

import ipaddress

PREFIX_OF_A_SITE = 64
"""The bits of an IPv6 address that belong to one subscriber, who may choose the others freely."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def rate_limit_key(address: str) -> str:
    """The address by which a visitor is counted: for IPv6 without the second half; empty when it is not known."""
    ip = _address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((ip, PREFIX_OF_A_SITE), strict=False))
    return str(ip) if ip else ""


def visitor_address(peer: str, forwarded: str, n_proxies: int) -> str:
    """The address of the visitor, seen by the proxies in front of the application; ``peer`` when they say none.

    Args:
        peer: the other end of the connection.
        forwarded: the header X-Forwarded-For. A visitor can forge its beginning, but not the part that proxies add.
        n_proxies: how many proxies add to the header. With 0 the header is not read, because anybody can send one.
    """
    added = [each.strip() for each in forwarded.split(",") if each.strip()]
    place = min(n_proxies, len(added))
    ip = _address(added[-place]) if place else None
    return str(ip) if ip else peer


def _address(text: str) -> Address | None:
    try:
        ip = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip

"""Counts the bytes that each browser session holds: models, opened attention, files on disk and training runs.

Room is reserved before work begins, so that sessions together never exceed the limit: a reservation counts until the
work has ended. A session's account is closed when the session ends.
"""

import secrets
import threading
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, get_args

from model.checkpoints.basis.errors import LimitError
from model.checkpoints.basis.limits import limits
from viz.state import session

Kind = Literal["models", "results", "uploads", "runs"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_MIB = 1 << 20
_WORDS: dict[Kind, tuple[str, str, str]] = {
    "models": ("models", "REGARD_SESSION_MEMORY_MB", "REGARD_MODELS_MB"),
    "results": ("opened attention", "REGARD_ATTENTION_MB", "REGARD_RESULTS_MB"),
    "uploads": ("files", "REGARD_SESSION_UPLOADS_MB", "REGARD_UPLOADS_MB"),
    "runs": ("training runs", "keep_bytes_per_session in REGARD_TRAINING_LIMITS",
             "keep_bytes in REGARD_TRAINING_LIMITS"),
}  # fmt: skip
"""Each kind's name, and the variables that raise the limit of one session and of all."""


class Budget:
    """Bytes by kind and session, with the limits for one session and for all.

    Args:
        bound: MiB that a kind may take, of one session and of all.
    """

    def __init__(self, bound: Callable[[Kind], tuple[int, int]]) -> None:
        self._bound = bound
        self._guard = threading.Lock()
        self._held: dict[Kind, dict[str, int]] = {kind: defaultdict(int) for kind in KINDS}
        self._reserved: dict[Kind, dict[str, int]] = {kind: defaultdict(int) for kind in KINDS}
        """What a session will hold when its work has ended."""

    def held(self, kind: Kind, owner: str | None = None) -> int:
        """The bytes that one session holds or has reserved, or all sessions together."""
        with self._guard:
            return self._of(kind, owner)

    def ask(self, kind: Kind, owner: str, n_bytes: int, *, instead: bool = False) -> None:
        """Reserve room for ``n_bytes`` more, until ``hold`` or ``settle``; ``instead`` of what the session holds if it
        will release that. Raises LimitError with the number, the bound and the variable that raises it."""
        limit, total_limit = self._bound(kind)
        with self._guard:
            current, total = self._of(kind, owner), self._of(kind, None)
            before = 0 if instead else current
            if before + n_bytes > limit * _MIB:
                raise LimitError(_refusal(kind, n_bytes, before, limit, is_session=True))
            if total - current + before + n_bytes > total_limit * _MIB:
                raise LimitError(_refusal(kind, n_bytes, total - current + before, total_limit, is_session=False))
            self._reserved[kind][owner] = before + n_bytes

    def hold(self, kind: Kind, owner: str, n_bytes: int) -> None:
        """Record the bytes that a session holds now, in place of what it has reserved."""
        with self._guard:
            self._held[kind][owner] = n_bytes
            self._reserved[kind].pop(owner, None)
            if not n_bytes:
                del self._held[kind][owner]

    def settle(self, kind: Kind, owner: str) -> None:
        """Release a session's reservation."""
        with self._guard:
            self._reserved[kind].pop(owner, None)

    def close(self, owner: str) -> None:
        """Remove the account of a session that has ended."""
        with self._guard:
            for account in (*self._held.values(), *self._reserved.values()):
                account.pop(owner, None)

    def _of(self, kind: Kind, owner: str | None) -> int:
        held, reserved = self._held[kind], self._reserved[kind]
        owners = {*held, *reserved} if owner is None else {owner}
        return sum(max(held.get(name, 0), reserved.get(name, 0)) for name in owners)


def bounds(kind: Kind) -> tuple[int, int]:
    """MiB of one session and of all, as this installation allows them."""
    limit = limits()
    if kind == "runs":
        from model.runs.limits import Limits

        training = Limits.from_environment()
        return training.keep_bytes_per_session >> 20, training.keep_bytes >> 20
    return {
        "models": (limit.session_memory_mb, limit.models_mb),
        "results": (limit.attention_mb, limit.results_mb),
        "uploads": (limit.session_uploads_mb, limit.uploads_mb),
    }[kind]


BUDGET = Budget(bounds)
"""The account of this server process."""


class _Member:
    """A browser session's name in the account, whose entries are released when this object is deleted."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(8)
        weakref.finalize(self, BUDGET.close, self.name)


def ask(kind: Kind, n_bytes: int, *, instead: bool = False) -> None:
    """Reserve room for this browser session, inside ``releasing``; raises as ``Budget.ask`` does."""
    BUDGET.ask(kind, _owner(), n_bytes, instead=instead)


@contextmanager
def releasing(kind: Kind) -> Iterator[None]:
    """Release the reservations made inside the block when it ends, also by an exception."""
    try:
        yield
    finally:
        BUDGET.settle(kind, _owner())


def hold(kind: Kind, n_bytes: int) -> None:
    """Record the bytes that this browser session holds now."""
    BUDGET.hold(kind, _owner(), n_bytes)


def _owner() -> str:
    return session.recall("budget", _Member).name


def _refusal(kind: Kind, n_bytes: int, before: int, limit: int, *, is_session: bool) -> str:
    name, *variables = _WORDS[kind]
    whose, variable = ("this browser session", variables[0]) if is_session else ("all visitors", variables[1])
    problem = f"{-(-n_bytes // _MIB):,} MiB of {name} do not fit"
    if before < _MIB:  # too large by itself: nothing can be released
        return (
            f"{problem}: {whose} may hold {limit:,} MiB. Please take something smaller, or raise {variable} on a "
            "server of your own"
        )
    remedy = "let go of some" if is_session else "try again later"
    return (
        f"{problem} beside the {before // _MIB:,} MiB of {whose}: {limit:,} MiB is the limit. Please {remedy}, or "
        f"raise {variable} on a server of your own"
    )

"""What visitors leave behind goes: sessions that nobody can return to, and the memory that was theirs."""

import ctypes
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.caching.ttl_cache import TTLCache
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.session_manager import SessionInfo

from viz.server.garbage import collect, end_left_sessions


@dataclass
class Session:
    id: str
    ended: list[str] = field(default_factory=list)

    def shutdown(self) -> None:
        self.ended.append(self.id)


def stored(session: Any) -> SessionInfo:
    return SessionInfo(client=None, session=session, script_run_count=1)


def test_a_session_that_nobody_can_return_to_is_shut_down_without_a_next_visitor() -> None:
    now = 0.0
    storage = MemorySessionStorage(ttl_seconds=120)
    sessions = storage._cache
    assert isinstance(sessions, TTLCache)
    sessions._timer = lambda: now
    gone, here = Session("gone"), Session("here")
    storage.save(stored(gone))
    now = 100.0
    storage.save(stored(here))
    end_left_sessions(storage)
    assert not gone.ended
    now = 130.0
    end_left_sessions(storage)
    end_left_sessions(storage)
    assert (gone.ended, here.ended) == (["gone"], []) and storage.get("here") is not None
    end_left_sessions(None)


def resident() -> int:
    """Memory of this process that the system holds, MiB."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) >> 10


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc keeps and returns freed memory")
def test_freed_memory_goes_back_to_the_system() -> None:
    collect()
    before = resident()
    blocks = [bytes([1]) * 60_000 for _ in range(4_000)]  # below the size from which glibc maps a block by itself
    kept = blocks[::200]
    del blocks
    held = resident() - before
    collect()
    assert held > 150 and resident() - before < 60 and len(kept) == 20

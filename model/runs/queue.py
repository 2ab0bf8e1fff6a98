"""A queue of trainings and surveys with one run per device at a time; each is a child process that ends with this one."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from model.files.size import size_of
from model.lazy import code_folder
from model.runs.devices import VISIBLE, choose_device
from model.runs.errors import QueueError, running
from model.runs.folder import JobFolder, Task, read_task
from model.runs.limits import Limits
from model.runs.processes import FileLock
from model.runs.retention import clean, total_bytes
from model.runs.spare import SpareWorker
from model.runs.status import Status, read_status, requested_control, take_over, write_status

log = logging.getLogger(__name__)
_HANDS_DOWN = os.name == "posix"
"""Whether a child process can inherit a lock. If not, this process holds it until the child ends."""


class QueueFullError(QueueError):
    """The limit on runs of the installation or session is reached, or the disk has no room for another."""


class RunQueue:
    """Starts runs one at a time on each device, in turns: an owner's second run waits for the first ones of all others.

    All browser sessions of a server share one queue. Its threads end with the server, and so do its child processes:
    each holds the reading end of a pipe, and only this process holds the writing end.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._guard = threading.Lock()
        self._room = threading.Lock()
        """Held while disk space is counted and reserved, so that two runs do not reserve the same space."""
        self._lines: dict[str, list[tuple[JobFolder, FileLock]]] = defaultdict(list)
        self._current: dict[str, JobFolder] = {}
        self._owners: dict[Path, str] = {}
        self._spare: SpareWorker | None = None

    def warm(self, worker: str) -> None:
        """Start a spare child process that imports a worker's libraries ahead of its run, if nothing runs now.

        Args:
            worker: the module of the worker, as in ``Task.worker``.
        """
        with self._guard:
            is_ready = self._spare is not None and self._spare.is_waiting
            if is_ready or self._current or not self.limits.max_alive or not _HANDS_DOWN:
                return
            self._spare = SpareWorker(worker, environment(Task(worker, "cpu", self.limits.threads)))

    def submit(self, folder: JobFolder, *, owner: str, owned: frozenset[str] = frozenset()) -> None:
        """Add a prepared run to the queue, and make room on the disk for everything that it may write.

        Args:
            folder: a folder with its job, its pairs and, unless it trains from scratch, its initial model.
            owner: the browser session, for its limit.
            owned: names of the visitor's runs, which are removed before those of others to make room.

        Raises:
            QueueFullError: when the session, or all sessions together, have reached the limit of runs, or all runs
                together would take more of the disk than they may.
            RunError: when the run is already running, its device does not exist, or its folder cannot be written.
        """
        task = read_task(folder)
        assert task is not None, "submit needs a job.json or a survey.json"
        device = str(choose_device(task.device))
        lock = take_over(folder)
        if lock is None:
            raise running()
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(self._room)
                self._make_room(folder.path.parent, task.max_bytes - size_of(folder.path), owned, folder.path.name)
                held.enter_context(self._guard)
                self._check_room(owner)
                folder.control.unlink(missing_ok=True)
                write_status(folder, Status(state="queued"))
            except OSError as error:
                lock.release()
                raise QueueError(
                    f"the run's folder cannot be written ({error.strerror}): make room on the disk, then start again",
                    "unwritable", reason=error.strerror,
                ) from error  # fmt: skip
            except BaseException:
                lock.release()
                raise
            self._owners[folder.path] = owner
            self._lines[device].append((folder, lock))
            if device not in self._current:
                self._current[device] = folder
                threading.Thread(target=self._serve, args=(device,), daemon=True, name=f"runs-{device}").start()

    def check_room(
        self, owner: str, root: Path | None = None, n_bytes: int = 0, *, owned: frozenset[str] = frozenset()
    ) -> None:
        """Check that another run is allowed, and make room for it, before its folder is created.

        Args:
            owner, owned: as in ``submit``.
            root: the folder of all runs.
            n_bytes: maximum bytes that the run may write there.

        Raises:
            QueueFullError: as ``submit`` would.
        """
        with self._guard:
            self._check_room(owner)
        if root is not None:
            with self._room:
                self._make_room(root, n_bytes, owned)

    def place(self, folder: JobFolder) -> int:
        """Number of runs before this one on its device; 0 if it is next or not in the queue."""
        with self._guard:
            for device in self._lines:
                waiting = [queued.path for queued, _ in self._in_turn(device)]
                if folder.path in waiting:
                    running = self._current.get(device)
                    return waiting.index(folder.path) + (running is not None and running.path not in waiting)
        return 0

    def withdraw(self, folder: JobFolder) -> bool:
        """Remove a run from the queue; False if it is no longer waiting."""
        with self._guard:
            for line in self._lines.values():
                for entry in line:
                    if entry[0].path == folder.path:
                        line.remove(entry)
                        try:
                            write_status(folder, Status(state="stopped"))
                        finally:
                            entry[1].release()
                        return True
        return False

    def _in_turn(self, device: str) -> list[tuple[JobFolder, FileLock]]:
        """The waiting runs in the order in which they will start: first runs of all owners, then second ones."""
        line, current, n_before = self._lines[device], self._current.get(device), Counter[str | None]()
        if current is not None and current.path not in [waiting.path for waiting, _ in line]:
            n_before[self._owners.get(current.path)] = 1
        rounds: list[tuple[int, tuple[JobFolder, FileLock]]] = []
        for entry in line:
            owner = self._owners.get(entry[0].path)
            rounds.append((n_before[owner], entry))
            n_before[owner] += 1
        return [entry for _, entry in sorted(rounds, key=lambda job: job[0])]

    def _check_room(self, owner: str) -> None:
        if not self.limits.max_alive:
            raise QueueFullError(
                "training and surveys are switched off on this server: run Regard on your own machine", "off"
            )
        self._owners = {path: who for path, who in self._owners.items() if read_status(JobFolder(path)).is_alive}
        mine = sum(who == owner for who in self._owners.values())
        if mine >= self.limits.max_alive_per_session:
            raise QueueFullError(
                f"this browser session already has {mine} of the {self.limits.max_alive_per_session} runs that it may "
                "have: wait until one ends, or stop one",
                "mine_full", n=mine, most=self.limits.max_alive_per_session,
            )  # fmt: skip
        if len(self._owners) >= self.limits.max_alive:
            some = "1 run is" if len(self._owners) == 1 else f"{len(self._owners)} runs are"
            raise QueueFullError(f"{some} waiting already: try again in a few minutes", "full", n=len(self._owners))

    def _make_room(self, root: Path, n_bytes: int, owned: frozenset[str], *protected: str) -> None:
        """Remove expired runs, then ended ones until ``n_bytes`` fit beside what the others may write."""
        clean(root, self.limits, keep=frozenset(protected), owned=owned, needed=n_bytes)
        taken, most = total_bytes(root), self.limits.keep_bytes
        if taken + n_bytes > most:
            raise QueueFullError(
                f"the run may write {n_bytes:,} bytes beside the {taken:,} of other runs, and all together may take "
                f"{most:,}: try again when one has ended",
                "no_space", mb=f"{n_bytes / 1e6:,.0f}", taken=f"{taken / 1e6:,.0f}", most=f"{most / 1e6:,.0f}",
            )  # fmt: skip

    def _serve(self, device: str) -> None:
        while True:
            with self._guard:
                if not self._lines[device]:
                    del self._current[device]
                    return
                folder, lock = entry = self._in_turn(device)[0]
                self._lines[device].remove(entry)
                self._current[device] = folder
            try:
                self._run(folder, lock)
            except Exception:
                # Whatever fails in one run (its folder may be gone), the next one on this device must start.
                log.exception("the run %s could not be started", folder.path.name)
            finally:
                with contextlib.suppress(OSError):
                    lock.release()
                try:  # remove the oldest runs if they take too much, and not this one, which somebody looks at
                    clean(folder.path.parent, self.limits, keep=frozenset({folder.path.name}), now=0.0)
                except OSError as error:
                    log.warning("old runs could not be removed: %s", error)

    def _run(self, folder: JobFolder, lock: FileLock) -> None:
        if requested_control(folder) == "stop":
            write_status(folder, Status(state="stopped"))
            return
        task = read_task(folder)
        if task is None:
            log.warning("the run %s was removed while it waited", folder.path.name)
            return
        with self._started(folder, task, lock) as process:
            if _HANDS_DOWN:
                lock.release()
            log.info("the run %s ended with %d", folder.path.name, process.wait())

    @contextlib.contextmanager
    def _started(self, folder: JobFolder, task: Task, lock: FileLock) -> Iterator[subprocess.Popen[bytes]]:
        """The run's child process: the spare worker of this kind, or a new one.

        It holds the lock that marks the run as alive, and ends with this process, which then closes its input.
        """
        with self._guard:
            spare = self._spare
            if spare is not None and (spare.worker, self.limits.threads) == (task.worker, task.threads):
                self._spare = None
            else:
                spare = None
        if spare is not None:
            with contextlib.closing(spare), folder.log.open("ab") as errors:
                if spare.give(folder.path, errors.fileno(), lock.descriptor, environment(task)):
                    yield spare.process
                    return
        process = _new_worker(folder, task, lock)
        try:
            yield process
        finally:
            assert process.stdin is not None
            process.stdin.close()


def _new_worker(folder: JobFolder, task: Task, lock: FileLock) -> subprocess.Popen[bytes]:
    with folder.log.open("ab") as errors:
        return subprocess.Popen(
            [sys.executable, "-m", task.worker, str(folder.path)],
            cwd=code_folder(),
            env=environment(task),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            pass_fds=(lock.descriptor,) if _HANDS_DOWN else (),
            start_new_session=True,
        )


def environment(task: Task) -> dict[str, str]:
    """The environment of the child process: its number of threads, and the GPU that it may use."""
    threads = str(task.threads)
    variables = os.environ | {"OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads}
    kind, _, index = task.device.partition(":")
    if kind == "cuda" and index and VISIBLE not in os.environ:
        # nvidia-smi, which named the device, counts by bus; CUDA would count the fastest first.
        variables |= {VISIBLE: index, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
    return variables

"""Reruns failed browser and server tests once, alone, and reports those that then pass as flaky.

Tests with the marker ``browser`` or ``server`` wait for other processes, and on a busy machine one of thousands may
fail by chance. With ``--flaky`` such a test is rerun after all others, alone in a new process. If it fails again, it
has failed. If it passes, it is flaky: the last lines show it with the traceback of its failure, ``--flaky=pass``
(``make test``) counts it as passed by day, and ``--flaky=fail`` (``make test-all``) fails for it at night. No other
test is rerun, because its result does not depend on chance.
"""

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter

MARKERS = ("browser", "server")
MOST_FAILURES = 5
"""After this many second failures no further test is rerun: they are no coincidence."""
_UNDECIDED = "failed, and will run again"
"""Outcome of a report that is not yet decided."""


def add_options(parser: pytest.Parser) -> None:
    """Add the two options of this plug-in."""
    parser.addoption(
        "--flaky", choices=("pass", "fail"),
        help="run browser and server tests that fail again at the end, and pass or fail where they then pass",
    )  # fmt: skip
    parser.addoption("--write-reports", type=Path, help="a file for one report a line, as --flaky reads them")


def register(config: pytest.Config) -> None:
    """Register the plug-ins that the options request."""
    if config.getoption("flaky"):
        config.pluginmanager.register(_DeferFailures())
        if not hasattr(config, "workerinput"):  # a worker of pytest-xdist
            config.pluginmanager.register(_RerunFailures(config))
    if config.getoption("write_reports"):
        config.pluginmanager.register(_WriteReports(config))


class _DeferFailures:
    """In processes that run tests: marks failures of browser and server tests as undecided."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, Any]:
        report = yield
        if report.failed and any(item.get_closest_marker(name) for name in MARKERS):
            report.outcome = _UNDECIDED
        return report


class _WriteReports:
    """In the process of the rerun: writes its reports to a file."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._path = Path(str(config.getoption("write_reports")))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(data) + "\n")


class _RerunFailures:
    """In the main process: collects the failures, reruns their tests and decides."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._held: dict[str, list[pytest.TestReport]] = defaultdict(list)
        self._flaky: list[pytest.TestReport] = []

    def pytest_report_teststatus(self, report: pytest.CollectReport | pytest.TestReport) -> tuple[str, str, str] | None:
        return ("", "A", "AGAIN") if report.outcome == _UNDECIDED else None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome == _UNDECIDED:
            self._held[report.nodeid].append(report)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Iterator[Any]:
        result = yield
        if self._held:
            self._decide(session)
        return result

    def _decide(self, session: pytest.Session) -> None:
        reporter: TerminalReporter | None = self._config.pluginmanager.get_plugin("terminalreporter")
        assert reporter is not None
        reporter.ensure_newline()
        reporter.write_line(f"{len(self._held)} browser tests failed and run again, alone")
        # If only the teardown failed, the call is already counted as passed.
        reporter.stats["passed"] = [
            report for report in reporter.stats.get("passed", ()) if report.nodeid not in self._held
        ]
        second = self._run_again()
        for nodeid, first in self._held.items():
            reports = second.get(nodeid, [])
            is_whole = any(report.when == "teardown" for report in reports)
            if is_whole and not any(report.failed for report in reports):
                self._flaky += first
                if self._config.getoption("flaky") == "pass":
                    reporter.stats.setdefault("flaky", []).append(first[0])
                    continue
                reports = []
            if not is_whole or not reports:  # not rerun, crashed, or flaky at night: the first failure counts
                reports = first
                for report in first:
                    report.outcome = "failed"
            for report in reports:
                self._config.hook.pytest_runtest_logreport(report=report)

    def _run_again(self) -> dict[str, list[pytest.TestReport]]:
        """The reports of the rerun, by test."""
        with tempfile.TemporaryDirectory(prefix="regard-again-") as folder:
            path = Path(folder) / "reports"
            command = [sys.executable, "-m", "pytest", "-q", f"--maxfail={MOST_FAILURES}",
                       f"--write-reports={path}", *self._held]  # fmt: skip
            subprocess.run(command, cwd=self._config.rootpath, stdout=subprocess.DEVNULL, check=False)
            lines = path.read_text("utf-8").splitlines() if path.exists() else []
        reports = defaultdict(list)
        for line in lines:
            report = self._config.hook.pytest_report_from_serializable(config=self._config, data=json.loads(line))
            reports[report.nodeid].append(report)
        return reports

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> Iterator[None]:
        """Write each flaky test with its failure, after all other summaries."""
        yield
        if self._flaky:
            terminalreporter.section("flaky: failed among the others, passed alone")
        for report in self._flaky:
            terminalreporter.section(report.head_line or report.nodeid, sep="_", yellow=True)
            report.toterminal(terminalreporter._tw)
            for name, content in report.sections:
                terminalreporter.section(name, sep="-")
                terminalreporter.write(content)
        for nodeid in dict.fromkeys(report.nodeid for report in self._flaky):
            terminalreporter.write_line(f"FLAKY {nodeid}", yellow=True)

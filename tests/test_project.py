"""The project around the code: workflows, the release, the paper, dependencies, and systems without POSIX."""

import ast
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from benchmarks.figures import read_rows
from tests.trees import tree_of

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
SCRIPTS = re.compile(
    r"make [a-z-]+( \w+=\S+)*|\.ci/run( [a-z-]+)?|python -m tests\.smoke \w+|python -m pip install [^|&;]+"
    r"|(sudo )?apt-get update -qq && (sudo )?apt-get install [^|&;]+"
    r"|mkdir dist && cp release/\*\.whl release/\*\.tar\.gz dist/|gh release create .*"
)
"""Commands that a workflow's step may run: the Makefile's, or set-up of its machine."""


def _release() -> Any:
    spec = importlib.util.spec_from_file_location("regard_release", ROOT / "packaging/release.py")
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


release = _release()


def _steps(path: Path) -> list[str]:
    jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


def test_every_step_of_a_workflow_is_a_target_or_a_script_of_the_repository_and_the_other_files_are_yaml():
    for step in (step for path in WORKFLOWS for step in _steps(path)):
        assert SCRIPTS.fullmatch(step), step
        assert set(re.findall(r"^make ([a-z-]+)", step)) <= TARGETS
    for path in (*(ROOT / ".github").rglob("*.yml"), ROOT / "CITATION.cff"):
        assert isinstance(yaml.safe_load(path.read_text("utf-8")), dict), path


def test_a_tag_publishes_to_pypi_without_a_password_and_to_the_container_registry():
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
    assert jobs["pypi"]["permissions"] == {"id-token": "write"}
    assert "with" not in jobs["pypi"]["steps"][-1]
    assert any("make container" in step.get("run", "") for step in jobs["container"]["steps"])
    assert set(jobs["github"]["needs"]) == {"pypi", "container"}


def test_the_files_of_a_release_are_those_that_its_checksums_name(tmp_path: Path):
    (tmp_path / "regard.whl").write_bytes(b"wheel")
    assert release.main(["checksums", str(tmp_path)]) == 0
    assert (tmp_path / "SHA256SUMS").read_text() == f"{hashlib.sha256(b'wheel').hexdigest()}  regard.whl\n"
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=tmp_path, check=True)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the files that a release reads and writes."""
    (tmp_path / "model").mkdir()
    (tmp_path / "model/__init__.py").write_text('__version__ = "1.2.0"\n', "utf-8")
    (tmp_path / "CITATION.cff").write_text(
        "version: 1.2.0\ndate-released: 2027-01-02\nidentifiers:\n    value: 10.5281/zenodo.0000000\n", "utf-8"
    )
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n## 1.2.0, 2027-01-02\n\nNew.\n\n## 1.1.0\n\nOld.\n", "utf-8")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    return tmp_path


def test_a_tag_must_agree_with_the_code_the_citation_and_the_changes(house: Path, capsys):
    assert release.main(["version", "v1.2.0"]) == 0 and release.notes("1.2.0") == "New."
    assert release.main(["version", "v1.3.0"]) == 1
    assert "model/__init__.py says 1.2.0 and the tag says 1.3.0" in capsys.readouterr().err
    (house / "CHANGELOG.md").write_text("# Changes\n\n## 1.2.0, 2027-01-03\n\nNew.\n", "utf-8")
    assert release.main(["version", "v1.2.0"]) == 1
    assert "CITATION.cff says 2027-01-02" in capsys.readouterr().err
    (house / "CHANGELOG.md").write_text("# Changes\n\n## Unreleased\n\nNew.\n", "utf-8")
    assert release.main(["version", "v1.2.0"]) == 1
    assert "CHANGELOG.md has no section 1.2.0" in capsys.readouterr().err


def test_the_doi_and_the_owner_replace_their_placeholders(house: Path, monkeypatch, capsys):
    assert release.main(["doi", "10.5281/zenodo.42"]) == 0
    assert "    value: 10.5281/zenodo.42\n" in (house / "CITATION.cff").read_text("utf-8")
    assert release.main(["doi", "42"]) == 1 and "is no DOI" in capsys.readouterr().err
    assert release.main(["doi", "10.5281/zenodo.43"]) == 0
    assert (house / "CITATION.cff").read_text("utf-8").count("identifiers:") == 1


def test_links_to_the_repository_are_shown_once_it_has_an_address_and_not_before(house: Path, monkeypatch):
    for name in (*release.PUBLISHED, "docs/notebooks/1-explore.ipynb"):
        (house / name).parent.mkdir(parents=True, exist_ok=True)
        (house / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.setattr(release, "ADDRESS", house / "address.txt")
    before = {path: path.read_text("utf-8") for path in house.rglob("*") if path.is_file()}
    assert release.main(["owner", "ada"]) == 0
    assert (house / "address.txt").read_text("utf-8") == "https://github.com/ada/regard\n"
    for name in (*release.PUBLISHED, "docs/notebooks/1-explore.ipynb"):
        assert "ada" in (house / name).read_text("utf-8"), name
    book = json.loads((house / "docs/notebooks/1-explore.ipynb").read_text("utf-8"))
    assert "blob/main/docs/notebooks/1-explore.ipynb)" in book["cells"][0]["source"][-2]
    compile("".join(book["cells"][1]["source"]), "setup", "exec")
    release.write_owner("")
    assert {path: path.read_text("utf-8") for path in before} == before


def test_no_document_holds_a_placeholder_or_a_link_to_a_repository_without_an_address():
    listed = subprocess.run(
        ["git", "grep", "-lI", "-e", r"\bOWNER\b", "-e", "zenodo.0000", "--", "*.md", "*.yml", "*.ipynb", "*.cff"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert set(listed.stdout.split()) <= {".github/workflows/pages.yml"}
    if not release.ADDRESS.read_text("utf-8"):
        for name in release.PUBLISHED:
            assert f"{release.BEGIN}{release.END}" in (ROOT / name).read_text("utf-8"), name
    first = (ROOT / "README.md").read_text("utf-8").partition("```\n")[2].partition("```")[0]
    assert [line.split("  ")[0] for line in first.splitlines()] == ["make app", "make test"]


def test_the_bill_of_materials_and_the_licences_name_every_direct_dependency():
    names = {re.sub(r"[-_.]+", "-", part["name"].lower()) for part in release.bill("1.0.0")["components"]}
    direct = {re.split(r"[<>=\[]", requirement)[0] for requirement in release.direct()}
    assert direct <= names
    assert not [line for line in release.licences() if line.endswith("not stated")]
    json.dumps(release.bill("1.0.0"))


def test_every_dependency_has_an_upper_bound_and_the_pinned_version_is_within_it():
    pins = dict(
        line.partition(";")[0].split("==")
        for line in (ROOT / "requirements.txt").read_text("utf-8").splitlines()
        if line
    )
    for requirement in release.direct():
        name = re.split(r"[<>=]", requirement)[0]
        bound = re.search(r"<([\d.]+)$", requirement)
        assert bound, requirement
        if name in pins:
            parts = [[int(part) for part in re.findall(r"\d+", version)[:2]] for version in (pins[name], bound[1])]
            assert parts[0] < parts[1], requirement


def test_the_lock_has_every_pinned_package_with_hashes():
    lock = (ROOT / "requirements-lock.txt").read_text("utf-8")
    for file in ("requirements.txt", "requirements-dev.txt"):
        for line in (ROOT / file).read_text("utf-8").splitlines():
            if "==" in line:
                pin = re.escape(line.partition(";")[0])
                assert re.search(rf"(?mi)^{pin} (; .* )?\\\n +--hash=sha256:", lock), f"{line}: make lock"


def test_the_servers_list_is_of_the_lock_and_has_all_that_the_application_needs():
    """pip installs the list without resolving dependencies, so that a missing one would only fail at startup."""
    text = (ROOT / "requirements-server.txt").read_text("utf-8")
    assert text == release.server_lock((ROOT / "requirements-lock.txt").read_text("utf-8")), "make lock"
    listed = {line.partition("==")[0] for line in text.splitlines() if re.match(r"[a-z0-9]", line)}
    missing = []
    for name in sorted(listed | {"torch"}):
        try:
            needed = metadata.requires(name) or []
        except metadata.PackageNotFoundError:  # for another system or Python version
            continue
        for requirement in map(Requirement, needed):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                missing += {canonicalize_name(requirement.name)} - listed - {"torch"}
    assert not [name for name in missing if not name.startswith(("nvidia-", "cuda-", "triton"))]


def test_actions_are_named_by_commit_images_by_digest_and_what_servers_install_by_hash():
    for path in WORKFLOWS:
        for used in re.findall(r"uses: (.+)", path.read_text("utf-8")):
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}  # v[\d.]+", used), f"{path.name}: {used}"
    image_pattern = re.compile(r"(?:python|nginx|redis):\d[\w.-]*(@sha256:[0-9a-f]{64})?")
    for path in ("deploy/Dockerfile", "deploy/space/Dockerfile", "deploy/compose.yaml"):
        lines = [line for line in (ROOT / path).read_text("utf-8").splitlines() if not line.lstrip().startswith("#")]
        digests = [image[1] for line in lines for image in image_pattern.finditer(line) if "redis://" not in line]
        assert digests and all(digests), path
    for path in ("deploy/Dockerfile", "deploy/space/Dockerfile", "docs/administrators.md"):
        text = (ROOT / path).read_text("utf-8")
        assert "pip install --no-deps --require-hashes -r requirements-server.txt" in text
        assert "pip install -r requirements.txt" not in text


def test_a_space_is_a_public_server_without_training():
    text = (ROOT / "deploy/space/Dockerfile").read_text("utf-8")
    header = yaml.safe_load((ROOT / "deploy/space/README.md").read_text("utf-8").split("---")[1])
    assert header["sdk"] == "docker" and f"EXPOSE {header['app_port']}" in text
    assert "REGARD_PUBLIC=1" in text and """REGARD_TRAINING_LIMITS='{"max_alive": 0}'""" in text
    for name in re.findall(r"^COPY (.+) \S+$", text, re.MULTILINE):
        assert all((ROOT / part).exists() for part in name.split()), name
        assert all(part in MAKEFILE.split("\nspace:")[1].split("\n\n")[0] for part in name.split())


def test_the_paper_has_its_sections_its_sources_and_the_figures_of_the_benchmarks():
    text = (ROOT / "paper/paper.md").read_text("utf-8")
    about = yaml.safe_load(text.split("---")[1])
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= set(about)
    assert {"Summary", "Statement of need", "State of the field", "References"} <= set(
        re.findall(r"^# (.+)$", text, re.M)
    )
    cited = set(re.findall(r"@(\w+)", text.split("---", 2)[2]))
    listed = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "paper/paper.bib").read_text("utf-8"), re.MULTILINE))
    assert cited == listed
    assert all((ROOT / "paper" / name).is_file() for name in re.findall(r"\]\(([^)]+\.png)\)", text))
    assert len(text.split()) < 1000
    measured = {row.what: row for row in read_rows()}
    for comparison in (
        "returning all attention, against a forward pass without it",
        "greedy decoding, against Hugging Face's MarianMT of equal size",
        "an exact causal map of a 12-token pair, heads included, against a loop of hooked passes, by processor time",
    ):
        assert measured[comparison].figure.rstrip("×") in text, comparison


@pytest.mark.parametrize(
    ("document", "model", "pattern"),
    [("README.md", "en-fr", r"\[BLEU ([\d.]+) and chrF"), ("README.md", "en-de", r"\[English–German\]\S+ \(([\d.]+)\)"),
     ("README.md", "en-zh", r"\[English–Chinese\]\S+ \(([\d.]+), by characters\)"),
     ("paper/paper.md", "en-fr", r"reaches BLEU ([\d.]+)")],
)  # fmt: skip
def test_a_score_in_a_document_equals_that_of_the_model_card(document: str, model: str, pattern: str):
    (score,) = re.findall(pattern, (ROOT / document).read_text("utf-8"))
    model_card = (ROOT / "pretrained" / model / "README.md").read_text("utf-8")
    assert f"| BLEU, all references | {score} |" in model_card


@pytest.mark.nightly
@pytest.mark.parametrize("command", ["library", "application"])
def test_a_system_without_posix_translates_and_opens_the_application(command: str, tmp_path: Path):
    elsewhere = os.environ | {"PYTHONPATH": str(ROOT / "tests/elsewhere"), "TMPDIR": str(tmp_path)}
    process = subprocess.run(
        [sys.executable, "-m", "tests.smoke", command],
        cwd=ROOT,
        env=elsewhere,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0 and process.stdout.strip(), process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.nightly
def test_the_look_at_an_installation_opens_a_checkpoint_as_the_application_opens_a_strangers():
    process = subprocess.run([sys.executable, "-m", "tests.smoke", "upload"], cwd=ROOT, capture_output=True, text=True)
    assert process.stdout.strip() == "tiny", process.stderr


WITHOUT_POSIX = """
from pathlib import Path
from model.files.workspace import sweep, workspace
from model.runs.processes import FileLock, is_held
mine, lock = workspace(), Path("a/lock")
assert sweep(mine.parent) == [] and mine.is_dir()
held = FileLock.take(lock)
assert held and is_held(lock) and FileLock.take(lock) is None
held.release()
assert not is_held(lock)

from model.checkpoints.basis.errors import ConfinementError
from model.checkpoints.sandbox import examine_sandboxed, warm
warm()
try:
    examine_sandboxed(Path("model.pt"))
except ConfinementError as error:
    print(error)
from model.corpus.sql.sandboxed import ask_sandboxed
from model.corpus.sql.query import QueryError
try:
    ask_sandboxed(None, "SELECT 1", visitor="a")
except QueryError as error:
    print(error.case)
"""


@pytest.mark.nightly
def test_without_posix_locks_hold_and_strangers_files_and_queries_are_refused_with_a_remedy(tmp_path: Path):
    (tmp_path / "model.pt").write_bytes(b"weights")
    elsewhere = os.environ | {"PYTHONPATH": f"{ROOT / 'tests/elsewhere'}:{ROOT}", "TMPDIR": str(tmp_path)}
    process = subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX], cwd=tmp_path, env=elsewhere, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    refused, case = process.stdout.splitlines()
    assert "on Windows in WSL" in refused and case == "system"


def test_the_look_at_an_installation_needs_only_the_standard_library():
    tree = tree_of((ROOT / "tests/smoke.py").read_text("utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names

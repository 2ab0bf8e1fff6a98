"""README and docs match the code: their Python runs, and every command, option and name exists."""

import argparse
import ast
import importlib
import importlib.util
import inspect
import pkgutil
import re
import shlex
import textwrap
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent

import model
from model.checkpoints.basis.limits import Limits
from model.cli.main import parser as model_parser
from tests.cases import for_each
from tests.trees import tree_of
from viz.__main__ import parser as viz_parser
from viz.serve.__main__ import parser as serve_parser

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md",
         ROOT / "benchmarks" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]  # fmt: skip
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in PAGES}
NOT_RUN = ("bert(**inputs", "some_function", "class Choices:", "lengths.", "s3://")
"""Blocks that need a download, a bucket or the reader's own page; only their names are checked."""
COMMAND = re.compile(
    r"(?:python3?|accelerate launch [^\n`]*?) -m ((?:model|viz|benchmarks|tests)(?:\.\w+)*)((?: [^`\n]*)?)"
)
OURS = ("model", "viz", "regard")
FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?<=\n\n)(?: {4}[^\n]*\n)+")
SHELL = {
    "accelerate", "apt", "docker", "echo", "envsubst", "git", "install", "jupyter", "make", "nginx", "pip", "python",
    "redis-cli", "regard", "rm", "sed", "set", "useradd",
}  # fmt: skip
"""Programs that blocks of commands may call."""


def blocks() -> Iterator[tuple[str, str]]:
    for name, text in TEXTS.items():
        for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
            yield name, block


def runnable_blocks(page: str) -> list[str]:
    return [block for name, block in blocks() if name == page and not any(words in block for words in NOT_RUN)]


def commands() -> list[tuple[str, str, str]]:
    """Document, module and arguments of each command; three spaces precede a remark."""
    matches = [(name, *match) for name, text in TEXTS.items() for match in COMMAND.findall(text.replace("\\\n", " "))]
    return [(name, module, re.split(r" {3,}| +#", arguments)[0].strip()) for name, module, arguments in matches]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder of the blocks, with a checkpoint and a survey under the documents' names."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "survey").symlink_to(ROOT / "pretrained/en-fr-corpus/survey")
    return tmp_path


@pytest.mark.nightly(
    "docs/reference/explain.md",
    "docs/reference/sweep.md",
    "docs/research.md",
    "docs/reference/circuit.md",
    "docs/reference/viz.md",
    "docs/reference/corpus.md",
    "docs/reference/record.md",
    "docs/reference/load.md",
    "docs/attention-files.md",
    "docs/reference/survey.md",
)
@pytest.mark.parametrize("page", [name for name in TEXTS if runnable_blocks(name)])
def test_the_python_of_a_page_runs(folder: Path, page: str) -> None:
    bundle = model.load()
    model.save(bundle, folder / "my-run" / "best.ckpt")
    rows = np.random.default_rng(0).random((2, 2, 3, 3))
    names: dict[str, Any] = {"bundle": bundle, "weights": rows / rows.sum(-1, keepdims=True)}
    for block in runnable_blocks(page):
        exec(compile(block, page, "exec"), names)


def docstring_examples(root: Path) -> list[str]:
    """The examples in docstrings below a folder: indented blocks that import ``regard``."""
    examples = []
    for path in sorted(root.rglob("*.py")):
        if "import regard\n" not in (text := path.read_text("utf-8")):
            continue
        nodes = [node for node in ast.walk(ast.parse(text))
                 if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]  # fmt: skip
        docstrings = [words for node in nodes if (words := ast.get_docstring(node))]
        examples += [textwrap.dedent(block) for words in docstrings for block in INDENTED.findall(f"{words}\n")]
    return [block for block in examples if block.startswith("import regard\n")]


def test_the_python_of_docstrings_runs(folder: Path) -> None:
    examples = [block for root in OURS for block in docstring_examples(ROOT / root)]
    assert len(examples) >= 3
    names: dict[str, Any] = {"bundle": model.load("tiny"), "pairs": [("The cat is sleeping.", "Le chat dort.")]}
    (folder / "survey").unlink()
    for block in examples:
        exec(compile(block, "docstring", "exec"), names)


@for_each(blocks())
def test_every_name_in_the_python_of_a_page_exists(page: str, block: str) -> None:
    tree = tree_of(block)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in OURS:
            assert all(exists(node.module or "", [alias.name]) for alias in node.names), ast.unparse(node)
        if isinstance(node, ast.Attribute) and (path := dotted_name(node)) and path[0] in OURS:
            assert exists(path[0], path[1:]), ast.unparse(node)


def dotted_name(node: ast.expr) -> list[str] | None:
    """The parts of ``model.interpret.ablation``; None for an expression with a call or an index."""
    if isinstance(node, ast.Name):
        return [node.id]
    before = dotted_name(node.value) if isinstance(node, ast.Attribute) else None
    return None if before is None or not isinstance(node, ast.Attribute) else [*before, node.attr]


def other_blocks() -> list[tuple[str, str, str]]:
    """Page, language and content of each block that is not Python, fenced or indented."""
    blocks_ = [(name, *match) for name, text in TEXTS.items() for match in FENCED.findall(text) if match[0] != "python"]
    plain = {name: FENCED.sub("", text) for name, text in TEXTS.items()}
    return [*blocks_, *((name, "", block) for name, text in plain.items() for block in INDENTED.findall(text))]


@for_each(other_blocks())
def test_every_other_block_is_toml_html_a_picture_or_commands_on_existing_files(
    page: str, language: str, block: str
) -> None:
    if language == "toml":
        assert tomllib.loads(block)
    elif language == "fluent":
        entries = FluentParser().parse(block).body
        assert entries and not [entry for entry in entries if isinstance(entry, fluent.Junk)]
    elif language == "html":
        script = (ROOT / "viz/components/site/embed.js").read_text("utf-8")
        assert set(re.findall(r"<(\w+-\w+)", block)) <= set(re.findall(r'define\("([\w-]+)"', script))
    elif "->" in block:
        paths = re.findall(r"\b(?:model|viz)/\w+", block)
        assert all((ROOT / path).exists() or (ROOT / f"{path}.py").exists() for path in paths)
    else:
        for line in block.replace("\\\n", " ").splitlines():
            words = [word for word in line.split() if not re.match(r"[A-Z_]+=", word)]
            assert not words or words[0].removeprefix(".venv/bin/").removesuffix("3").strip("`;") in SHELL, line
            for paths in re.findall(
                r"(?<![\w/.-])(?:deploy|docs|benchmarks|tests)/[\w@./-]+|requirements\S*\.txt", line
            ):
                assert (ROOT / paths.rstrip("/.")).exists() or paths == "deploy/.env", line


@for_each(TEXTS)
def test_every_public_name_in_the_words_of_a_page_exists(page: str) -> None:
    """Names in backticks, as ``model.load(path)``, ``regard.Patch``, ``viz.show``; file names have a slash or an
    extension."""
    for path in re.findall(r"`(?:model|viz|regard)((?:\.[A-Za-z_]\w*)+)(?=[(`])", TEXTS[page]):
        parts = path.strip(".").split(".")
        if parts[-1] in ("py", "md", "tsv", "json", "safetensors", "bin", "npz", "pt", "zip"):
            continue
        root = next(root for root in ("viz", "regard", "model") if f"`{root}{path}" in TEXTS[page])
        assert exists(root, parts), f"{root}{path}"


def exists(root: str, parts: list[str]) -> bool:
    """Whether a dotted name exists, including modules that are not yet imported."""
    value: Any = importlib.import_module(root)
    for number, part in enumerate(parts, 1):
        if not hasattr(value, part):
            name = ".".join([root, *parts[:number]])
            if importlib.util.find_spec(name) is None:
                return False
            value = importlib.import_module(name)
        else:
            value = getattr(value, part)
    return True


@for_each(commands())
def test_every_command_of_a_page_exists(page: str, module: str, arguments: str) -> None:
    words = arguments.split()
    if words[:1] == ["figure"]:  # what follows its own options is a command of model
        at = next((i for i, word in enumerate(words) if word in subcommands(model_parser())), len(words))
        command_exists(page, "model", " ".join(words[at:]))
        arguments = " ".join(words[:at])
    command_exists(page, module, arguments)


def command_exists(page: str, module: str, arguments: str) -> None:
    assert importlib.util.find_spec(module), f"{page}: python -m {module}"
    words = [word for word in shlex.split(arguments.rstrip(".,;:)"), posix=False) if word not in ("…", "...")]
    options = {word.split("=")[0] for word in words if re.fullmatch(r"--[a-z][\w-]*(=.*)?", word)}
    if module in ("model", "viz"):
        if not words:
            return
        commands_ = subcommands(model_parser() if module == "model" else viz_parser())
        assert words[0] in commands_, f"{page}: python -m {module} {words[0]}"
        known_options = {option for action in commands_[words[0]]._actions for option in action.option_strings}
        assert options <= known_options, f"{page}: {options - known_options}"
    else:
        source = sources(module)
        assert all(f'"{option}"' in source for option in options), f"{page}: {module} {sorted(options)}"


def subcommands(top: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    return next(action.choices for action in top._actions if isinstance(action, argparse._SubParsersAction))


@cache
def sources(module: str) -> str:
    """The sources of a module and of the modules that define its arguments."""
    spec = importlib.util.find_spec(module)
    assert spec is not None
    spec_ = spec if spec.submodule_search_locations is None else importlib.util.find_spec(f"{module}.__main__")
    assert spec_ is not None and spec_.origin
    text = Path(spec_.origin).read_text("utf-8")
    return text + ((ROOT / "benchmarks/timing.py").read_text("utf-8") if "arguments(" in text else "")


def test_every_command_of_make_and_of_the_installed_name_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    serve = serve_parser().prog.rpartition(".")[2]
    commands_of_model = {*subcommands(model_parser()), *subcommands(viz_parser()), serve}
    for page, text in TEXTS.items():
        made = set(re.findall(r"(?:`|^    |^)make ([a-z-]+)", text, re.MULTILINE))
        assert made <= targets, f"{page}: make {made - targets}"
        called = set(re.findall(r"(?:`|^    |^|\" )regard ([a-z]+)\b", text, re.MULTILINE))
        assert called <= commands_of_model, f"{page}: regard {called - commands_of_model}"


def test_every_promise_of_security_names_the_tests_that_show_it() -> None:
    promised = TEXTS["docs/security.md"].partition("## Promised")[2].partition("## Not promised")[0]
    names = {name for path in (ROOT / "tests").rglob("test_*.py")
             for name in re.findall(r"(?m)^(?:async )?def (test_\w+)", path.read_text("utf-8"))}  # fmt: skip
    promises = re.split(r"(?m)^- ", promised)[1:]
    assert len(promises) > 20
    for promise in promises:
        tests = set(re.findall(r"`(test_\w+)`", promise))
        assert tests, f"no test shows it: {promise[:80]}"
        assert tests <= names, tests - names


def test_limits_that_a_page_gives_are_the_default_ones() -> None:
    limits = re.findall(r"`REGARD_([A-Z_]+)` \(([\d,]+)\)", TEXTS["docs/checkpoints.md"])
    assert len(limits) == 5
    for name, number in limits:
        assert getattr(Limits(), name.lower()) == int(number.replace(",", "")), name


def test_every_public_function_has_an_example_beside_its_description() -> None:
    """``test_the_python_of_a_page_runs`` runs the examples."""
    for name in (name for name in TEXTS if name.startswith("docs/reference/")):
        for path in re.findall(r"^::: (\w+(?:\.\w+)+)$", TEXTS[name], re.MULTILINE):
            if inspect.isfunction(pkgutil.resolve_name(path)):
                after = TEXTS[name].partition(f"::: {path}\n")[2].partition("\n:::")[0]
                pattern = rf"```python\n[^`]*\.{path.rpartition('.')[2]}\("
                assert re.search(pattern, after), f"{path} has no example in {name}"

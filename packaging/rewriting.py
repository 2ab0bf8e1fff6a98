"""The code of the wheel: ``model``, ``viz`` and app.py within ``regard``, with their imports rewritten to match.

Run by the build (pyproject.toml). Only imports change, and strings that are nothing but a module's name, such as the
names of processes' modules. Beside them come stubs: ``regard/__init__.pyi`` names what ``import regard`` offers, and
``regard/interpret/ablation.pyi`` is what an editor finds under the shorter name of ``regard.model.interpret.ablation``.
"""

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = ("model", "viz")


class RewritingHook(BuildHookInterface):
    """Writes the rewritten code into build/wheel and adds it to the wheel; an editable installation needs none."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is put together."""
        if version == "editable":
            return
        root = Path(self.root)
        out = root / "build" / "wheel" / "regard"
        shutil.rmtree(out, ignore_errors=True)
        write(root, out)
        build_data["force_include"] |= {str(out / name): f"regard/{name}" for name in (*PACKAGES, "app.py")}
        stubs = [path for path in out.rglob("*.pyi") if path.relative_to(out).parts[0] not in PACKAGES]
        build_data["force_include"] |= {str(path): f"regard/{path.relative_to(out)}" for path in stubs}


def write(root: Path, out: Path) -> None:
    """The code and its stubs in a folder ``out``, which becomes ``regard``."""
    out.mkdir(parents=True, exist_ok=True)
    modules = module_names(root)
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__", "*.pyc", "*.log")
        shutil.copytree(root / package, out / package, ignore=ignored)
    shutil.copyfile(root / "app.py", out / "app.py")
    for path in (out / "app.py", *(path for name in PACKAGES for path in (out / name).rglob("*.py"))):
        path.write_text(rewritten(path.read_text("utf-8"), modules), "utf-8")
    for path, text in stubs(root):
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_text(text, "utf-8")


def module_names(root: Path) -> frozenset[str]:
    """The dotted name of every module and package."""
    paths = (path.relative_to(root).with_suffix("") for name in PACKAGES for path in (root / name).rglob("*.py"))
    return frozenset(".".join(path.parts).removesuffix(".__init__") for path in paths)


def rewritten(source: str, modules: frozenset[str]) -> str:
    """A module's text with ``model`` and ``viz`` imported from ``regard``."""
    lines = source.splitlines(keepends=True)
    changes: list[tuple[int, int, int, str]] = []  # line, its bytes from and to, what stands there instead
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in PACKAGES:
            start = node.col_offset + len("from ")
            changes.append((node.lineno, start, start + len(node.module), f"regard.{node.module}"))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in PACKAGES and alias.asname is None:
                    written = f"regard.{alias.name} as {alias.name}"
                elif alias.name.partition(".")[0] in PACKAGES:
                    written = f"regard.{alias.name}"
                else:
                    continue
                changes.append((alias.lineno, alias.col_offset, alias.col_offset + len(alias.name), written))
        elif (
            isinstance(node, ast.Constant) and node.value in modules - set(PACKAGES) and node.lineno == node.end_lineno
        ):
            changes.append((node.lineno, node.col_offset, node.end_col_offset or 0, f'"regard.{node.value}"'))
    for line, start, end, written in sorted(changes, reverse=True):
        encoded = lines[line - 1].encode()
        lines[line - 1] = (encoded[:start] + written.encode() + encoded[end:]).decode()
    return "".join(lines)


def stubs(root: Path) -> Iterator[tuple[Path, str]]:
    """What an editor reads for the names that ``regard`` finds when they are used: a path within it, and the text."""
    yield Path("__init__.pyi"), _names_of_package(root)
    modules = module_names(root)
    for name in sorted(modules):
        within, _, rest = name.partition(".")
        is_package = (root / name.replace(".", "/")).is_dir()
        if (within == "viz" and rest.partition(".")[0] != "figures") or not rest or rest.endswith("__main__"):
            continue
        path = Path(rest.replace(".", "/"))
        text = f"from regard.{name} import *\n"
        if is_package:
            within = (each.rpartition(".")[2] for each in sorted(modules) if each.rpartition(".")[0] == name)
            shorter = ".".join(path.parts)
            text += "".join(f"from regard.{shorter} import {part} as {part}\n" for part in within)
        yield path / "__init__.pyi" if is_package else path.with_suffix(".pyi"), text


def _names_of_package(root: Path) -> str:
    """The public names of ``model`` from where they are made, its packages, and the views of ``viz``."""
    tree = ast.parse((root / "model/__init__.py").read_text("utf-8"))
    (listed,) = (
        node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    public = set(ast.literal_eval(listed))
    lines = ["from regard import viz as viz, model as model", "from regard.viz import figures as figures",
             "from regard.viz.notebook import export_html as export_html, show as show"]  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("model."):
            lines += [
                f"from regard.{node.module} import {alias.name} as {alias.asname or alias.name}"
                for alias in node.names
                if (alias.asname or alias.name) in public
            ]
    packages = sorted(path.parent.name for path in (root / "model").glob("*/__init__.py"))
    lines += [f"from regard import {package} as {package}" for package in packages]
    return "\n".join([*lines, "__version__: str", f"__all__ = {sorted(public | {'show', 'export_html'})!r}", ""])

"""ES modules joined into one: Streamlit's inline components and exported pages are single scripts.

A module imports only by ``import { a, b } from "./file.js";``, without renaming, and exports declarations. All modules
of one joined script share its scope, so a name may be declared once among them. Comments on lines of their own, and the
types before a value, are left out: they are a third of the bytes.
"""

import re
from collections.abc import Collection, Iterable
from pathlib import Path

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)
_EXPORTED = re.compile(r"^export (?:async )?(?:function\*?|class|const) (\w+)", re.MULTILINE)
_GIVEN = "globalThis.regardModules"
"""Where a page's first script puts what its later scripts need."""
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?:/\*(?:(?!\*/)[\s\S])*\*/|//.*)\n|/\*\* @type .*?\*/ ?", re.MULTILINE)
_DECLARATION = re.compile(r"^(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)


class ModuleError(ValueError):
    """Modules that cannot be joined."""


def join(entry: Path, *, gives: Collection[Path] = (), provided: Collection[Path] = ()) -> str:
    """The entry module after all modules that it imports, each once and after its dependencies.

    Only the entry's default export is kept, which is what Streamlit calls; that of another module is of no use there.

    Args:
        entry: the module that nothing imports.
        gives: modules of this script that later scripts of the page use.
        provided: modules that an earlier script of the page has exported; they are left out.

    Raises:
        ModuleError: when two modules declare the same name, or an import is of another form.
    """
    texts = {path: _bare(path) for path in order(entry)}
    *imported, _ = texts
    for path in imported:
        texts[path] = _DEFAULT.sub("void ", texts[path])
    home: dict[str, Path] = {}
    for path, text in texts.items():
        for name in _DECLARATION.findall(text):
            if name in home:
                raise ModuleError(f"{name} is declared in both {home[name].name} and {path.name}: rename one of them")
            home[name] = path
    if gives:
        names = [name for path in gives for name in _EXPORTED.findall(path.read_text("utf-8"))]
        texts[entry.resolve()] = f"{_GIVEN} = {{ {', '.join(sorted(names))} }};\n{texts[entry.resolve()]}"
    included = [path for path in texts if path not in provided]
    needed = {
        name.strip()
        for path in included
        for names, target in _IMPORT.findall(path.read_text("utf-8"))
        if (path.parent / target).resolve() in provided
        for name in names.split(",")
        if name.strip()
    }
    first = [f"const {{ {', '.join(sorted(needed))} }} = {_GIVEN};\n"] if needed else []
    return "\n".join(first + [texts[path] for path in included])


def common(entries: Iterable[Path]) -> frozenset[Path]:
    """The modules that each of several entries needs, without the entries."""
    return frozenset.intersection(*(frozenset(order(entry)[:-1]) for entry in entries))


def strip_comments(text: str) -> str:
    """Code without its comments, but for those that follow code on its line."""
    return _COMMENT.sub("", text)


def order(entry: Path) -> list[Path]:
    """The entry and all that it imports, dependencies first."""
    ordered: dict[Path, None] = {}
    visited: set[Path] = set()

    def visit(path: Path) -> None:
        if path in visited:
            return
        visited.add(path)
        for _, target in _IMPORT.findall(path.read_text("utf-8")):
            visit((path.parent / target).resolve())
        ordered[path] = None

    visit(entry.resolve())
    return list(ordered)


def _bare(path: Path) -> str:
    text = _IMPORT.sub("", path.read_text("utf-8"))
    if left := re.search(r"^(?:import\b|export (?:\{|\*)).*", text, re.MULTILINE):
        raise ModuleError(f"{path.name} has {left.group(0)!r}: write import {{ name }} from a relative path")
    return strip_comments(_EXPORT.sub("", text))

"""Static rules for the components' JavaScript, and bundling of modules into one script."""

import re
from pathlib import Path

import pytest

from tests.cases import for_each
from viz.components import attention, decoding, film, forcing, inside, kernel, matrix, overview, sentence, written
from viz.components.code import FOLDER
from viz.components.modules import ModuleError, common, join, order, strip_comments
from viz.export import site_page

FILES = sorted(FOLDER.rglob("*.js"))
SOURCES = (
    attention.SOURCE,
    *(part.SOURCE for part in (decoding, film, forcing, inside, kernel, matrix, overview, sentence, written)),
)
SITE_ENTRIES = ("main", "deferred", "one_head_view", "levels/model_plan", "all_heads", "embed", "worker", "sw",
                "phone_desk", "story", "story_deferred", "share_entry", "from_disk")  # fmt: skip


@for_each(FILES)
def test_a_module_is_short_and_never_makes_markup(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.count("\n") <= 330
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text)


def test_every_module_is_used() -> None:
    entries = [FOLDER / code.name / code.entry for code in SOURCES]
    entries += [FOLDER / "site" / f"{name}.js" for name in SITE_ENTRIES]
    entries.append(FOLDER / "phone" / "phone.js")
    used = {path for entry in entries for path in order(entry)}
    assert set(FILES) == used


@pytest.mark.parametrize("code", SOURCES, ids=lambda code: code.name)
def test_a_component_is_one_script_without_imports_or_requests(code) -> None:
    bare = re.sub(r"/\*.*?\*/", "", code.javascript, flags=re.DOTALL)
    assert not re.search(r"\bfetch\(|XMLHttpRequest|\bimport\(|^import ", bare, re.MULTILINE)
    assert code.javascript.count("export default") == 1
    assert not re.search(r"^export (?!default)", code.javascript, re.MULTILINE)
    assert "</script" not in code.javascript.lower()


def write(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, "utf-8")
    return folder / "entry.js"


def test_each_module_is_joined_once_after_its_imports(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        entry='import { a } from "./a.js";\nimport { b } from "./b.js";\n\nexport default () => a + b;\n',
        a='import {\n  b,\n} from "./b.js";\n\nexport const a = b;\n',
        b="export const b = 1;\n",
    )
    assert " ".join(join(entry).split()) == "const b = 1; const a = b; export default () => a + b;"


def test_comments_are_removed_and_template_literals_stay(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        entry="// One.\n/**\n * Two.\n */\nconst a = /** @type {Map<string, any>} */ (b); // three\n"
        "  /* four */\nf(\n  /** @type {any} */ c,\n);\n/** five */\n",
    )
    assert join(entry) == "const a = (b); // three\nf(\n  c,\n);\n"


@for_each(FILES)
def test_no_text_between_backticks_is_taken_for_a_comment(path: Path) -> None:
    source = path.read_text("utf-8")
    assert all(text in source for text in re.findall(r"`[^`]*`", strip_comments(source)) if "\n" in text)


def test_the_phones_page_is_one_script() -> None:
    assert "class Phone" in join(FOLDER / "phone" / "phone.js")


def test_a_later_script_uses_the_modules_of_the_first(tmp_path: Path) -> None:
    uses = 'import { B } from "./b.js";\nimport { a } from "./a.js";\nreport(a, B);\n'
    b = 'import { a } from "./a.js";\n\nexport class B {\n  c = a;\n}\n'
    first = write(tmp_path, entry=uses, later=uses, a="export const a = 1;\n", b=b)
    shared_modules = common((first, tmp_path / "later.js"))
    assert {path.name for path in shared_modules} == {"a.js", "b.js"}
    assert "globalThis.regardModules = { B, a };\nreport(a, B);" in join(first, gives=shared_modules)
    assert join(tmp_path / "later.js", provided=shared_modules).split("\n") == [
        "const { B, a } = globalThis.regardModules;", "", "report(a, B);", ""
    ]  # fmt: skip


def test_the_sites_first_scripts_export_all_that_the_later_ones_import() -> None:
    code = site_page.scripts()

    def names_in(script: str, pattern: str) -> set[str]:
        match = re.search(pattern, code[f"site/{script}"])
        assert match is not None, script
        return set(re.findall(r"\w+", match[1]))

    exported = [names_in(first, r"globalThis\.regardModules = \{(.*?)\};") for first in site_page.FIRST]
    for later in site_page.LATER:
        imported = names_in(later, r"^const \{(.*?)\} = globalThis\.regardModules;")
        assert imported and all(imported <= names for names in exported), later


def test_only_the_default_export_of_the_entry_remains(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        entry='import { a } from "./a.js";\n\nexport default { a };\n',
        a="export default function () {\n  return 1;\n}\n\nexport const a = 2;\n",
    )
    assert join(entry).count("export") == 1
    assert "void function () {" in join(entry) and "export default { a };" in join(entry)


def test_a_name_declared_twice_is_reported_with_both_files(tmp_path: Path) -> None:
    entry = write(
        tmp_path, entry='import { a } from "./a.js";\nconst b = a;\n', a="export const a = 1;\nconst b = 2;\n"
    )
    with pytest.raises(ModuleError, match=r"b is declared in both a\.js and entry\.js: rename one of them"):
        join(entry)


@pytest.mark.parametrize("line", ['import * as a from "./a.js";', 'export * from "./a.js";', 'import a from "a";'])
def test_an_import_that_cannot_be_joined_is_reported(tmp_path: Path, line: str) -> None:
    entry = write(tmp_path, entry=f"{line}\n", a="export const a = 1;\n")
    with pytest.raises(ModuleError, match=r"write import \{ name \} from a relative path"):
        join(entry)

"""The Fluent files: the same keys and variables in every language, all of them used."""

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel import Locale
from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent
from fluent.syntax.visitor import Visitor

import viz.i18n
from tests.programs import require_programs
from tests.trees import tree_of
from viz.components.sentence import TERMS
from viz.i18n import LANGUAGES, catalogue, fields, group, speaking, tr
from viz.i18n.catalogue import READINGS
from viz.lesson.moving import scenes_of
from viz.lesson.scenes import SCENES

WORDS = Path(viz.i18n.__file__).parent
ROOT = WORDS.parents[1]
BY_SCRIPTS = (
    "attention", "decode", "doubt", "film", "first", "gallery", "inside", "laboratory", "overview", "room", "sentence",
    "grid", "pad", "share", "site", "site_alone", "site_picture", "story",
)  # fmt: skip
"""Areas whose messages are passed to JavaScript."""
OF_ERRORS = ("corpus_error", "training_error", "refusal")
"""Areas whose keys are names of errors of ``model``."""
OTHERS = [code for code in LANGUAGES if code != "en"]


class Values(Visitor):
    """The variables of a message and the variants of its selections."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.cases: list[tuple[str, ...]] = []

    def visit_VariableReference(self, node: fluent.VariableReference) -> None:  # noqa: N802
        self.names.add(node.id.name)

    def visit_SelectExpression(self, node: fluent.SelectExpression) -> None:  # noqa: N802
        keys = (variant.key for variant in node.variants)
        self.cases.append(tuple(key.name if isinstance(key, fluent.Identifier) else key.value for key in keys))
        self.generic_visit(node)


@cache
def messages(path: Path) -> dict[str, Values]:
    """The messages of a file, which must be unique and without syntax errors."""
    values_by_key: dict[str, Values] = {}
    for entry in FluentParser().parse(path.read_text("utf-8")).body:
        if isinstance(entry, fluent.BaseComment):
            continue
        assert isinstance(entry, fluent.Message), f"{path.name}: {getattr(entry, 'content', entry)}"
        assert entry.id.name not in values_by_key, f"{path.name}: {entry.id.name} stands twice"
        values_by_key[entry.id.name] = Values()
        values_by_key[entry.id.name].visit(entry)
    return values_by_key


def files(language: str) -> dict[str, Path]:
    """A language's files by path below its folder."""
    return {path.relative_to(WORDS / language).as_posix(): path for path in (WORDS / language).rglob("*.ftl")}


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_the_files_of_english_with_the_same_keys_and_values(language):
    language_files, english = files(language), files("en")
    assert language_files.keys() == english.keys()
    for place, path in english.items():
        in_language = {key: values.names for key, values in messages(language_files[place]).items()}
        in_english = {key: values.names for key, values in messages(path).items()}
        assert in_language.keys() == in_english.keys(), f"{language}/{place}: {in_language.keys() ^ in_english.keys()}"
        assert not [key for key in in_english if in_english[key] != in_language[key]], f"{language}/{place}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_and_its_plural_cases_are_those_of_its_language(language):
    assert not [key for key, text in catalogue(language).items() if not text.strip()]
    variants = {*Locale.parse(language).plural_form.tags, "other"}
    for path in files(language).values():
        for key, values in messages(path).items():
            assert all("other" in cases and set(cases) <= variants for cases in values.cases), f"{path.name}: {key}"


def test_an_area_has_one_file_and_no_folder_has_more_than_twenty():
    names = [path.stem for path in files("en").values()]
    assert len(names) == len(set(names))
    folders = [path for path in (WORDS, *WORDS.rglob("*")) if path.is_dir()]
    assert not [path for path in folders if len([file for file in path.iterdir() if file.is_file()]) > 20]


def trees(*folders: str) -> Iterator[ast.AST]:
    for folder in folders:
        for path in (ROOT / folder).rglob("*.py"):
            yield tree_of(path.read_text("utf-8"))


@cache
def texts_in(folder: str) -> tuple[frozenset[str], frozenset[str]]:
    """The string literals of the code in a folder, and its f-strings as patterns."""
    literals, patterns = set(), set()
    for tree in trees(folder):
        parts: set[int] = set()  # parts of an f-string, which the walk visits after it
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant):
                if isinstance(node.value, str) and id(node) not in parts:
                    literals.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts.update(map(id, node.values))
                text = (str(part.value) if isinstance(part, ast.Constant) else None for part in node.values)
                patterns.add("".join(".+" if part is None else re.escape(part) for part in text))
    return frozenset(literals), frozenset(patterns)


@cache
def named_by_scripts() -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """The names in the components' JavaScript, and its templates as patterns."""
    code = "\n".join(
        path.read_text("utf-8") for path in (ROOT / "viz/components").rglob("*.js") if path.name != "fluent.js"
    )
    names = set(re.findall(r"""\.(\w+)|["'](\w+)["']|\b(\w+)(?=[^{}()]*\} = )""", code))
    filled = (re.split(r"\$\{((?:[^{}`]|\{[^{}]*\})*)\}", text) for text in re.findall(r"`([^`\n]*\$\{[^`\n]*)`", code))
    patterns = {"".join(r"\w+" if place % 2 else part for place, part in enumerate(parts)) for parts in filled}
    fitting = (pattern for pattern in patterns if re.fullmatch(r"(\w|\\w\+)+", pattern))
    return frozenset(name for matches in names for name in matches if name), tuple(
        re.compile(pattern) for pattern in fitting if re.search("[a-z]", pattern.replace(r"\w", ""))
    )


def is_made_of(identifier: str, parts: frozenset[str]) -> bool:
    """Whether an identifier consists of one or more of the parts, joined by underscores."""
    if identifier in parts or identifier.isdigit():
        return True
    splits = [place for place, letter in enumerate(identifier) if letter == "_"]
    return any(identifier[:at] in parts and is_made_of(identifier[at + 1 :], parts) for at in splits)


@cache
def composed_keys(area: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of composed keys of an area: those with fixed words, and those of variables only."""
    with_words, variables_only = [], []
    for part in texts_in("viz")[1]:
        if part.startswith(f"{area}\\."):
            (with_words if re.search("[a-z]", part[len(area) + 2 :]) else variables_only).append(part)
        elif part.startswith(".+") and re.search("[a-z]{3}", part):
            with_words.append(part)
    return re.compile("|".join(with_words) or "(?!)"), re.compile("|".join(variables_only) or "(?!)")


def is_used(key: str) -> bool:
    """Whether some code names the key or composes a name that matches it."""
    area, _, identifier = key.partition(".")
    if area == READINGS:  # replaces another area
        return is_used(identifier.replace("_", ".", 1))
    (literals, _), (raised, parts) = texts_in("viz"), texts_in("model")
    fixed, free = composed_keys(area)
    if key in literals or fixed.fullmatch(key) or (free.fullmatch(key) and is_made_of(identifier, literals | raised)):
        return True
    if area in OF_ERRORS:
        return identifier in raised or any(re.fullmatch(part, identifier) for part in parts if len(part) > 6)
    return area in BY_SCRIPTS and is_named_by_scripts(identifier.removeprefix("tour_"), literals)


def is_named_by_scripts(identifier: str, literals: frozenset[str]) -> bool:
    names, templates = named_by_scripts()
    prefix, _, suffix = identifier.partition("_")
    return (
        identifier in names | literals
        or any(template.fullmatch(identifier) for template in templates)
        or {prefix, suffix} <= names
        or (prefix in names and suffix.rpartition("_")[2] in ("text", "pulsing"))
    )


def test_every_text_is_used():
    assert not [key for key in catalogue("en") if not is_used(key)]


def test_the_check_of_texts_detects_an_unused_one():
    assert not is_used("decode.nobody_says_this") and not is_used("lesson.nobody_says_this")


def calls_of_tr() -> Iterator[tuple[str, set[str | None]]]:
    """Each key in a call of ``tr``, with the names of its keyword arguments; None among them for a mapping."""
    for tree in trees("viz"):
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "tr" and call.args:
                key = call.args[0]
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, {keyword.arg for keyword in call.keywords}


def test_every_key_that_the_code_names_exists():
    keys = {key for key, _ in calls_of_tr()}
    assert len(keys) > 500
    assert not sorted(key for key in keys if key not in catalogue("en"))


def test_every_text_with_fields_gets_its_values_unless_scripts_fill_them_in():
    lacking = {key for key, arguments in calls_of_tr() if None not in arguments and not fields(key) <= arguments}
    assert not [key for key in lacking if not key.endswith("cell")], "the help of a map's cells is for scripts"


def test_scripts_fill_a_text_in_as_python_does():
    require_programs("node")
    requests, expected = [], []
    for language in LANGUAGES:
        with speaking(language):
            for area in BY_SCRIPTS:
                for identifier, words in group(area).items():
                    names = sorted(fields(f"{area}.{identifier}") - {"key"})
                    for value in (0, 1, 2, 12, "1,5 { $n } 1"):
                        if names and "NUMBER" not in words and "$key" not in words:
                            values = dict.fromkeys(names, value)
                            requests.append([language, words, values])
                            expected.append(tr(f"{area}.{identifier}", **values))
    process = subprocess.run(
        ["node", "--input-type=module", "-e", SCRIPT], cwd=ROOT, input=json.dumps(requests), capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert len(requests) > 1000
    assert json.loads(process.stdout) == expected


SCRIPT = """
import fs from "node:fs";
import { fill } from "./viz/components/shared/text.js";
globalThis.document = { documentElement: {} };
const texts = JSON.parse(fs.readFileSync(0, "utf-8")).map(([lang, words, values]) => {
  globalThis.document.documentElement.lang = lang;
  return fill(words, values);
});
console.log(JSON.stringify(texts));
"""


INTRODUCED = {scene.name: scene.terms for scene in SCENES if scene.terms}
PARTS = ("question", "options", "try", "choose", "measured", "look", "done", "seen", "answer", "reply", "sheet")
OF_THE_VIEWS = {
    "box": ("average", "box_map"),
    "positions": ("no_twin", "with_positions", "without_positions"),
    "head": ("with_scale", "without_scale"),
    "heads": ("heads_which", "heads_follows", "heads_ends", "heads_spreads"),
    "layer": ("layer_followed", "step_starts", "step_attended", "step_summed", "step_normalised", "step_fed",
              "step_ends", "step_normalised_post", "step_ends_post"),
    "encoder": ("encoder_start", "meanings"),
    "mask": ("mask_with", "mask_without", "mask_forced", "mask_exchanged", "mask_written"),
    "loss": ("loss_head", "loss_head_after", "loss_said", "loss_own", "loss_smoothing", "before_step", "after_step"),
    "cross": ("aligning",),
    "beam": ("beam_same", "sure_whole"),
    "train": ("train_left", "train_right"),
    "explain": ("sharpest", "is_off", "hunt", "hunt_cell", "explain_count", "explain_open", "explain_many"),
    "share": ("claim_said", "link_note"),
}  # fmt: skip
"""Further texts that scenes show."""
TOLD = {"box": ("first_guess", "first_vote", "sure", "before", "after", "same")}
"""Texts that every scene shows, including the first."""
ALSO = {
    "mask": ("self-attention", "自注意力", "auto-attention"),
    "heads": ("W_O", "W_O", "W_O"),
    "train": ("batch", "小批", "lot"),
    "loss": ("teacher forcing", "教师强制", "teacher forcing"),
    "positions": ("position", "位置", "position"),
}
"""Terms that a scene explains and the glossary lacks."""


def texts_of(scene: str, words: dict[str, str]) -> dict[str, str]:
    """The texts of a scene that students read."""
    names = [f"{scene}_{part}" for part in PARTS] + [*OF_THE_VIEWS.get(scene, ()), *TOLD.get(scene, ())]
    return {name: words[f"lesson.{name}"] for name in names if f"lesson.{name}" in words}


def forms_of(term: str, words: dict[str, str]) -> list[str]:
    # a single Chinese character occurs in other words, such as 头 in 开头
    return [form for form in words[f"first.forms_{term}"].split("|") if form.isascii() or len(form) > 1]


def holds(text: str, form: str) -> bool:
    border = "" if not form.isascii() and form[0] >= "\u4e00" else r"\b"
    return bool(re.search(rf"{border}{re.escape(form)}{border}", text, re.IGNORECASE))


def unexplained_terms(route: str, language: str) -> list[str]:
    """Terms that scenes of a route use before it has introduced them."""
    words, introduced, missing = dict(catalogue(language)), set(), []
    place = LANGUAGES_IN_ORDER.index(language)
    terms = {term: forms_of(term, words) for names in INTRODUCED.values() for term in names}
    terms |= {forms[place]: [forms[place]] for forms in ALSO.values()}
    for number in scenes_of(route):
        scene = SCENES[number].name
        introduced |= {*INTRODUCED.get(scene, ()), *([ALSO[scene][place]] if scene in ALSO else ())}
        for name, text in texts_of(scene, words).items():
            used = [term for term, forms in terms.items() if any(holds(text, form) for form in forms)]
            missing += [f"lesson.{name}: {term}" for term in used if term not in introduced]
    return missing


LANGUAGES_IN_ORDER = list(LANGUAGES)


def test_every_term_is_one_of_the_glossary_and_introduced_once_on_the_short_route():
    short = [term for number in scenes_of("short") for term in INTRODUCED.get(SCENES[number].name, ())]
    assert len(set(short)) == len(short)
    assert {term for names in INTRODUCED.values() for term in names} <= set(TERMS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_scene_that_introduces_a_term_uses_it(language):
    words = dict(catalogue(language))
    for scene, names in INTRODUCED.items():
        text = "\n".join(texts_of(scene, words).values())
        for term in names:
            forms = forms_of(term, words) or words[f"first.forms_{term}"].split("|")
            assert any(form.lower() in text.lower() for form in forms), (scene, term)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("route", ["full", "short"])
def test_no_scene_uses_a_term_that_its_route_has_not_introduced(route, language):
    assert not unexplained_terms(route, language)


def test_the_check_of_terms_detects_a_missing_one(monkeypatch):
    monkeypatch.setitem(INTRODUCED, "heads", ("encoder",))
    monkeypatch.setitem(INTRODUCED, "box", tuple(term for term in INTRODUCED["box"] if term != "encoder"))
    assert "lesson.box_answer: encoder" in unexplained_terms("short", "en")

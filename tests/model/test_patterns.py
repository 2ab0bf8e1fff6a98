"""Every regular expression in the source takes time proportional to the length of the text, for any text.

They are found by walking the source, so that new expressions are tested too.
"""

import ast
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeGuard

import pytest

from model.checkpoints.answers.placing import name_pattern
from tests.trees import tree_of

ROOT = Path(__file__).resolve().parents[2]
_CALLS = {"compile", "match", "search", "fullmatch", "split", "sub", "subn", "findall", "finditer"}
_TAKERS = {"matching", "whole", "count_layers"}
"""Our functions that receive a pattern and compile it."""
_GIVEN = ("viz/state/rules.py", "model/checkpoints/")
"""The modules with tables of patterns for tensor names, which are short and matched in a child process."""
_SOME = "(?:one|two)"
LENGTH = 200_000
SHORTER = (2_000, 20_000)
_LONGEST = 3
"""How many of the slowest texts of 20,000 characters are tried again at ten times the length."""
_UNITS = (" ", "\t", "\n", "a", "A", "1", "_", "-", "'", ".", ",", "=", "|", "#", "/", "(", "[", "{", "<", "é", "中",
          "a ", "a-", "a1")  # fmt: skip
_ENDS = ("", "!")


def patterns() -> Iterator[tuple[str, tuple[re.Pattern[str], str]]]:
    """The location of each pattern, the pattern, and the call that uses it."""
    for top in ("model", "viz"):
        for path in sorted((ROOT / top).rglob("*.py")):
            tree = tree_of(path.read_text("utf-8"))
            for node in ast.walk(tree):
                if not isinstance(node, ast.Call) or not node.args:
                    continue
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                if _is_of_re(node.func) and not (isinstance(node.args[0], ast.Name) and where.startswith(_GIVEN)):
                    yield (
                        where,
                        (re.compile(_text(node.args[0], where), _flags(node)), _call(node, node.func.attr, tree)),
                    )
                elif isinstance(node.func, ast.Name) and node.func.id in _TAKERS:
                    results = [part for part in node.args if isinstance(part, ast.Constant | ast.JoinedStr)]
                    if results:
                        yield where, (re.compile(_text(results[0], where), re.ASCII), "match")


def _call(node: ast.Call, name: str, tree: ast.Module) -> str:
    """The call that uses a pattern; for a compiled pattern with a name, fullmatch or match if there is no other
    call."""
    targets = [part.targets[0] for part in ast.walk(tree) if isinstance(part, ast.Assign) and part.value is node]
    if name != "compile" or not targets or not isinstance(targets[0], ast.Name):
        return name
    retained = targets[0].id
    made = {
        part.attr
        for part in ast.walk(tree)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == retained
    }
    return "match" if made and made <= {"match", "fullmatch"} else "finditer"


def _is_of_re(function: ast.expr) -> TypeGuard[ast.Attribute]:
    return (
        isinstance(function, ast.Attribute)
        and function.attr in _CALLS
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
    )


def _text(node: ast.expr, where: str) -> str:
    try:
        result = ast.literal_eval(node)
    except ValueError:
        result = "".join(_parts(node, where))
    if isinstance(result, bytes):  # tried on text, a character for each byte
        result = result.decode("latin-1")
    assert isinstance(result, str), f"{where}: a pattern of parts that are not known here"
    return result


def _parts(node: ast.expr, where: str) -> Iterator[str]:
    """An f-string or a sum; every part that is only known at run time is replaced by a choice of words."""
    if isinstance(node, ast.JoinedStr):
        for value in node.values:
            yield str(value.value) if isinstance(value, ast.Constant) else _SOME
    elif isinstance(node, ast.BinOp):
        yield from (*_parts(node.left, where), *_parts(node.right, where))
    elif isinstance(node, ast.Constant):
        yield str(node.value)
    else:
        assert isinstance(node, ast.Call), f"{where}: write the pattern out, so that this test can try it"
        yield _SOME


def _flags(node: ast.Call) -> re.RegexFlag:
    flags = re.RegexFlag(0)
    for part in (*node.args, *(word.value for word in node.keywords if word.arg == "flags")):
        for name in ast.walk(part):
            if isinstance(name, ast.Attribute) and isinstance(name.value, ast.Name) and name.value.id == "re":
                flag = getattr(re, name.attr)
                flags |= flag if isinstance(flag, re.RegexFlag) else 0
    return flags


_OF_NAMES = {
    f"model/checkpoints/answers/mapping.py: {name}": (name_pattern(name), "match")
    for name in ("blocks.{i}.heads.{h}.q", "{i}{h}", "a{h}a{i}a", "1{i}1")
}
"""The patterns that are made from the names of a visitor's mapping, as they are made there."""


def seconds(pattern: re.Pattern[str], text: str, call: str) -> float:
    began = time.process_time()
    if call not in ("match", "fullmatch"):  # these only match at one position
        for _ in pattern.finditer(text):
            pass
    pattern.match(text)
    pattern.fullmatch(text)
    return time.process_time() - began


def growth(pattern: re.Pattern[str], unit: str, end: str, call: str, lengths: Sequence[int]) -> list[float]:
    """Seconds for a unit repeated to each length, until one takes more than its limit.

    Ten times the text may take thirty times as long. Times under a twentieth of a second for 20,000 characters, or
    under half a second for 200,000, are ignored.
    """
    collected: list[float] = []
    for length in lengths:
        collected.append(seconds(pattern, unit * (length // len(unit)) + end, call))
        if is_too_much(collected, length):
            break
    return collected


def is_too_much(result: Sequence[float], length: int) -> bool:
    return len(result) > 1 and result[-1] > max(length / 400_000, 30 * result[-2])


def slow_text(
    pattern: re.Pattern[str], call: str = "finditer", units: Sequence[str] = _UNITS
) -> tuple[str, str] | None:
    """A unit and an end that take more than the limit, or None.

    All are tried at 20,000 characters, and the slowest of them again at 200,000.
    """
    taken: dict[tuple[str, str], float] = {}
    for text in ((unit, end) for unit in units for end in _ENDS):
        result = growth(pattern, *text, call, SHORTER)
        if is_too_much(result, SHORTER[len(result) - 1]):
            return text
        taken[text] = result[-1]
    for text in sorted(taken, key=taken.__getitem__, reverse=True)[:_LONGEST]:
        if is_too_much([taken[text], *growth(pattern, *text, call, (LENGTH,))], LENGTH):
            return text
    return None


@pytest.mark.nightly
def test_every_pattern_takes_time_in_proportion_to_the_text() -> None:
    result = dict(patterns()) | _OF_NAMES
    assert len(result) > 200
    assert any("rows.py" in where for where in result) and any("tokenizer.py" in where for where in result)
    slow = {pattern: slow_text(*pattern) for pattern in set(result.values())}
    assert not {where: (pattern[0].pattern, slow[pattern]) for where, pattern in result.items() if slow[pattern]}


def test_the_test_finds_a_pattern_that_does_not() -> None:
    assert slow_text(re.compile(r"\s*\|\s*")) == (" ", "")
    assert slow_text(re.compile(r"[a-z]*;")) is not None
    assert slow_text(re.compile(r"\|")) is None

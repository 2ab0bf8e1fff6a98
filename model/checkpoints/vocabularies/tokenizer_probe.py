"""Parses one tokenizer file and tries it on expensive texts, under limits on memory and processor time.

The parsers are written in C++ and Rust. A hostile file may crash them or make them run forever, and so may its rules on
an unexpected text. So this runs as a script in a separate process. For a valid file the exit code is 0 and the number
of entries is printed. ``parsed`` is printed after parsing: a process that is ended later exceeded a limit on a text.
"""

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

PARSED = "parsed"
ENDLESS = 3
"""The exit code when the library gave up on a rule. A process that takes too much time is ended by the system."""
_ORDINARY = "A test, with éàü 你好 and 123."
_LETTERS = "".join(map(chr, range(0x20, 0x7F))) + "\t\n\u00a0\u0301\u200d\u3000éß中あאا🙂ﷺ▁Ġ"
_REPEATS, _LONG = 1_000, 10_000
_MOST_LITERALS, _LONGEST_LITERAL = 500, 40


def main(kind: str, path: str, seconds: int, megabytes: int) -> int:
    """Set the limits, parse the file, then try it on the texts."""
    limit("RLIMIT_CPU", seconds)
    limit("RLIMIT_CORE", 0)
    limit("RLIMIT_FSIZE", 0)
    try_file(kind, path, say=lambda word: print(word, flush=True), ready=lambda: limit("RLIMIT_AS", megabytes << 20))
    return 0


def try_file(kind: str, path: str, *, say: Callable[[object], object], ready: Callable[[], object]) -> None:
    """Parse the file and try it on the texts.

    Args:
        say: called with ``PARSED`` once the file is parsed, and with the number of its entries at the end.
        ready: called when the library is loaded, and before the file is opened.
    """
    if kind == "sentencepiece":
        import sentencepiece

        ready()
        processor = sentencepiece.SentencePieceProcessor(model_proto=Path(path).read_bytes())
        size = processor.get_piece_size()
        pieces = [processor.id_to_piece(index) for index in range(min(size, 64))]
        assert size >= 1 and len(pieces) >= 1
        encode, decode, rules = processor.encode, processor.decode, None
    else:
        import tokenizers

        ready()
        loaded = tokenizers.Tokenizer.from_file(path)
        size = loaded.get_vocab_size()
        encode, decode, rules = (lambda text: loaded.encode(text).ids), loaded.decode, _rules(path)
    say(PARSED)
    decode(encode(_ORDINARY))
    try_out(encode, decode, size, literals(rules))
    say(size)


def limit(name: str, value: int) -> None:
    """Set a resource limit of this process if the system has it: Windows has none, macOS not all."""
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        resource.setrlimit(getattr(resource, name), (value, value))


def try_out(
    encode: Callable[[str], list[int]], decode: Callable[[list[int]], str], size: int, rule_strings: Sequence[str]
) -> None:
    """Encode and decode expensive texts."""
    for text in texts(rule_strings):
        _refusing(lambda text=text: decode(encode(text)))
    for start in range(0, min(size, 100 * _REPEATS), _REPEATS):
        _refusing(lambda start=start: decode(list(range(start, min(size, start + _REPEATS)))))


def texts(rule_strings: Sequence[str]) -> Iterator[str]:
    """Texts on which rules grow or search forever: letters and the rules' strings repeated, and every character.

    When the end of a text does not match, a regular expression tries all ways to split what comes before it.
    """
    for unit in (*_LETTERS, *rule_strings):
        yield unit * _REPEATS + "!"
    for unit in (" ", "a", "A", "1", ".", "中", "aA1 .-"):
        yield unit * (_LONG // len(unit))
    for start in range(0, 0x10000, 0x100):
        if not 0xD800 <= start < 0xE000:
            yield "".join(map(chr, range(start, start + 0x100)))


def literals(rules: Any) -> list[str]:
    """The distinct short strings in the rules, and their characters."""
    strings, waiting = dict[str, None](), [rules]
    while waiting and len(strings) < _MOST_LITERALS:
        item = waiting.pop()
        if isinstance(item, str) and 0 < len(item) <= _LONGEST_LITERAL:
            strings |= dict.fromkeys((item, *item))
        waiting += item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return list(strings)


def _refusing(call: Callable[[], object]) -> None:
    """Run a call; a text that the tokenizer refuses with an error counts as finished."""
    try:
        call()
    except MemoryError:
        raise
    except Exception:  # the library may raise any error for a text
        return


def _rules(path: str) -> Any:
    described = json.loads(Path(path).read_text("utf-8"))
    return [described.get(part) for part in ("normalizer", "pre_tokenizer", "post_processor", "decoder")]


def code_of(work: Callable[[], int]) -> int:
    """Run work on a tokenizer and return the exit code; ordinary errors are raised."""
    try:
        return work()
    except MemoryError:
        return ENDLESS
    except Exception:
        raise
    except BaseException:  # a panic of the library: its expressions give up after ten million ways to split a text
        return ENDLESS


def _main() -> int:
    sys.path.append(sys.argv[5])  # after the interpreter's own folders, so that it cannot hide their modules
    return main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))


if __name__ == "__main__":
    sys.exit(code_of(_main))

"""Writes the parts of documents that the code knows: every command with its options, the lesson's scenes, the quiz, the
architectures that open.

python -m docs.written
"""

import argparse
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from model.checkpoints.families.huggingface.decoders import DECODERS as OWN_DECODERS
from model.checkpoints.families.huggingface.decoders import ENCODER_DECODERS
from model.checkpoints.families.huggingface.encoders import ENCODERS as OWN_ENCODERS
from model.checkpoints.families.huggingface.kinds import (
    DECODERS,
    ENCODERS,
    ENCODERS_ALONE,
    PICTURE_DECODERS,
    PICTURE_ENCODERS,
    READS_NO_TEXT,
    REFUSED,
    SEQ2SEQ,
    SOUND,
    VISION,
)
from model.checkpoints.families.huggingface.parts import OURS
from model.cli.main import parser as model_parser
from viz.__main__ import parser as viz_parser
from viz.i18n import catalogue
from viz.lesson.quiz import quiz as questions
from viz.lesson.scenes import SCENES
from viz.rooms.questions import AFTER, BEFORE

DOCS = Path(__file__).parent
HIDDEN = ("-h", "==SUPPRESS==")
SAID = catalogue("en")


def main() -> None:
    """Replace what stands between the marks of each part."""
    for name in {name for name, _ in PARTS}:
        page = DOCS / name
        page.write_text(rewritten(name, page.read_text("utf-8")), "utf-8")


def rewritten(name: str, page: str) -> str:
    """A document with its written parts as the code has them now."""
    for (document, part), lines in PARTS.items():
        begin, end = f"<!-- {part}: written by python -m docs.written -->", f"<!-- end of {part} -->"
        if document == name:
            before, _, rest = page.partition(begin)
            page = "\n".join([f"{before}{begin}", *lines(), f"{end}{rest.partition(end)[2]}"])
    return page


def commands() -> Iterator[str]:
    """Every command of both programs."""
    for top in (model_parser(), viz_parser()):
        yield from _program(top)


def scenes() -> Iterator[str]:
    """A row for each scene of the lesson."""
    yield "| | scene | new words | question | what to expect | common misconception | minutes, of 90 and of 45 |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for number, scene in enumerate(SCENES, 1):
        title, *told = [
            _cell(SAID[f"lesson.{scene.name}_{part}"]) for part in ("title", "question", "expect", "mistake")
        ]
        terms = ", ".join(SAID[f"first.forms_{term}"].partition("|")[0] for term in scene.terms)
        short = str(scene.short_minutes) if scene.short_minutes else "–"
        yield f"| {number} | {title} | {terms} | {' | '.join(told)} | {scene.minutes}, {short} |"


def quiz() -> Iterator[str]:
    """The questions of before and after, with the right answer in bold."""
    for offer, title in ((BEFORE, "Before"), (AFTER, "After")):
        yield f"**{title}**\n"
        for number, item in enumerate(questions(offer), 1):
            answers = [_marked(option) for option in item.options["en"][:-1]]
            answers[item.right] = f"**{answers[item.right]}**"
            yield f"{number}. {_marked(item.words['en'])} {' · '.join(answers)}"
        yield ""


def architectures() -> Iterator[str]:
    """The types of the transformers library: how each opens, or why it does not."""
    yield from ("| what opens | types |", "| --- | --- |")
    own = OURS | set(ENCODER_DECODERS)
    alone = [f"{kind} (its encoder alone)" for kind in ENCODERS_ALONE if kind in OWN_ENCODERS]
    adapted_alone = [f"{kind} (its encoder alone)" for kind in ENCODERS_ALONE if kind not in OWN_ENCODERS]
    for title, kinds in (
        ("encoder-decoders as our Transformer, with everything that it can do", sorted(own)),
        ("decoders as our Transformer, likewise", sorted(OWN_DECODERS)),
        ("encoders as our Transformer, likewise", sorted([*(set(ENCODERS) & set(OWN_ENCODERS)), *alone])),
        ("encoder-decoders in the library's code", sorted(set(SEQ2SEQ) - own - set(READS_NO_TEXT))),
        (
            "readers of pictures (TrOCR, Donut and their kin) in the library's code",
            (f"{VISION} of {', '.join(PICTURE_ENCODERS)} with {', '.join(PICTURE_DECODERS)}",),
        ),
        ("readers of sound in the library's code", SOUND),
        ("decoders in the library's code", sorted(set(DECODERS) - set(OWN_DECODERS))),
        ("encoders in the library's code", sorted([*(set(ENCODERS) - set(OWN_ENCODERS)), *adapted_alone])),
    ):
        yield f"| {title} | {', '.join(kinds)} |"
    yield from ("", "| what does not | because it |", "| --- | --- |")
    for reason in dict.fromkeys(REFUSED.values()):
        yield f"| {', '.join(kind for kind in REFUSED if REFUSED[kind] == reason)} | {reason} |"


def commands_of(top: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands of a program by their names."""
    return next(action.choices for action in top._actions if isinstance(action, argparse._SubParsersAction))


def _program(top: argparse.ArgumentParser) -> Iterator[str]:
    about = {
        action.dest: action.help or "" for each in top._actions for action in getattr(each, "_choices_actions", ())
    }
    for name, command in commands_of(top).items():
        given = [action for action in command._actions if not {*action.option_strings, action.help} & {*HIDDEN}]
        typed = " ".join(_as_typed(action) for action in given if _is_needed(action))
        said = command.description or about[name]
        yield from ("", f"## {command.prog.split()[-1]}", "", f"{said[0].upper()}{said[1:].rstrip('.')}.", "")
        yield from (f"    {command.prog} {typed}".rstrip(), "", "| | what | unless given |", "| --- | --- | --- |")
        yield from (_row(action) for action in given)
        yield from _more(command.epilog or "")
    yield ""


def _row(action: argparse.Action) -> str:
    name = ", ".join(f"`{option}`" for option in action.option_strings) or f"`{_value(action)}`"
    value = f" `{_value(action)}`" if action.option_strings and action.nargs != 0 else ""
    help_text, stated = _split((action.help or "").replace("%%", "%"))
    choices = ", ".join(map(str, action.choices or ()))
    said = f"{_cell(help_text)} ({choices})" if help_text and choices else _cell(help_text) or choices
    return f"| {name}{value} | {said} | {_cell(stated or _default(action))} |"


def _split(help_text: str) -> tuple[str, str]:
    """The explanation, and the default where it is a part of it."""
    found = re.search(r"(?:^| \()default: ([^()]+)\)?", help_text)
    return (help_text.replace(found[0], ""), found[1]) if found else (help_text, "")


def _default(action: argparse.Action) -> str:
    if _is_needed(action):
        return "must be given"
    if action.default in (None, False, "", (), []):
        return ""
    values = action.default if isinstance(action.default, (list, tuple)) else [action.default]
    return ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)


def _is_needed(action: argparse.Action) -> bool:
    return action.required and action.nargs not in ("?", "*")


def _as_typed(action: argparse.Action) -> str:
    return f"{action.option_strings[0]} {_value(action)}" if action.option_strings else _value(action)


def _value(action: argparse.Action) -> str:
    shown = action.metavar or (action.dest if not action.option_strings else action.dest.upper())
    return shown if isinstance(shown, str) else " ".join(shown)


def _more(epilogue: str) -> Iterator[str]:
    """What stands under a command's help: its examples as a block of code, its sentences as a paragraph."""
    examples, _, sentences = epilogue.partition("\n\n")
    if not examples.startswith("examples:"):
        examples, sentences = "", epilogue
    lines = [line.strip() for line in examples.splitlines()[1:]]
    yield from ("", *(f"    {line}" for line in lines)) if lines else ()
    yield from ("", _marked(sentences.strip())) if sentences.strip() else ()


def _cell(text: str) -> str:
    return _marked(" ".join(text.split())).replace("|", "\\|")


def _marked(text: str) -> str:
    """Plain text in which Markdown must not read emphasis or a tag."""
    return text.replace("<", "&lt;").replace("*", "\\*")


PARTS: dict[tuple[str, str], Callable[[], Iterator[str]]] = {
    ("commands.md", "commands"): commands,
    ("teaching.md", "scenes"): scenes,
    ("teaching.md", "quiz"): quiz,
    ("checkpoints.md", "architectures"): architectures,
}
"""Document and name of each written part."""

if __name__ == "__main__":
    main()

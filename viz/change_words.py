"""Describes interventions in the reader's language, for chips, captions and classes."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from model.intervention_text import patches_without_numbers, read_changes
from model.interventions import ITEMS, InAttention, Interventions
from model.patch import Patch
from viz.components.attention.axis import MAX_CHARACTERS, WORD_MARKS, readable
from viz.i18n import number, tr
from viz.plain_text import chip_text

MAX_NAMED = 3
"""Changes that a caption names."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """What descriptions refer to: the pieces read and those fed to the decoder, and the number of the first layer."""

    source: Sequence[str]
    fed: Sequence[str]
    first_index: int = 0


def spoken(interventions: Interventions, tokens: Tokens) -> Iterator[tuple[str, Interventions]]:
    """Each change in words, with the changes that remain when it is removed."""
    for name in ITEMS:
        items = getattr(interventions, name)
        for place, item in enumerate(items):
            rest = items[:place] + items[place + 1 :]
            words = _describe_patch(item, tokens) if isinstance(item, Patch) else _words(item, tokens)
            yield words, dataclasses.replace(interventions, **{name: rest})
    edit = interventions.source_positions
    if edit is not None:
        words = tr(f"frame.positions_{edit.mode}", **({"amount": edit.amount} if edit.mode == "shift" else {}))
        yield words, dataclasses.replace(interventions, source_positions=None)
    if interventions.lift_causal_mask:
        yield tr("frame.mask_lifted"), dataclasses.replace(interventions, lift_causal_mask=False)


def begins(text: str) -> str:
    """Says which pieces the translation was made to begin with."""
    return tr("frame.prefix_fixed", text=text)


def summarise_changes(words: Sequence[str]) -> str:
    """All changes as a caption: the first few by name, the rest as a number."""
    if len(words) > MAX_NAMED + 1:
        words = [*words[:MAX_NAMED], tr("frame.more_changes", n=len(words) - MAX_NAMED)]
    return tr("checkpoints.comma").join(words)


def of_file(changes: str, tokens: Tokens, target: Sequence[str]) -> str:
    """The changes that a file of attention names, for a caption; ``target`` begins with the forced pieces."""
    interventions, n_forced = read_changes(changes)
    words = [words for words, _ in spoken(interventions, tokens)]
    words += [tr("frame.patch_unread", name=name) for name in patches_without_numbers(changes)]
    between = "" if any(piece[:1] in WORD_MARKS for piece in target if piece) else " "
    prefix = between.join(piece[:MAX_CHARACTERS] for piece in target[:n_forced])[:MAX_CHARACTERS]
    for mark in WORD_MARKS:
        prefix = prefix.replace(mark, " ")
    return summarise_changes([*words, begins(prefix.strip())] if prefix else words)


def _describe_patch(patch: Patch, tokens: Tokens) -> str:
    """A patch in words: where, at which tokens and heads, and what was put there."""
    is_source = patch.stack == "encoder" or patch.name.endswith((".cross.key", ".cross.value"))
    pieces = tokens.source if is_source else tokens.fed
    at = " ".join(_token(pieces, i) for i in patch.positions or ())
    heads = ", ".join(str(head + tokens.first_index) for head in patch.heads or ())
    where = "".join((f" [{heads}]" if heads else "", f" {at}" if at else ""))
    if patch.from_text is not None or patch.from_ids is not None:
        text = " ".join(f"#{i}" for i in patch.from_ids or ()) if patch.from_text is None else patch.from_text
        return tr("frame.patch_text", name=patch.name, where=where, text=text)
    hows = ("zero", "mean", "noise", "value", "add", "scale", "project_out", "apply")
    how = next(how for how in hows if getattr(patch, how) not in (None, False))
    factor = {"add": patch.strength, "scale": patch.scale}.get(how)
    arguments = {} if factor is None else {"factor": number(factor, ".3g")}
    return tr(f"frame.patch_{how}", name=patch.name, where=where, **arguments)


def _words(item: InAttention, tokens: Tokens) -> str:
    """A change in attention in words, which may name its kind, layer, head, row and token."""
    first, keys = tokens.first_index, tokens.fed if item.kind == "decoder_self" else tokens.source
    arguments = {"kind": tr(f"frame.kind_{item.kind}").lower()}
    numbers = {"layer": item.layer, "head": item.head, "row": getattr(item, "query", None)}
    arguments |= {name: number + first for name, number in numbers.items() if number is not None}
    if (key := getattr(item, "key", None)) is not None:
        arguments["token"] = _token(keys, key)
    return tr(f"frame.change_{item.verb}", **arguments)


def _token(pieces: Sequence[str], place: int) -> str:
    return readable(chip_text(pieces[place])) if place < len(pieces) else f"#{place}"

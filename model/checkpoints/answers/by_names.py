"""Opens a file of no known family by the names and shapes of its tensors, if the proposal places all of them.

The model is an encoder-decoder, decoder-only or encoder-only. Settings that names and shapes do not show (heads, norms,
scales, ids) become questions. A file with unplaced tensors or wrong shapes is refused with the table so far.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from torch import Tensor

from model.checkpoints.answers import mapped
from model.checkpoints.answers.heads import CLEAR, as_evidence, clear_best, head_nats, layout_nats
from model.checkpoints.answers.kinds import OF_THE_LIBRARY, kind_of, kind_of_rest, without_layers
from model.checkpoints.answers.mapping import NUMBER, Line, TensorMapping, parse_mapping, to_toml
from model.checkpoints.answers.names_read import Reading, names_like, read_names
from model.checkpoints.answers.placing import name_pattern, rename_tensors
from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import FamilyError, TensorsError, UnshownError, some_of
from model.checkpoints.basis.hints import Hints
from model.checkpoints.basis.report import Evidence, Question
from model.checkpoints.families import Family
from model.checkpoints.families.huggingface.stacks import has_the_librarys_names
from model.checkpoints.families.single_stack.common import is_causal
from model.checkpoints.formats.source import Source

NAME = "named"


def family_of(source: Source) -> tuple[Family, tuple[str, ...]]:
    """A family for one file, made from the proposal, and the names by which it was recognised."""
    shapes = {name: tuple(tensor.shape) for name, tensor in source.tensors.items()}
    kind, read = kind_of(shapes), read_names(source.tensors)
    if kind is None and has_the_librarys_names(source.tensors, is_single_stack=len(read.stacks) < 2):
        kind = OF_THE_LIBRARY
    if kind is None and not read.stacks:
        kind = without_layers(shapes)
    if kind is not None:
        raise FamilyError(f"{source.where} is {kind.what}: {kind.remedy}")
    is_single_stack = len(read.stacks) == 1
    if not any(".feed_forward." in name for line in read.lines for name in line.ours):
        raise UnshownError(
            f"{source.where} is a stack of attention without feed-forward networks, which is not read here: save its "
            "attention where it runs, and open that file (docs/attention-files.md)"
        )
    if not any("_norm." in name for line in read.lines for name in line.ours):
        raise UnshownError(
            f"{source.where} holds no norms. Those without weights (elementwise_affine=False) leave no trace in a "
            "file, and without them the attention would be another one: save it where the model runs, and open that "
            "file (docs/attention-files.md)"
        )
    if read.left and not (is_single_stack and read.ends):
        left = _unplaced_tensors(source, read)
        if (rest := kind_of_rest(left)) is not None:
            raise UnshownError(f"{source.where} is {rest.what} ({some_of(left)}): {rest.remedy}")
        raise _refusal(source, read, "")

    def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
        try:
            return _convert(read, source, answers.hints, tokenizers)
        except TensorsError as error:
            raise _refusal(source, read, str(error), error) from error

    marks = tuple(line.pattern for line in read.lines if any(name.endswith("query.weight") for name in line.ours))
    return Family(f"{NAME}_alone" if is_single_stack else NAME, lambda _: (), convert), marks


def _convert(read: Reading, source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    settings: dict[str, Any] = {} if read.positions is None else {"positions": read.positions}
    if read.rows is not None:
        settings["max_positions"] = len(read.rows)
    questions, lines = _alone(read, source, hints) if len(read.stacks) == 1 else ((), read.lines)
    more, lines = _gates(lines, hints)
    questions = (*questions, *more)
    table = parse_mapping({
        "tensors": {line.pattern: list(line.ours) for line in lines if line.ours},
        "transposed": [line.pattern for line in lines if line.ours and line.is_transposed],
        "config": settings,
    })  # fmt: skip
    ignored = tuple(line.pattern for line in lines if not line.ours)
    remaining = {
        name: tensor for name, tensor in source.tensors.items() if name not in names_like(ignored, source.tensors)
    }
    read = replace(read, lines=lines)
    conversion = _by_layout(read, table, replace(source, tensors=remaining), hints, tokenizers)
    unused = tuple(name for name in source.tensors if name not in remaining)
    rows = None if read.positions is None else read.rows
    shown = tuple(to_toml(read.lines).splitlines())
    questions = (*questions, *conversion.questions)
    return replace(conversion, questions=questions, ignored=unused, tables=(rows, rows), lines=shown)


def _alone(read: Reading, source: Source, hints: Hints) -> tuple[tuple[Question, ...], tuple[Line, ...]]:
    """The questions about a single stack, and its table as a decoder or an encoder."""
    answers, lines = Answers(hints), read.lines
    if read.crosses:
        if not answers.ask("cross_unused", True, choices=(True, False)):
            raise UnshownError(
                f"{source.where} holds a decoder whose cross-attention reads another network, and not that network: "
                "give the weights of both, or save its attention where it runs (docs/attention-files.md)"
            )
        lines = tuple(
            replace(line, ours=()) if any(".cross_attention" in name for name in line.ours) else line for line in lines
        )
    if read.causal_mask:
        reason = Evidence("causal_mask", (("name", read.causal_mask),))
        causal = bool(answers.ask("causal", True, choices=(False, True), evidence=(reason,)))
    else:
        output = next((line.pattern for line in lines if line.ours[:1] == ("output.weight",)), "")
        layers = next(line.pattern.partition(NUMBER)[0] for line in lines if NUMBER in line.pattern and line.ours)
        causal = is_causal(answers, source, (layers, output), predicts=not read.ends)
    if causal and read.ends:
        raise UnshownError(
            f"{source.where} is a single stack that ends with {some_of(read.ends)} and not with a projection to its "
            "vocabulary: as an encoder it opens (causal=False); a decoder that classifies is not read here. Save its "
            "attention where it runs, and open that file (docs/attention-files.md)"
        )
    if not causal:
        lines = tuple(replace(line, ours=tuple(name.replace("decoder.", "encoder.", 1) for name in line.ours))
                      for line in lines)  # fmt: skip
    return tuple(answers.questions), lines


def _gates(lines: tuple[Line, ...], hints: Hints) -> tuple[tuple[Question, ...], tuple[Line, ...]]:
    """The question which half of a gated network's fused matrix is activated, and the table."""
    gated = [line for line in lines if len(line.ours) > 1 and ".feed_forward." in line.ours[0]]
    if not gated:
        return (), lines
    answers = Answers(hints)
    if answers.ask("gate_last", False, choices=(False, True)):
        lines = tuple(replace(line, ours=line.ours[::-1]) if line in gated else line for line in lines)
    return tuple(answers.questions), lines


def _by_layout(read: Reading, table: TensorMapping, source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """The conversion, and the question whether fused projections are split head by head, which shapes do not show.

    If they are, the number of heads is needed before anything is placed: it follows from the norms of the rows, or it
    is a question with close answers.
    """
    answers = Answers(replace(hints, fused_by_head=False))
    plain = mapped.convert(table, source, answers, tokenizers, is_rotary=read.is_rotary)
    if not read.fused:
        return plain
    heads = next((question for question in plain.questions if question.hint == "n_heads"), None)
    count = plain.config.n_encoder_heads
    if heads is not None and not heads.is_answered:
        worse = head_nats(rename_tensors(table, source.tensors, source.where), (1, *heads.choices))
        count = clear_best(worse) or count
        heads = replace(
            heads, value=count, is_close=clear_best(worse) is None, evidence=(*heads.evidence, *as_evidence(worse))
        )
    layouts = layout_nats(_fused_matrices(read, source.tensors), count)
    is_clear = max(layouts.values()) >= CLEAR
    likely = layouts[True] < layouts[False] if is_clear else read.by_head
    chosen = likely if hints.fused_by_head is None else hints.fused_by_head
    evidence = tuple(Evidence("fused_rows", (("answer", layout), ("nats", round(nats, 1))))
                     for layout, nats in sorted(layouts.items(), key=lambda item: item[1]))  # fmt: skip
    layout_question = Question("fused_by_head", chosen, (False, True), evidence,
                     is_answered=hints.fused_by_head is not None, is_close=not is_clear)  # fmt: skip
    if not chosen:
        return replace(plain, questions=(*plain.questions, layout_question))
    hints = replace(hints, fused_by_head=True, n_heads=count)
    conversion = mapped.convert(table, source, Answers(hints), tokenizers, is_rotary=read.is_rotary)
    questions = (heads if heads is not None and other.hint == "n_heads" else other for other in conversion.questions)
    return replace(conversion, questions=(*questions, layout_question))


def _fused_matrices(read: Reading, tensors: Mapping[str, Tensor]) -> list[tuple[Tensor, int]]:
    """The fused matrices (rows, in), each with its number of projections."""
    return [
        (tensor.t() if line.is_transposed else tensor, len(line.ours))
        for line in read.fused
        for name, tensor in tensors.items()
        if tensor.dim() == 2 and name_pattern(line.pattern).match(name)
    ]


def _unplaced_tensors(source: Source, read: Reading) -> tuple[str, ...]:
    """The unplaced tensors, in file order."""
    left = names_like(read.left, source.tensors)
    return tuple(name for name in source.tensors if name in left)


def _refusal(source: Source, read: Reading, why: str, cause: TensorsError | None = None) -> FamilyError:
    """The error for a file that does not fit: the cause, the remedy and the table so far."""
    left = _unplaced_tensors(source, read)
    why = why or f"no place was found for {some_of(left)}"
    error = FamilyError(
        f"{source.where} has names of its own, and a table of them does not fit: {why[:600]}. Correct the table "
        "(inspect --propose > mapping.toml) and give it as mapping= (docs/checkpoints.md)"
    )
    error.table = to_toml(read.lines)
    error.rows = left if cause is None else cause.rows
    return error

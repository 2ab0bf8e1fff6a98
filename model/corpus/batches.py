"""Runs pairs through the model with teacher forcing in batches of similar length, and captures every head's weights."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from model.bundle import Bundle
from model.inference.batches import MAX_BATCH_ROWS, group_by_length
from model.inference.memory import check_forced
from model.inference.reading import NO_TOKENS, decoder_input, kinds_of, prompt_tokens
from model.inference.teacher_forcing import TeacherForced, teacher_forced
from model.interpret.attribution import value_names
from model.interventions import NONE, Interventions
from model.nn.transformer import Transformer
from model.text.links import MAX_LINE, CorpusError
from model.text.pairs import Pair, is_too_long
from model.text.tokens import TextError, describe_target, source_tokens, target_tokens
from model.trace import TokenSequence

MAX_WEIGHTS = 48_000_000
"""Maximum attention weights per batch: 192 MB in float32."""


@dataclass(frozen=True, slots=True)
class Row:
    """A pair as tokens."""

    id: int
    """Index in the corpus, from 0."""
    pair: Pair
    source: TokenSequence
    """S tokens."""
    prefix: TokenSequence
    """T tokens that the decoder is fed."""
    target: TokenSequence
    """T tokens to be predicted, end of sentence included."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A pair that this model cannot read."""

    id: int
    reason: str


Pass: TypeAlias = TeacherForced[Row]
"""One batch of B rows, padded to S and T."""


def translates(bundle: Bundle) -> bool:
    """Whether a model is an encoder-decoder; an encoder-only or decoder-only model reads texts instead of pairs."""
    return "cross" in kinds_of(bundle)


def check_translates(bundle: Bundle) -> None:
    """Raise CorpusError for a model that has no cross-attention."""
    if not translates(bundle):
        raise CorpusError(f"{bundle.name} does not translate: choose an encoder-decoder model")


def read_rows(bundle: Bundle, pairs: Sequence[Pair], *, first_id: int = 0) -> tuple[list[Row], list[Skipped]]:
    """The tokens of every pair, and the pairs that the model cannot read, with reasons."""
    rows, skipped = [], []
    for index, pair in enumerate(pairs, start=first_id):
        try:
            if is_too_long(pair.source, pair.target):
                n = len(pair.source) + len(pair.target)
                raise TextError(
                    f"the pair has {n:,} characters and the limit is {MAX_LINE:,}: write one sentence a line"
                )
            row = (_read_pair if translates(bundle) else _read_text)(bundle, index, pair)
            check_forced(bundle.config, n_source=len(row.source), n_target=len(row.target))
            rows.append(row)
        except TextError as error:
            skipped.append(Skipped(index, str(error)))
    return rows, skipped


def _read_pair(bundle: Bundle, index: int, pair: Pair) -> Row:
    if not pair.target.strip():
        raise TextError("the target is empty: write its translation")
    if not pair.source.strip():
        raise TextError("the source is empty: write a sentence")
    target = target_tokens(bundle, pair.target)
    return Row(index, pair, source_tokens(bundle, pair.source), decoder_input(bundle, target), target)


def _read_text(bundle: Bundle, index: int, pair: Pair) -> Row:
    """A text as an encoder-only model's input, or as a decoder-only model's input without the last token, with the
    following tokens as targets."""
    if "encoder_self" in kinds_of(bundle):
        return Row(index, pair, source_tokens(bundle, pair.source), NO_TOKENS, NO_TOKENS)
    ids = prompt_tokens(bundle, pair.source).ids
    if len(ids) < 2:
        raise TextError("the text has one token: a decoder predicts the second from the first, so write more")
    return Row(index, pair, NO_TOKENS, describe_target(bundle, ids[:-1]), describe_target(bundle, ids[1:]))


def is_readable(bundle: Bundle, pair: Pair) -> bool:
    """Whether the model can read a pair's source."""
    if is_too_long(pair.source, pair.target):
        return False
    try:
        source_tokens(bundle, pair.source)
    except TextError:
        return False
    return True


def batches(
    bundle: Bundle, rows: Sequence[Row], *, max_rows: int = MAX_BATCH_ROWS, max_weights: int = MAX_WEIGHTS
) -> Iterator[tuple[Row, ...]]:
    """The rows in batches as large as memory allows, sorted by their longer side, longest first: sorted by one side
    only, a third of the other would be padding."""
    config = bundle.config
    heads = config.n_encoder_layers * config.n_encoder_heads + 2 * config.n_decoder_layers * config.n_decoder_heads
    lengths = [(len(row.source), len(row.target)) for row in rows]
    sizes = [(max(counts), sum(counts)) for counts in lengths]
    for part in group_by_length(
        sizes, lambda longest: min(max_rows, max_weights // (heads * longest[0] ** 2)), longest_first=True
    ):
        yield tuple(rows[index] for index in part)


def forced_pass(
    bundle: Bundle, rows: Sequence[Row], *, interventions: Interventions | Sequence[Interventions] = NONE
) -> Pass:
    """Run the model on the rows' own targets and keep every weight, and the values that ``value_norms`` needs."""
    record = value_names(bundle.config) if isinstance(bundle.model, Transformer) else ()
    return teacher_forced(
        bundle, rows, interventions=interventions, capture=True, record=record, has_bound=False
    )  # ``batches`` limits the memory

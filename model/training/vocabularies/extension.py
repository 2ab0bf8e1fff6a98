"""Extends a vocabulary, checks that it can spell the training pairs, and gives a trained model another vocabulary.

A piece in both vocabularies keeps its embedding. A new piece starts as the mean of the embeddings of the old pieces
that spell it: "▁renewable" starts as the mean of "▁re", "new" and "able". All other weights are kept.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from model.checkpoints import Bundle
from model.nn.transformer import Transformer
from model.text.pairs import Pair
from model.text.tokenizer import SentencePieceTokenizer, Tokenizer, is_byte
from model.training.settings import TrainingError
from model.training.vocabularies.learned import proto_of

log = logging.getLogger(__name__)
MOST_UNSPELLED, NOTED_UNSPELLED = 0.25, 0.02
"""Shares of unknown or byte tokens of a side: from the first on training is refused, from the second on it warns."""
N_LOOKED_AT = 1_000
SIDES = ("source", "target")


def extend(old: SentencePieceTokenizer, learned: SentencePieceTokenizer, *, size: int) -> SentencePieceTokenizer:
    """Append pieces of ``learned`` to the old vocabulary: bytes, characters, then the most probable others.

    Old pieces keep their ids. Text that the old vocabulary splits well is split as before, so a model that is trained
    further loses little.

    Raises:
        TrainingError: when the size leaves no room for bytes and characters, or exceeds the number of available pieces.
    """
    merged, other = proto_of(old), proto_of(learned)
    known = {piece.piece for piece in merged.pieces}
    fresh = [piece for piece in other.pieces if piece.piece not in known]
    needed = [piece for piece in fresh if piece.type == piece.BYTE or len(piece.piece) == 1]
    rest = [piece for piece in fresh if piece.type == piece.NORMAL and len(piece.piece) > 1]
    room = size - len(merged.pieces) - len(needed)
    if not 0 <= room <= len(rest):
        least = len(merged.pieces) + len(needed)
        raise TrainingError(f"vocab_size ({size}) must lie in {least:,} to {least + len(rest):,} to extend this one")
    merged.pieces.extend([*needed, *sorted(rest, key=lambda piece: -piece.score)[:room]])
    merged.trainer_spec.byte_fallback = other.trainer_spec.byte_fallback
    merged.trainer_spec.vocab_size = size
    return SentencePieceTokenizer(merged.SerializeToString())


def with_vocabulary(bundle: Bundle, tokenizer: SentencePieceTokenizer) -> Bundle:
    """A copy of the model with another vocabulary.

    Raises:
        TrainingError: when the model has two vocabularies, or none of SentencePiece's.
    """
    old, config = bundle.source_tokenizer, bundle.config
    is_tied = isinstance(bundle.model, Transformer) and config.tie_embeddings and config.tie_output
    if not is_tied or not isinstance(old, SentencePieceTokenizer) or config.output_bias:
        raise TrainingError(
            f"{bundle.name} cannot take another vocabulary: that needs one SentencePiece vocabulary, "
            "shared by both languages and the output; leave out --tokenizer and --vocab-size"
        )
    config = replace(config, source_vocab_size=tokenizer.size, target_vocab_size=tokenizer.size)
    model = Transformer(config)
    rows = bundle.model.decoder.embedding.weight.detach()
    carried = carry_over(rows, old, tokenizer)
    shared = {name for name, tensor in bundle.model.state_dict().items() if tensor.data_ptr() == rows.data_ptr()}
    model.load_state_dict(
        {name: carried if name in shared else tensor for name, tensor in bundle.model.state_dict().items()}
    )
    return replace(bundle, model=model.eval(), config=config, source_tokenizer=tokenizer, target_tokenizer=tokenizer)


def check_spelling(pairs: Sequence[Pair], source: Tokenizer, target: Tokenizer) -> None:
    """Check that the vocabularies fit the languages of these pairs: a French vocabulary has no 猫 and no ß.

    Raises:
        TrainingError: when a quarter of the tokens of either side are unknown or bytes.
    """
    shares = unspelled_shares(pairs, source, target)
    if error := spelling_error(shares):
        raise error
    for side, share in zip(SIDES, shares, strict=True):
        if share >= NOTED_UNSPELLED:
            log.warning(
                "%.1f%% of the %s tokens are unknown or single bytes: a vocabulary learned from these pairs is better",
                100 * share, side,
            )  # fmt: skip


def unspelled_shares(pairs: Sequence[Pair], source: Tokenizer, target: Tokenizer) -> tuple[float, float]:
    """Shares of unknown or byte tokens of either side, in an evenly spaced sample of the pairs."""
    some = pairs[:: max(1, len(pairs) // N_LOOKED_AT)]
    return _share([pair.source for pair in some], source), _share([pair.target for pair in some], target)


def spelling_error(shares: tuple[float, float]) -> TrainingError | None:
    """The error for pairs with these shares of unknown or byte tokens; None if they can be trained on."""
    for side, share in zip(SIDES, shares, strict=True):
        if share >= MOST_UNSPELLED:
            return TrainingError(
                f"{share:.0%} of the {side} tokens are unknown or single bytes, so the vocabulary was not made for "
                "this language: train with one that was learned from these pairs (less than "
                f"{MOST_UNSPELLED:.0%} must be so)",
                f"spelling_{side}", share=f"{share:.0%}",
            )  # fmt: skip
    return None


def _share(texts: Sequence[str], tokenizer: Tokenizer) -> float:
    unknown = getattr(tokenizer, "unknown_id", None)
    tokens = [token for cut in map(tokenizer.encode, texts) for token in zip(cut.ids, cut.pieces, strict=True)]
    return sum(number == unknown or is_byte(piece) for number, piece in tokens) / max(1, len(tokens))


def carry_over(rows: Tensor, old: SentencePieceTokenizer, new: SentencePieceTokenizer) -> Tensor:
    """Map embeddings (V_old, D) of one vocabulary to the pieces of another, (V_new, D)."""
    scores = dict(old.pieces())
    old_ids = {piece: index for index, piece in enumerate(scores)}
    spelled = [[old_ids[part] for part in spell(piece, scores)] for piece, _ in new.pieces()]
    return torch.stack([rows[ids or [old.unknown_id]].mean(0) for ids in spelled])


def spell(piece: str, scores: Mapping[str, float]) -> tuple[str, ...]:
    """The most probable segmentation of a piece into pieces of ``scores``; empty if there is none."""
    if piece in scores:
        return (piece,)
    best: list[tuple[float, tuple[str, ...]] | None] = [(0.0, ())]
    for stop in range(1, len(piece) + 1):
        ways = [
            (before[0] + scores[piece[start:stop]], (*before[1], piece[start:stop]))
            for start in range(stop)
            if (before := best[start]) is not None and piece[start:stop] in scores
        ]
        best.append(max(ways, default=None))
    return best[-1][1] if best[-1] is not None else ()

"""The result of a family's module, and how its open questions are answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from model.checkpoints.basis.errors import HintError, UnrecognisedError
from model.checkpoints.basis.hints import Hints
from model.checkpoints.basis.report import Evidence, Question
from model.config import TransformerConfig
from model.text.tokenizer import Tokenizer

SPECIAL_WORDS = {
    "pad": ("<pad>", "[PAD]", "<blank>", "<PAD>", "<pad_token>", "<PADDING>", "<p>", "_PAD_", "PAD", "pad", "P"),
    "bos": ("<s>", "<bos>", "<sos>", "[BOS]", "[SOS]", "<start>", "<BOS>", "<SOS>", "<START>", "<go>", "<GO>", "[CLS]",
            "_SOS_", "SOS", "sos", "BOS", "bos", "S"),
    "eos": ("</s>", "<eos>", "[EOS]", "<end>", "<EOS>", "<END>", "[SEP]", "_EOS_", "EOS", "eos", "E"),
}  # fmt: skip
"""The spellings of special tokens by role, the most common first."""
_WIDE = 128
"""d_model from which a model usually has 8 heads."""
_MOST_HEADS = 64
"""Maximum number of heads offered as a choice; a hint may set more."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """A configuration and tensors under our names, with notes for the report."""

    config: TransformerConfig
    tensors: Mapping[str, Tensor]
    ignored: tuple[str, ...] = ()
    filled: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    source_tokenizer: Tokenizer | None = None
    target_tokenizer: Tokenizer | None = None
    tables: tuple[Tensor | None, Tensor | None] = (None, None)
    """The original's sinusoidal tables for source and target (P, D), exact to the last bit."""
    source_language: str | None = None
    target_language: str | None = None
    limitations: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    """Switches of the original that leave no trace in a file, with the assumed values; see ``Report.assumed``."""
    lines: tuple[str, ...] = ()
    """The table of names, if it was made for this file; see ``Report.lines``."""
    settings: str = ""
    """The name of the settings file that was read, other than those that every family reads."""


@dataclass(frozen=True, slots=True)
class Tokenizers:
    """The tokenizers of both sides, if there are any."""

    source: Tokenizer | None = None
    target: Tokenizer | None = None


@dataclass(slots=True)
class Answers:
    """Answers questions by hints, or by the likely value, and records the questions."""

    hints: Hints
    questions: list[Question] = field(default_factory=list)

    def ask(
        self,
        hint: str,
        likely: Any,
        *,
        choices: Sequence[Any] = (),
        evidence: Sequence[Evidence] = (),
        is_close: bool = False,
    ) -> Any:
        """The hint's value, or the likely one.

        Args:
            is_close: whether a person should answer before anything is shown.
        """
        answer = getattr(self.hints, hint)
        value = likely if answer is None else answer
        choices = choices or (("relu", "gelu", "silu") if hint == "activation" else ())
        if isinstance(answer, str) and choices and answer not in choices:
            raise HintError(f"{hint} ({answer[:40]!r}) must be one of {', '.join(map(str, choices))} for these weights")
        self.questions.append(
            Question(hint, value, tuple(choices), tuple(evidence), is_answered=answer is not None, is_close=is_close)
        )
        return value

    def heads(
        self, width: int, *, likely: int | None = None, narrowest: int | None = None, multiple_of: int = 1
    ) -> tuple[int, int]:
        """Heads of encoder and decoder, which must divide the width of the projections.

        Args:
            width: the width of the projections, or a common divisor of several widths.
            likely: the family's usual number; None means 8, or 4 if the width is below 128.
            narrowest: the width of the narrowest projection, if ``width`` is smaller.
            multiple_of: number of heads that share a key and a value.
        """
        size = narrowest or width
        fitting = (n for n in range(multiple_of, _MOST_HEADS + 1, multiple_of) if width % n == 0)
        choices = tuple(n for n in fitting if n < size or size == 1)
        if likely is None:  # heads are at least as wide as their number
            likely = max(
                (n for n in choices if n <= (8 if size >= _WIDE else 4) and n * n <= size), default=multiple_of
            )
        if likely not in choices:
            likely = max((n for n in choices if n <= likely), default=multiple_of)
        self.questions.append(
            Question("n_heads", self.hints.n_heads or self.hints.n_encoder_heads or likely, choices,
                     (Evidence("heads_divide", (("width", width),)), Evidence("heads_usual", (("value", likely),))),
                     is_answered=self.hints.encoder_heads is not None and self.hints.decoder_heads is not None)
        )  # fmt: skip
        encoder, decoder = self.hints.encoder_heads or likely, self.hints.decoder_heads or likely
        for heads in (encoder, decoder):
            if width % heads or heads % multiple_of:
                shared = f", {multiple_of} of which share each key" if multiple_of > 1 else ""
                raise HintError(
                    f"n_heads ({heads}) must divide the projections' width ({width}){shared}: "
                    f"try {', '.join(map(str, choices))}"
                )
        return encoder, decoder

    def recent_code(self, change: str) -> None:
        """Ask whether the weights are from before a change of the code that no name or shape shows.

        Args:
            change: the commit and its date.
        """
        reason = Evidence("same_names", (("change", change),))
        if self.ask("older_code", False, choices=(False, True), evidence=(reason,)):
            raise UnrecognisedError(
                f"code from before {change} gave its tensors these names and computed something else, which is not "
                "read here: save the attention from that code as a file instead (docs/attention-files.md)"
            )

    def hiding_masks(self) -> None:
        """Ask whether masks are filled with a large negative number, as intended."""
        if not self.ask("masks_hide", True, choices=(True, False)):
            raise UnrecognisedError(
                "masks filled with 1e-20 or -1e-20 hide nothing: each token reads those after it and padding, which is "
                "not read here. Save the attention from that code as a file instead (docs/attention-files.md)"
            )

    def specials(
        self, tokenizers: Tokenizers, shapes: Mapping[str, Any], *, pads: tuple[int, int], bos: int, eos: int
    ) -> dict[str, Any]:
        """Ids of padding, begin and end: from a hint, else from the tokenizer, else the likely ones.

        Args:
            shapes: configuration fields, with the sizes of both vocabularies.
            pads: the likely padding ids of source and target.
            bos: the likely begin id.
            eos: the likely end id.
        """
        source_size, target_size = shapes["source_vocab_size"], shapes["target_vocab_size"]
        ids: dict[str, Any] = {}
        for name, size, tokenizer, role, likely in (
            ("source_pad_id", source_size, tokenizers.source, "pad", pads[0]),
            ("target_pad_id", target_size, tokenizers.target, "pad", pads[1]),
            ("bos_id", target_size, tokenizers.target, "bos", bos),
            ("eos_id", target_size, tokenizers.target, "eos", eos),
        ):
            known = special_id(tokenizer, role)
            if known is not None and known < size and getattr(self.hints, name) is None:
                ids[name] = known
                continue
            value = self.ask(name, min(likely, size - 1))
            if value >= size:
                raise HintError(f"{name} ({value}) must be below {size}, the number of embeddings")
            ids[name] = value
        return ids


def special_id(tokenizer: Tokenizer | None, role: str, *, is_single_stack: bool = False) -> int | None:
    """The id of a special token, ``pad``, ``bos`` or ``eos``; None if the vocabulary has none.

    Args:
        is_single_stack: whether the vocabulary is of one language model: a single letter is a word there, not a mark.
    """
    ids = getattr(tokenizer, "special_ids", None)
    if ids is not None:
        return ids[role] if ids.get(role, -1) >= 0 else None
    tokens: tuple[str, ...] = getattr(tokenizer, "tokens", ())
    words = SPECIAL_WORDS[role]
    if is_single_stack:
        words = (*(word for word in words if len(word) > 1), *(("<|endoftext|>",) if role == "eos" else ()))
    return next((tokens.index(word) for word in words if word in tokens), None)


def embedding_evidence(embedding: Tensor) -> tuple[Evidence, ...]:
    """The standard deviation of an embedding as evidence: if it is near d^-0.5, embeddings are scaled by sqrt(d)."""
    spread = float(embedding[:4096].float().std()) if embedding.numel() > 1 else 0.0
    usual = round(embedding.shape[1] ** -0.5, 4)
    return (Evidence("embedding_spread", (("std", round(spread, 4)), ("usual", usual))),)

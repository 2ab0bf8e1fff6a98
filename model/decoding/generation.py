"""The settings in a model's generation_config.json, as ``generate`` of the transformers library reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from model.errors import RegardError

_MOST_ITEMS = 100_000
_MOST = 10_000_000
_NEUTRAL: dict[str, Any] = {
    "encoder_repetition_penalty": 1.0, "sequence_bias": None, "exponential_decay_length_penalty": None,
    "guidance_scale": 1.0, "stop_strings": None, "max_time": None, "typical_p": 1.0, "epsilon_cutoff": 0.0,
    "eta_cutoff": 0.0, "top_h": None, "penalty_alpha": 0.0, "dola_layers": None, "num_beam_groups": 1,
    "diversity_penalty": 0.0, "watermarking_config": None, "constraints": None, "force_words_ids": None,
    "token_healing": False,
}  # fmt: skip
"""Settings of ``generate`` that change its output and are not implemented here, each with its neutral value."""


class GenerationError(RegardError, ValueError):
    """A generation_config.json with a value of the wrong kind."""


class GenerationWarning(UserWarning):
    """A model's files set something for ``generate`` that is not followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """The settings of ``generate`` that decoding follows, under the library's names and with its defaults."""

    num_beams: int = 1
    do_sample: bool = False
    early_stopping: bool | Literal["never"] = False
    """Whether a beam search ends with ``num_beams`` finished texts; "never": only when none can become better."""
    length_penalty: float = 1.0
    """A finished text of n tokens scores its summed log-probability over n to this power."""
    max_length: int | None = None
    """Tokens at most, the prompt or start token included."""
    max_new_tokens: int | None = None
    min_length: int = 0
    min_new_tokens: int | None = None
    """Takes precedence over ``min_length`` if set."""
    no_repeat_ngram_size: int = 0
    """n-grams of this size may occur only once; 0: any may repeat."""
    encoder_no_repeat_ngram_size: int = 0
    """n-grams of this size in the source or prompt may not occur in the output."""
    repetition_penalty: float = 1.0
    forced_eos_token_id: tuple[int, ...] = ()
    """When the length limit ends a text, its last token is one of these."""
    suppress_tokens: tuple[int, ...] = ()
    begin_suppress_tokens: tuple[int, ...] = ()
    """Forbidden as the first token that is not forced."""
    bad_words_ids: tuple[tuple[int, ...], ...] = ()
    renormalize_logits: bool = False
    temperature: float = 1.0
    top_k: int = 50
    top_p: float = 1.0
    min_p: float = 0.0
    not_followed: tuple[str, ...] = field(default=())
    """Settings that would change the output and are not followed here, such as ``guidance_scale=2.0``."""

    @property
    def followed(self) -> tuple[str, ...]:
        """The settings that differ from the library's defaults and apply only with ``generation="model"``."""
        unused = () if self.do_sample else ("temperature", "top_k", "top_p", "min_p")
        unused += ("early_stopping", "length_penalty") if self.num_beams == 1 else ()
        return tuple(f"{name}={_format_value(value)}" for name, value in self.to_json().items() if name not in unused)

    def new_tokens(self, n_begun: int) -> int:
        """Maximum number of tokens after the ``n_begun`` tokens of a prompt, or the start token of a translation."""
        if self.max_new_tokens is not None:
            return self.max_new_tokens
        return 20 if self.max_length is None else max(1, self.max_length - n_begun)

    def to_json(self) -> dict[str, Any]:
        """The settings in the library's format, without those at its defaults."""
        plain = Generation()
        names = [name for name in self.__dataclass_fields__ if name != "not_followed"]
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(plain, name)}


def generation_of(settings: Mapping[str, Any]) -> Generation:
    """The settings of a generation_config.json, or of a config.json that has them.

    Raises:
        GenerationError: for a value of the wrong kind or out of range.
    """
    values: dict[str, Any] = {}
    for name, least in (("num_beams", 1), ("max_length", 1), ("max_new_tokens", 1), ("min_length", 0),
                        ("min_new_tokens", 0), ("no_repeat_ngram_size", 0), ("encoder_no_repeat_ngram_size", 0),
                        ("top_k", 0)):  # fmt: skip
        values[name] = _number(settings, name, (int,), least, _MOST)
    for name, least, most in (("length_penalty", -1e3, 1e3), ("repetition_penalty", 1e-6, 1e6), ("top_p", 0.0, 1.0),
                              ("temperature", 0.0, 1e6), ("min_p", 0.0, 1.0)):  # fmt: skip
        values[name] = _number(settings, name, (int, float), least, most)
    for name in ("do_sample", "renormalize_logits"):
        values[name] = _flag(settings, name)
    is_never = settings.get("early_stopping") == "never"
    values["early_stopping"] = "never" if is_never else _flag(settings, "early_stopping")
    forced = settings.get("forced_eos_token_id")
    values["forced_eos_token_id"] = _ids("forced_eos_token_id", [forced] if isinstance(forced, int) else forced)
    for name in ("suppress_tokens", "begin_suppress_tokens"):
        values[name] = _ids(name, settings.get(name))
    words = settings.get("bad_words_ids")
    if words is not None:
        values["bad_words_ids"] = tuple(_ids("bad_words_ids", word) or () for word in _list("bad_words_ids", words))
    set_names = [name for name, neutral in _NEUTRAL.items() if settings.get(name, neutral) not in (None, neutral)]
    other = tuple(f"{name}={_format_value(settings[name])}" for name in set_names)
    if values["do_sample"] and (values["num_beams"] or 1) > 1:
        other = ("do_sample with num_beams", *other)
    settled = {name: value for name, value in values.items() if value is not None}
    return Generation(**settled, not_followed=other)


def _error(what: str, rule: str) -> GenerationError:
    return GenerationError(f"{what} of a generation_config.json must be {rule}: correct it, or leave that file out")


def _number(settings: Mapping[str, Any], name: str, kinds: tuple[type, ...], least: float, most: float) -> Any:
    value = settings.get(name)
    if value is not None and (type(value) not in kinds or not least <= value <= most):
        raise _error(f"{name} ({_format_value(value)})", f"a number between {least:g} and {most:g}")
    return value


def _flag(settings: Mapping[str, Any], name: str) -> Any:
    value = settings.get(name)
    if value is not None and not isinstance(value, bool):
        raise _error(f"{name} ({_format_value(value)})", "true or false")
    return value


def _list(name: str, value: Any) -> Sequence[Any]:
    if not isinstance(value, list) or len(value) > _MOST_ITEMS:
        raise _error(name, f"a list of at most {_MOST_ITEMS:,} items")
    return value


def _ids(name: str, value: Any) -> tuple[int, ...] | None:
    if value is None:
        return None
    ids = _list(name, value)
    if any(type(index) is not int or abs(index) > _MOST for index in ids):
        raise _error(name, "a list of token ids")
    return tuple(ids)


def _format_value(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > 128:
        return "a number of more than 38 digits"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."

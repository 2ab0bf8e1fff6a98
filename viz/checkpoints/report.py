"""The report on a checkpoint: its family, the evidence, its size and faults; or why it does not open."""

import streamlit as st

from model import CheckpointError, TokenizerError
from model.checkpoints.answers.kinds import Suspicion
from model.checkpoints.basis import errors
from model.checkpoints.basis.report import FileUse
from model.checkpoints.doctor import Diagnosis, TokenizerFit
from model.inference.reading import kinds_of
from viz.i18n import counts, number, sentences, tr
from viz.plain_text import as_code, escape_markdown, public_message

_GOOD, _NOTE, _BAD = ":green[:material/check:]", ":gray[:material/info:]", ":red[:material/error:]"
_USES = {"used": _GOOD, "ignored": _NOTE, "not_understood": _BAD}
_FEW = 6
_FIELDS = {
    "n_heads": ("n_encoder_heads", "n_decoder_heads"),
    "norm_first": ("encoder_norm_first", "decoder_norm_first"),
    "scale_emb_or_prj": ("embedding_scale", "output_scale"),
}
"""The configuration's fields that an answer sets, where their names differ from the question's."""

_MANY = 12
"""Up to this many names are listed in the message."""
_REASONS: dict[type[Exception], str] = {
    errors.MappingError: "mapped",
    errors.UnusedError: "unused",
    errors.ChangedCodeError: "changed",
    errors.TensorsError: "tensors",
    errors.FamilyError: "family",
    errors.QuantisedError: "quantised",
    errors.AdapterError: "adapter",
    errors.NewerError: "newer",
    errors.UnshownError: "known",
    errors.LackingPartError: "part",
    errors.UnrecognisedError: "files",
    errors.CodeError: "code",
    errors.UnsafeFileError: "damaged",
    errors.LimitError: "limit",
    errors.ConfinementError: "system",
    errors.HintError: "answer",
    TokenizerError: "tokens",
    CheckpointError: "settings",
}
"""Checked in this order; any other error is about the configuration."""


def problem(error: Exception, suspicion: Suspicion | None = None) -> None:
    """Draw the error, with the names of all tensors that do not fit."""
    reason = next((name for kind, name in _REASONS.items() if isinstance(error, kind)), "settings")
    if reason == "family" and suspicion is not None and suspicion.advice == "recurrent":
        reason = "recurrent"
    lists = (error.missing, error.unexpected, error.misshapen) if isinstance(error, errors.TensorsError) else ()
    counts = dict(zip(("missing", "unexpected", "misshapen"), map(len, lists), strict=False))
    with st.container(border=True, key="mishap"):
        st.markdown(f"**{tr('frame.error_model')}**")
        st.text(tr(f"refusal.{reason}", **counts))
        st.caption(tr("refusal.detail"))
        st.text(public_message(error))
    for names in lists:
        if len(names) > _MANY:
            st.code("\n".join(names), language=None, height=220)


def report(diagnosis: Diagnosis) -> None:
    """Draw the report."""
    st.subheader(tr("checkpoints.is", family=family_name(diagnosis.bundle.family)))
    marks = "  ".join(map(as_code, diagnosis.report.recognised_by))
    st.caption(f"{tr('checkpoints.known_by')}  {marks}")
    _numbers(diagnosis)
    if diagnosis.guesses:
        names = tr("checkpoints.comma").join(tr(f"checkpoints.ask_{hint}") for hint in diagnosis.guesses)
        st.markdown(f":orange[:material/help:] {tr('checkpoints.guessed', names=names)}")
    st.markdown("  \n".join(_checks(diagnosis)))
    if diagnosis.report.stated:
        names = tr("checkpoints.comma").join(map(as_code, diagnosis.report.stated))
        st.markdown(f"{_GOOD} {sentences(tr('checkpoints.told'), names)}")
    for key, settings in (
        ("chosen_here", diagnosis.report.left_to_choose),
        ("unfollowed", diagnosis.report.not_followed),
    ):
        if settings:
            names = tr("checkpoints.comma").join(map(as_code, settings))
            st.markdown(f"{_NOTE} {sentences(tr(f'checkpoints.generation_{key}'), names)}")
    _draw_assumptions(diagnosis)
    _trial(diagnosis)
    if diagnosis.report.limitations:
        st.caption(tr("checkpoints.limits_of"))
        st.caption("\n".join(f"- {tr(f'checkpoints.cannot_{key}')}" for key in diagnosis.report.limitations))
    _files(diagnosis)
    guessed = {field for hint in diagnosis.guesses for field in _FIELDS.get(hint, (hint,))}
    with st.expander(tr("checkpoints.configuration")):
        lines = (f"{name:24} {value}{_mark(name in guessed)}" for name, value in diagnosis.configuration)
        st.code("\n".join(lines), language=None)


def family_name(family: str) -> str:
    """The name of a family, translated."""
    if family.startswith("huggingface/"):
        return tr("checkpoints.family_huggingface", kind=escape_markdown(family.partition("/")[2]))
    return tr(f"checkpoints.family_{family}")


def _mark(is_guess: bool) -> str:
    return f" ({tr('checkpoints.guess')})" if is_guess else ""


def _draw_assumptions(diagnosis: Diagnosis) -> None:
    """Draw the settings that leave no trace in a file: as a line where they are few, else as a list to unfold."""
    names = tr("checkpoints.comma").join(map(as_code, diagnosis.report.assumed))
    if not names:
        return
    if len(diagnosis.report.assumed) <= _FEW:
        st.markdown(f"{_NOTE} {sentences(tr('checkpoints.assumed'), names)}", help=tr("checkpoints.assumed_help"))
        return
    with st.expander(tr("checkpoints.assumed_many", settings=len(diagnosis.report.assumed)), icon=":material/info:"):
        st.markdown(f"{tr('checkpoints.assumed_help')}  \n{names}")


def _trial(diagnosis: Diagnosis) -> None:
    """Draw a sentence and its translation, for the reader to judge."""
    trial = diagnosis.trial
    if trial is None:
        return
    judge = (
        "table" if diagnosis.bundle.family in ("mapped", "named") else "answers" if diagnosis.questions else "trained"
    )
    with st.container(border=True, key="checkpoint_trial", gap="small"):
        st.caption(tr("checkpoints.trial" if trial.is_text else "checkpoints.trial_ids"))
        st.markdown(
            f"{escape_markdown(trial.source)}  \n:material/arrow_forward: **{escape_markdown(trial.target) or '—'}**"
        )
        if not trial.target:
            st.markdown(f"{_BAD} {tr('checkpoints.trial_empty')}")
            return
        cut = tr("checkpoints.trial_cut") if trial.is_cut else ""
        share = tr("checkpoints.trial_probability", share=number(100 * trial.probability, ".0f"))
        st.caption(sentences(share, cut, tr(f"checkpoints.trial_{judge}")))


def _files(diagnosis: Diagnosis) -> None:
    """Draw a line for each file: used, ignored or not understood, and why."""
    files = diagnosis.report.files
    if not files:
        return
    st.markdown(f"**{tr('checkpoints.files')}**")
    st.markdown("  \n".join(map(_file, files)))


def _file(file: FileUse) -> str:
    write = counts if file.key == "length" else escape_markdown
    why = tr(f"checkpoints.file_{file.key}", **{name: write(value) for name, value in file.values})
    return f"{_USES[file.use]} {as_code(file.name)} {tr(f'checkpoints.file_is_{file.use}')}{why}"


def _numbers(diagnosis: Diagnosis) -> None:
    config = diagnosis.bundle.config
    kinds = kinds_of(diagnosis.bundle)
    stacks = [(config.n_encoder_layers, config.n_encoder_heads, config.source_vocab_size)] * ("encoder_self" in kinds)
    stacks += [(config.n_decoder_layers, config.n_decoder_heads, config.target_vocab_size)] * ("decoder_self" in kinds)
    layers, heads, sizes = (list(counts) for counts in zip(*stacks, strict=True))
    shape = tr("checkpoints.shape_value", layers="+".join(map(str, layers)),
               heads="/".join(map(str, sorted(set(heads))))) + _mark("n_heads" in diagnosis.guesses)  # fmt: skip
    rows = (
        ("parameters", _millions(diagnosis.n_parameters)),
        ("memory", megabytes(diagnosis.n_bytes)),
        ("shape", shape),
        ("width", number(config.d_model)),
        ("vocabulary", " / ".join(map(number, dict.fromkeys(sizes)))),
    )
    with st.container(horizontal=True, gap="medium", key="checkpoint_numbers"):
        for key, value in rows:
            with st.container(width="content", gap=None):
                st.caption(tr(f"checkpoints.{key}"))
                st.markdown(f"**{value}**")


def megabytes(n_bytes: int) -> str:
    """A size in memory; small ones with one more digit."""
    size = n_bytes / 2**20
    return tr("checkpoints.megabytes", size=number(size, ",.1f") if size >= 0.1 else number(size, ".2f"))


def _millions(count: int) -> str:
    return f"{number(count / 1e6, ',.1f')} M" if count >= 100_000 else number(count)


def _checks(diagnosis: Diagnosis) -> list[str]:
    ignored = ", ".join(map(as_code, diagnosis.report.ignored))
    family = diagnosis.bundle.family
    key = "unmapped" if family in ("mapped", "named") else "of_heads" if family.startswith("huggingface/") else "used"
    used = tr(f"checkpoints.tensors_{key}", names=ignored) if ignored else tr("checkpoints.tensors_all")
    lines = [f"{_GOOD} {used}"]
    if diagnosis.report.outside:
        names = ", ".join(map(as_code, diagnosis.report.outside[:6]))
        lines.append(f"{_NOTE} {tr('checkpoints.tensors_outside', names=names)}")
    if diagnosis.report.filled:
        lines.append(f"{_NOTE} {tr('checkpoints.tensors_filled', filled=len(diagnosis.report.filled))}")
    if diagnosis.not_finite:
        names = ", ".join(map(as_code, diagnosis.not_finite[:6]))
        lines.append(f"{_BAD} {tr('checkpoints.not_finite', names=names)}")
    else:
        lines.append(f"{_GOOD} {tr('checkpoints.finite')}")
    first, error = diagnosis.first_pass, number(diagnosis.first_pass.largest_error, ".1e")
    if first.is_good:
        lines.append(f"{_GOOD} {tr('checkpoints.rows', rows=number(first.n_rows), error=error)}")
    else:
        lines.append(f"{_BAD} {tr('checkpoints.rows_bad', error=error)}")
    kinds = kinds_of(diagnosis.bundle)
    for fit, kind in zip(diagnosis.tokenizers, ("encoder_self", "decoder_self"), strict=True):
        if kind in kinds:
            lines.append(_fit(fit))
    return lines


def _fit(fit: TokenizerFit) -> str:
    side = tr(f"checkpoints.side_{fit.side}")
    if fit.n_tokens is None:
        return f"{_NOTE} {tr('checkpoints.tokens_none', side=side)}"
    if fit.disagreements:
        return f"{_BAD} {tr('checkpoints.tokens_disagree', side=side, roles=', '.join(fit.disagreements))}"
    if fit.is_good:
        return f"{_GOOD} {tr('checkpoints.tokens_fit', side=side, tokens=number(fit.n_tokens))}"
    is_more = fit.n_tokens > fit.n_embeddings
    words = tr(
        "checkpoints.tokens_more" if is_more else "checkpoints.tokens_fewer",
        side=side,
        tokens=number(fit.n_tokens),
        embeddings=number(fit.n_embeddings),
    )
    return f"{_BAD if is_more else _NOTE} {words}"

"""Questions about settings that a checkpoint does not contain: a field for each, with its likely value and evidence."""

import itertools
from typing import Any

import streamlit as st

from model.checkpoints.answers.answer_losses import can_weigh
from model.checkpoints.basis.report import Question
from model.text.language_codes import main_language
from viz.checkpoints import draft as checkpoint_draft
from viz.checkpoints.draft import Draft
from viz.i18n import number, tr
from viz.plain_text import markdown_table
from viz.state import clicks, session

_SCALES = "embedding_scale"
_CHOSEN = ("causal", "n_heads", "fused_by_head", "alibi")
"""Questions without a default answer; for others the default is filled in, to be confirmed."""
_NAMED = ("norm_first", "parallel", "gate_last")
"""Boolean questions whose answers have names other than yes and no."""
_TABLES = {"head_rows": ("answer", "nats"), "fused_rows": ("answer", "nats"),
           "head_entropy": ("heads", "entropy"), "own_loss": ("answer", "loss"), "text_loss": ("answer", "loss"),
           "given_loss": ("answer", "loss")}  # fmt: skip
"""Evidence that compares answers: its key, and the names of the answer and the score among its values."""
_TRANSLATIONS = {"fr": "Le chat dort sur le lit.", "de": "Die Katze schläft auf dem Bett.", "zh": "猫在床上睡觉。",
                 "es": "El gato duerme en la cama."}  # fmt: skip
_SENTENCE = "The cat is sleeping on the bed."


def first(draft: Draft) -> None:
    """Draw the questions to answer before the model is used: those with several nearly equally likely answers."""
    close = _waiting(draft)
    if not close:
        return
    with st.form("checkpoint_first", border=True):
        st.markdown(f":orange[:material/help:] **{tr('checkpoints.first')}**")
        st.caption(tr("checkpoints.first_lead"))
        answers = {}
        for question in close:
            if question.hint in _CHOSEN:
                st.caption(tr(f"checkpoints.first_{question.hint}"))
                answers[question.hint] = _choice(question, draft)
        usual = [question for question in close if question.hint not in _CHOSEN]
        for question, column in zip(usual, itertools.cycle(st.columns(2)), strict=False):
            with column:
                answers[question.hint] = _field(question, draft)
                _reasons(question)
        is_sent = clicks.submit_button(
            tr("checkpoints.confirm"), type="primary", key="checkpoint_first_answer", about=draft.version
        )
        if is_sent and None in answers.values():
            st.caption(f":red[{tr('checkpoints.first_choose')}]")
        elif is_sent:
            checkpoint_draft.look(draft, answers)
            st.rerun()


def _waiting(draft: Draft) -> list[Question]:
    """The unanswered questions without a clearly best answer."""
    assert draft.diagnosis is not None
    return [question for question in draft.diagnosis.questions if question.is_close and not question.is_answered]


def _choice(question: Question, draft: Draft) -> Any:
    """Draw the answers with their scores, likelier first, none selected; untried ones come last."""
    evidence = _scores(question)
    tried = list(dict.fromkeys(answer for scores in evidence.values() for answer in scores))
    answers = tuple(dict.fromkeys((*tried, *question.choices)))
    key = f"first_{question.hint}"
    session.seed_widget(key, None, draft.version)
    return st.radio(
        tr(f"checkpoints.ask_{question.hint}"),
        answers,
        index=None,
        format_func=lambda answer: _answer(question, answer),
        captions=[_score(evidence, answer) for answer in answers] if evidence else None,
        key=key,
    )


def _scores(question: Question) -> dict[str, dict[Any, float]]:
    """For each kind of evidence that compares answers, the score of each answer."""
    scores: dict[str, dict[Any, float]] = {}
    for reason in question.evidence:
        if reason.key in _TABLES:
            values = dict(reason.values)
            answer, number = _TABLES[reason.key]
            scores.setdefault(reason.key, {})[values[answer]] = values[number]
    return scores


def _score(evidence: dict[str, dict[Any, float]], answer: Any) -> str:
    """The scores of an answer, in one line."""
    texts = [
        tr(f"checkpoints.score_{key}", value=number(scores[answer], ".1f" if key.endswith("_rows") else ".3f"))
        for key, scores in evidence.items()
        if answer in scores
    ]
    return " · ".join(texts) or tr("checkpoints.score_none")


def questions(draft: Draft) -> None:
    """Draw the form; an answer opens the checkpoint again."""
    assert draft.diagnosis is not None
    waiting = _waiting(draft)
    others = [question for question in draft.diagnosis.questions if question not in waiting]
    if not others:
        return
    with (
        st.expander(tr("checkpoints.asked"), icon=":material/tune:", key="checkpoint_rest"),
        st.form("checkpoint_questions", border=False),
    ):
        st.caption(tr("checkpoints.asked_lead"))
        columns = st.columns(2)
        answers = {}
        for index, question in enumerate(others):
            with columns[index % 2]:
                answers[question.hint] = _field(question, draft)
                _reasons(question)
        if clicks.submit_button(tr("checkpoints.answer"), type="primary", key="checkpoint_answer", about=draft.version):
            checkpoint_draft.look(draft, answers)
            st.rerun()


def tokens(draft: Draft) -> None:
    """Draw the uploads of both vocabularies, unfolded where one is missing and no question is open."""
    assert draft.diagnosis is not None
    lacks = any(fit.n_tokens is None for fit in draft.diagnosis.tokenizers)
    with st.expander(tr("checkpoints.add_tokens"), expanded=lacks and not draft.diagnosis.questions):
        st.caption(tr("checkpoints.add_tokens_help"))
        for side, column in zip(("source", "target"), st.columns(2), strict=True):
            with column:
                label = tr(f"checkpoints.tokens_{side}")
                file = st.file_uploader(label, key=f"tokens_{side}_{draft.number}", max_upload_size=64)
            if file is not None and file.file_id not in draft.token_ids:
                checkpoint_draft.add_tokens(draft, side, file)
                st.rerun()


def _field(question: Question, draft: Draft) -> Any:
    label, key, value = tr(f"checkpoints.ask_{question.hint}"), f"ask_{question.hint}", question.value
    if isinstance(value, bool):
        session.seed_widget(key, value, draft.version)
        return st.radio(
            label, (False, True), format_func=lambda answer: _answer(question, answer), key=key, horizontal=True
        )
    if question.hint == _SCALES:
        session.seed_widget(key, float(value), draft.version)
        return st.number_input(label, step=1.0, format="%.4f", key=key)
    if question.choices:
        choices = tuple(dict.fromkeys((*question.choices, value)))
        session.seed_widget(key, value, draft.version)
        return st.selectbox(label, choices, format_func=lambda answer: _answer(question, answer), key=key)
    assert draft.diagnosis is not None
    config = draft.diagnosis.bundle.config
    size = config.source_vocab_size if question.hint.startswith("source") else config.target_vocab_size
    session.seed_widget(key, int(value), draft.version)
    return int(st.number_input(label, 0, size - 1, key=key))


def weigh(draft: Draft) -> None:
    """Draw the form for a sentence and its translation, whose loss under each answer is strong evidence."""
    assert draft.diagnosis is not None
    diagnosis = draft.diagnosis
    bundle = diagnosis.bundle
    if getattr(bundle.config, "is_single_stack", False) or not any(map(can_weigh, diagnosis.questions)):
        return
    source, target = map(main_language, (bundle.source_language, bundle.target_language))
    likely = _TRANSLATIONS.get(target, "") if source == "en" else ""
    with st.expander(tr("checkpoints.weigh"), icon=":material/balance:", key="checkpoint_weigh"):
        st.caption(tr("checkpoints.weigh_help"))
        with st.form("checkpoint_pair", border=False):
            session.seed_widget("weigh_source", _SENTENCE if likely else "", draft.number)
            session.seed_widget("weigh_target", likely, draft.number)
            source = st.text_input(tr("checkpoints.weigh_source"), key="weigh_source")
            target = st.text_input(tr("checkpoints.weigh_target"), key="weigh_target")
            is_sent = clicks.submit_button(tr("checkpoints.weigh_do"), key="weigh_do", about=draft.version)
            if is_sent and source.strip() and target.strip():
                checkpoint_draft.weigh(draft, source, target)


def _reasons(question: Question) -> None:
    """Draw the evidence for a value: sentences in one line, and scores that compare answers as a small table."""
    tables = _scores(question)
    reasons = [tr(f"checkpoints.because_{reason.key}", **dict(reason.values))
               for reason in question.evidence if reason.key not in _TABLES]  # fmt: skip
    if reasons:
        st.caption(" · ".join(reasons))
    if tables:
        answers = list(dict.fromkeys(answer for scores in tables.values() for answer in scores))
        best = {key: min(scores.values()) if key != "head_entropy" else None for key, scores in tables.items()}
        rows = ((_answer(question, answer), *(_cell(scores.get(answer), best[key]) for key, scores in tables.items()))
                for answer in answers)  # fmt: skip
        st.caption(markdown_table(["", *(tr(f"checkpoints.because_{key}") for key in tables)], rows))


def _answer(question: Question, answer: Any) -> str:
    """The label of an answer."""
    if question.hint in _NAMED:
        return tr(f"checkpoints.{question.hint}_{'yes' if answer else 'no'}")
    kind = question.hint.removeprefix("encoder_").removeprefix("decoder_")
    if kind in ("norm_kind", "positions", "scale_emb_or_prj", "score_width"):
        return tr(f"checkpoints.{kind}_{answer}")
    if isinstance(answer, bool):
        return tr("checkpoints.yes") if answer else tr("checkpoints.no")
    return number(answer, ".4g") if isinstance(answer, float) else str(answer)


def _cell(loss: float | None, best: float | None) -> str:
    """A score in the table; the smallest loss is bold."""
    if loss is None:
        return ""
    written = number(loss, ".3f")
    return f"**{written}**" if loss == best else written

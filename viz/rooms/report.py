"""What a teacher takes home: counts and shares, never a device."""

from __future__ import annotations

import csv
import io
import time

from viz.rooms.questions import Question
from viz.rooms.room import Room

COLUMNS = ("question", "answer", "is_right", "votes", "share", "opened_utc")
BEFORE, AFTER = "quiz.before", "quiz.after"


def votes_csv(room: Room, language: str) -> str:
    """One line an answer of each question that was asked; quiz items by their names."""
    rows = [row for question in room.asked() for row in _rows(question, room, language)]
    return _written(COLUMNS, rows)


def learning_csv(room: Room) -> str:
    """One line a quiz item: the share that was right before and after, of all, and of those who answered both times."""
    asked = {question.id: question for question in room.asked()}
    if BEFORE not in asked or AFTER not in asked:
        return _written(_LEARNING, [])
    votes = {name: room.votes(name) for name in (BEFORE, AFTER)}
    rows = []
    for place, item in enumerate(asked[BEFORE].items):
        found = {
            name: {key.rpartition(".")[0]: vote == f"{place}.{item.right}" for key, vote in table.items()
                   if key.endswith(f".{place}")}
            for name, table in votes.items()
        }  # fmt: skip
        both = found[BEFORE].keys() & found[AFTER].keys()
        shares = [_share([found[name][device] for device in found[name]]) for name in (BEFORE, AFTER)]
        paired = [_share([found[name][device] for device in both]) for name in (BEFORE, AFTER)]
        rows.append([item.id, len(found[BEFORE]), shares[0], len(found[AFTER]), shares[1], len(both), *paired])
    return _written(_LEARNING, rows)


_LEARNING = (
    "item", "n_before", "right_before", "n_after", "right_after", "n_both", "right_before_of_both",
    "right_after_of_both",
)  # fmt: skip


def _rows(question: Question, room: Room, language: str) -> list[list[object]]:
    tally, opened = room.tally(question.id), time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(question.opened))
    if question.kind != "quiz":
        total = sum(tally.values())
        answers = question.options.get(language, ())
        keys = [str(i) for i in range(len(answers))] or sorted(tally)
        names = {key: answers[int(key)] for key in keys} if answers else {}
        return [
            [question.id, names.get(key, key), _mark(question.right, key), tally.get(key, 0),
             _share([True] * tally.get(key, 0) + [False] * (total - tally.get(key, 0))), opened]
            for key in keys
        ]  # fmt: skip
    rows: list[list[object]] = []
    for place, item in enumerate(question.items):
        counts = [tally.get(f"{place}.{i}", 0) for i in range(len(item.options[language]))]
        for i, (words, n) in enumerate(zip(item.options[language], counts, strict=True)):
            share = _share([True] * n + [False] * (sum(counts) - n))
            rows.append([f"{question.id}.{item.id}", words, i == item.right, n, share, opened])
    return rows


def _mark(right: str, key: str) -> str:
    return "" if not right else str(right == key)


def _share(marks: list[bool]) -> str:
    return f"{sum(marks) / len(marks):.4f}" if marks else ""


def _written(columns: tuple[str, ...], rows: list[list[object]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return stream.getvalue()


def _safe(cell: object) -> object:
    """Text that a spreadsheet does not take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@") else cell

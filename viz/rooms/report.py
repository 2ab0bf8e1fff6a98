"""The teacher's tables after a class: counts and shares, without device names."""

import csv
import io
import time
from collections.abc import Collection, Iterator, Mapping, Sequence

from viz.rooms.questions import AFTER, BEFORE, Question
from viz.rooms.room import Room
from viz.spreadsheets import plain

COLUMNS = ("question", "answer", "is_right", "votes", "share", "measured", "opened_utc")


def votes_csv(room: Room, language: str) -> str:
    """One line for each answer of each question, without votes by show of hands and written words; quiz items by
    name."""
    counted = [q for q in room.asked_questions() if not q.by_hands and q.kind != "write"]
    rows = [row for question in counted for row in _rows(question, room, language)]
    return _write_csv(COLUMNS, rows)


def learning_csv(room: Room) -> str:
    """One line for each item of both quizzes: right answers before and after, of all devices and of those that answered
    both. The quizzes may differ in length, if the teacher changed the route between them."""
    questions, rows = {question.id: question for question in room.asked_questions()}, []
    if BEFORE in questions and AFTER in questions:
        marked = [_marks(questions[name], room.votes(name)) for name in (BEFORE, AFTER)]
        for item in questions[BEFORE].items:
            if item.id in marked[1]:
                before, after = (by_item[item.id] for by_item in marked)
                both = before.keys() & after.keys()
                paired = (_share([marks[device] for device in both]) for marks in (before, after))
                rows.append([item.id, len(before), _share(before.values()), len(after), _share(after.values()),
                             len(both), *paired])  # fmt: skip
    return _write_csv(_LEARNING, rows)


def _marks(question: Question, votes: Mapping[str, str]) -> dict[str, dict[str, bool]]:
    """For each item of a quiz, whether each device has answered it right."""
    return {
        item.id: {
            key.rpartition(".")[0]: vote == f"{place}.{item.right}"
            for key, vote in votes.items()
            if key.endswith(f".{place}")
        }
        for place, item in enumerate(question.items)
    }


_LEARNING = (
    "item", "n_before", "right_before", "n_after", "right_after", "n_both", "right_before_of_both",
    "right_after_of_both",
)  # fmt: skip


def _rows(question: Question, room: Room, language: str) -> list[list[object]]:
    tally, opened = room.tally(question.id), time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(question.opened))
    if question.kind == "quiz":
        return [row for place in range(len(question.items)) for row in _item(question, place, tally, language, opened)]
    answers, total = _answers(question, language), sum(tally.values())
    measured = question.measured or ("",) * len(answers)
    return [
        [question.id, name, str(question.right == key) if question.right else "", tally.get(key, 0),
         _portion(tally.get(key, 0), total), worth, opened]
        for (key, name), worth in zip(answers.items(), measured, strict=True)
    ]  # fmt: skip


def _answers(question: Question, language: str) -> dict[str, str]:
    """Each possible vote and its name: an option, a numbered token, or a layer and head counted as on screen."""
    if question.kind == "head":
        layers, heads, first = *question.shape, question.first
        pairs = [(layer, head) for layer in range(layers) for head in range(heads)]
        return {f"{layer}.{head}": f"{layer + first}.{head + first}" for layer, head in pairs}
    names = question.options[language]
    is_token = question.kind == "source"
    return {str(i): f"{i + 1} {name}" if is_token else name for i, name in enumerate(names)}


def _item(
    question: Question, place: int, tally: dict[str, int], language: str, opened: str
) -> Iterator[list[object]]:  # fmt: skip
    item = question.items[place]
    counts = [tally.get(f"{place}.{i}", 0) for i in range(len(item.options[language]))]
    for i, (words, n) in enumerate(zip(item.options[language], counts, strict=True)):
        yield [f"{question.id}.{item.id}", words, i == item.right, n, _portion(n, sum(counts)), "", opened]


def _portion(n: int, total: int) -> str:
    return f"{n / total:.4f}" if total else ""


def _share(marks: Collection[bool]) -> str:
    return _portion(sum(marks), len(marks))


def _write_csv(columns: tuple[str, ...], rows: Sequence[Sequence[object]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerows([plain(cell) if isinstance(cell, str) else cell for cell in row] for row in [columns, *rows])
    return stream.getvalue()

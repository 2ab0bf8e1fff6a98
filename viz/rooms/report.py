"""The teacher's tables after a class: counts and shares, without device names."""

import csv
import io
import time
from collections.abc import Iterator, Sequence

from viz.rooms.questions import AFTER, BEFORE, Question
from viz.rooms.room import Room
from viz.spreadsheets import plain

COLUMNS = ("question", "answer", "is_right", "votes", "share", "measured", "opened_utc")


def votes_csv(room: Room, language: str) -> str:
    """One line for each answer of each question; quiz items by name. Votes by show of hands and written words are left
    out."""
    counted = [q for q in room.asked_questions() if not q.by_hands and q.kind != "write"]
    rows = [row for question in counted for row in _rows(question, room, language)]
    return _written(COLUMNS, rows)


def learning_csv(room: Room) -> str:
    """One line for each item of both quizzes: right answers before and after, of all devices and of those that answered
    both. The quizzes may differ in length, if the teacher changed the route between them."""
    questions = {question.id: question for question in room.asked_questions()}
    if BEFORE not in questions or AFTER not in questions:
        return _written(_LEARNING, [])
    votes = {name: room.votes(name) for name in (BEFORE, AFTER)}
    rows = []
    places = {name: {item.id: place for place, item in enumerate(questions[name].items)} for name in votes}
    for item in questions[BEFORE].items:
        if item.id not in places[AFTER]:
            continue
        place = {name: places[name][item.id] for name in votes}
        right = {name: f"{place[name]}.{questions[name].items[place[name]].right}" for name in votes}
        is_right = {
            name: {key.rpartition(".")[0]: vote == right[name] for key, vote in table.items()
                   if key.endswith(f".{place[name]}")}
            for name, table in votes.items()
        }  # fmt: skip
        both = is_right[BEFORE].keys() & is_right[AFTER].keys()
        shares = [_share([is_right[name][device] for device in is_right[name]]) for name in (BEFORE, AFTER)]
        paired = [_share([is_right[name][device] for device in both]) for name in (BEFORE, AFTER)]
        rows.append([item.id, len(is_right[BEFORE]), shares[0], len(is_right[AFTER]), shares[1], len(both), *paired])
    return _written(_LEARNING, rows)


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


def _share(marks: list[bool]) -> str:
    return f"{sum(marks) / len(marks):.4f}" if marks else ""


def _written(columns: tuple[str, ...], rows: Sequence[Sequence[object]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerows([plain(cell) if isinstance(cell, str) else cell for cell in row] for row in [columns, *rows])
    return stream.getvalue()

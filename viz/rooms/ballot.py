"""The question that a class is asked, and its votes.

Asked questions and their final states are append-only tables; the question on the phones is a field, changed by
compare-and-set. A revealed question that leaves the phones is kept in a second field, set in the same step, and is
copied to its table before the next one replaces it: so none is lost in between.
"""

import dataclasses
import gzip
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from viz.rooms.door import Door, RoomError
from viz.rooms.questions import Question


@dataclass(frozen=True, slots=True)
class Ballot(Door):
    """The part of a room that asks a question at a time and counts one vote of each phone."""

    def question(self) -> Question | None:
        """The question that is open or revealed, or None."""
        return Question.from_json(self.store.get(self.code).get("question", ""))

    def asked_questions(self) -> list[Question]:
        """Every question that was asked, in order, with what is known of it since it was revealed."""
        begun, now = self.store.table(self.code, "asked").values(), self.question()
        states = [*filter(None, map(Question.from_json, begun)), *self._ended()]
        by_id = {question.id: question for question in states}
        if now is not None and now.is_revealed:
            by_id[now.id] = now
        return sorted(by_id.values(), key=lambda question: question.number)

    def ask(self, question: Question) -> None:
        """Open a question on the phones; it replaces the one before. One that is open already stays as it is."""
        before = Question.from_json(self.store.value(self.code, "asked", question.id) or "")
        number = before.number if before else self.store.count(self.code, "asked")
        times_ended = sum(ended.id == question.id for ended in self._ended()) if before else 0
        question = dataclasses.replace(
            question, opened=time.time(), number=number, again=times_ended, is_revealed=False, is_explained=False
        )
        self.store.once(self.code, "asked", question.id, question.to_json())
        self._change(lambda now: now if now and now.id == question.id else question, hidden="")

    def restore_question(self, question: Question) -> None:
        """Show an earlier question on the phones again in its last state, with its votes, open or closed."""
        restored = dataclasses.replace(question, again=question.again + 1)
        self._change(lambda now: now if now and now.id == question.id else restored, hidden="")

    def store_results(self, question_id: str, *, right: str, measured: tuple[float, ...]) -> None:
        """Store the results that were computed while the class was thinking; phones receive them after the reveal."""
        self.restate(question_id, right=right, measured=measured)

    def reveal(self, question_id: str = "") -> None:
        """Close the vote on a question (empty: whichever is open) and show everyone its result. The right answer comes
        with ``explain``. A question opened meanwhile in another tab stays as it is."""
        self.restate(question_id, is_revealed=True)

    def restate(self, question_id: str, **fields: Any) -> None:
        """Replace fields of a question, such as its sentence and texts; votes and state stay."""
        self._replace(question_id, lambda question: dataclasses.replace(question, **fields))

    def limit(self, question_id: str, seconds: float) -> None:
        """End the vote on an open question after ``seconds``; later votes are refused."""
        closes = time.time() + seconds
        self._replace(question_id, lambda now: now if now.is_revealed else dataclasses.replace(now, closes=closes))

    def explain(
        self, question_id: str, *, why: Mapping[str, str] | None = None, said: Mapping[str, str] | None = None,
        replies: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:  # fmt: skip
        """Show everyone the right answer, with the reason (``why``), the reason in one sentence (``said``) and the
        replies to each answer, by language; None keeps the question's. A vote that is still open is closed."""
        texts = {"why": why, "said": said, "replies": replies}
        replaced = {name: dict(words) for name, words in texts.items() if words}
        self.restate(question_id, is_revealed=True, is_explained=True, **replaced)

    def drop_question(self, question_id: str = "") -> None:
        """Remove the question from the phones; with an id, only that question."""
        self._replace(question_id, lambda question: None)

    def vote(self, device: str, question_id: str, vote: str) -> None:
        """Count a device's first answer, or last written word; raises RoomError: "closed", "invalid" or "twice"."""
        fields = self.store.get(self.code)
        question = Question.from_json(fields.get("question", ""))
        if question is None or question.id != question_id or not question.is_open or fields["paused"]:
            raise RoomError("closed")
        if not question.admits(vote):
            raise RoomError("invalid")
        if question.kind == "write":
            self.store.put(self.code, f"votes:{question_id}", device, vote)
        elif not self.store.once(self.code, f"votes:{question_id}", question.place(device, vote), vote):
            raise RoomError("twice")

    def drop_vote(self, question_id: str, device: str) -> None:
        """Delete a device's word; while the question is open, the device may write another."""
        self.store.remove(self.code, f"votes:{question_id}", device)

    def show_words(self, question_id: str, name: str, words: bytes) -> None:
        """Close a question of kind "write" and show the class's words (JSON) on all screens, as a blob with a new
        name."""
        self.store.put_blob(self.code, name, gzip.compress(words, 6, mtime=0))
        self.restate(question_id, is_revealed=True, words_shown=name)

    def counted_vote(self, device: str, question_id: str, vote: str) -> str | None:
        """A device's counted vote; of a quiz, the one on the item that ``vote`` is about. None without one."""
        question = Question.from_json(self.store.value(self.code, "asked", question_id) or "")
        if question is None:
            return None
        return self.store.value(self.code, f"votes:{question_id}", question.place(device, vote))

    def n_votes(self, question_id: str) -> int:
        """How many have voted."""
        return self.store.count(self.code, f"votes:{question_id}")

    def counted(self) -> tuple[int, int]:
        """How many phones are expected to answer, without those that left before, and how many have answered fully."""
        question = self.question()
        votes = {} if question is None else self.votes(question.id)
        n_votes = len(votes) // max(1, len(question.items) if question else 0)
        return self.n_devices() - len(self.away() - {place.partition(".")[0] for place in votes}), n_votes

    def tally(self, question_id: str) -> dict[str, int]:
        """How many votes each answer has."""
        return dict(Counter(self.votes(question_id).values()))

    def shares(self, quiz: str, ids: Sequence[str]) -> list[float]:
        """The share of right answers to some items of a quiz, 0 to 1. Empty when nobody has answered, or when the quiz
        lacks an item because the teacher changed the route between the quizzes."""
        question = Question.from_json(self.store.value(self.code, "asked", quiz) or "")
        places = {item.id: place for place, item in enumerate(question.items)} if question else {}
        if question is None or not places.keys() >= set(ids):
            return []
        tally, items = self.tally(quiz), [(places[name], question.items[places[name]]) for name in ids]
        totals = [sum(n for vote, n in tally.items() if vote.startswith(f"{i}.")) for i, _ in items]
        rights = [tally.get(f"{i}.{item.right}", 0) for i, item in items]
        return [right / max(1, n) for right, n in zip(rights, totals, strict=True)] if any(totals) else []

    def _ended(self) -> list[Question]:
        """The states of questions that have left the phones; for one asked several times, the newest comes last."""
        latest = _last_revealed(self.store.get(self.code))  # first: it is copied to the table before it is replaced
        table = latest | self.store.table(self.code, "revealed")
        ended = [(key, question) for key, text in table.items() if (question := Question.from_json(text))]
        # Earlier versions wrote a question under its id alone, and wrote it again with each change.
        return [question for _, question in sorted(ended, key=lambda pair: (pair[1].again, pair[0] != pair[1].id))]

    def _replace(self, question_id: str, update: Callable[[Question], Question | None]) -> None:
        """Change the question on the phones; with an id, only that question."""
        self._change(lambda now: update(now) if now and now.id == (question_id or now.id) else now)

    def _change(self, update: Callable[[Question | None], Question | None], **fields: str) -> None:
        """Replace the question on the phones by ``update``'s result, together with some fields of the room; starts over
        when another process has written in between, so no change is lost."""
        while stored := self.store.get(self.code):
            text = stored.get("question", "")
            before = Question.from_json(text)
            now = update(before)
            if now == before:
                return
            changes = {"question": now.to_json() if now else "", **fields}
            if before and before.is_revealed and (now is None or now.id != before.id):
                for key, last in _last_revealed(stored).items():
                    self.store.once(self.code, "revealed", key, last)
                changes["left"] = text
            if self.store.set(self.code, changes, only_if={"question": text}):
                return


def _last_revealed(fields: Mapping[str, str]) -> dict[str, str]:
    """The revealed question that left the phones last, by its key in the table."""
    text = fields.get("left", "")
    question = Question.from_json(text)
    return {f"{question.id} {question.again}": text} if question else {}

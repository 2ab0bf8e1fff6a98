"""The question that a class is asked, and its votes."""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from viz.rooms.door import Door, RoomError
from viz.rooms.questions import Question


@dataclass(frozen=True, slots=True)
class Ballot(Door):
    """The part of a room that asks a question at a time and counts one vote of each phone."""

    def question(self) -> Question | None:
        """The question that is open or revealed, or None."""
        return Question.from_json(self.store.get(self.code).get("question", ""))

    def asked(self) -> list[Question]:
        """Every question that was asked, in order, with what was known when it was revealed."""
        texts = self.store.table(self.code, "asked") | self.store.table(self.code, "revealed")
        found = filter(None, map(Question.from_json, texts.values()))
        return sorted(found, key=lambda question: question.number)

    def ask(self, question: Question) -> None:
        """Open a question on the phones; it replaces the one before. One that is open already stays as it is."""
        before = Question.from_json(self.store.value(self.code, "asked", question.id) or "")
        number = before.number if before else self.store.count(self.code, "asked")
        question = dataclasses.replace(
            question, opened=time.time(), number=number, is_revealed=False, is_explained=False
        )
        self.store.once(self.code, "asked", question.id, question.to_json())
        self._change(lambda open_one: None if open_one and open_one.id == question.id else question, hidden="")

    def learn(self, question_id: str, *, right: str, measured: tuple[float, ...]) -> None:
        """Store the results that were computed while the class was thinking; phones receive them after the reveal."""

        def learned(question: Question) -> Question | None:
            return dataclasses.replace(question, right=right, measured=measured) if question.id == question_id else None

        known = self._change(lambda question: question and learned(question))
        if known is not None and known.is_revealed:
            self._file(known)

    def reveal(self, question_id: str = "") -> None:
        """Close the vote and show everyone how it went. The right answer comes with ``explain``.

        Args:
            question_id: the question that the teacher sees; another one, opened meanwhile in another tab, stays
                closed. Empty for whichever is open.
        """

        def shown(question: Question) -> Question | None:
            is_meant = question.id == (question_id or question.id) and not question.is_revealed
            return dataclasses.replace(question, is_revealed=True) if is_meant else None

        revealed = self._change(lambda question: question and shown(question))
        if revealed is not None:
            self._file(revealed)

    def limit(self, question_id: str, seconds: float) -> None:
        """Let the vote on an open question end after so many seconds; a vote that comes later is refused."""

        def limited(question: Question) -> Question | None:
            is_meant = question.id == question_id and not question.is_revealed
            return dataclasses.replace(question, closes=time.time() + seconds) if is_meant else None

        self._change(lambda question: question and limited(question))

    def explain(
        self, question_id: str, *, why: Mapping[str, str] | None = None, said: Mapping[str, str] | None = None,
        replies: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:  # fmt: skip
        """Show everyone the right answer and its reason; a vote that is still open is closed.

        Args:
            question_id: the question that the teacher sees.
            why: the reason in each language, where it contains what was measured; None for the question's own.
            said: the reason in one sentence, in each language.
            replies: what is said to those who chose each answer, in each language.
        """

        def explained(question: Question) -> Question | None:
            given = {"why": dict(why)} if why else {}
            given |= {"said": dict(said)} if said else {}
            given |= {"replies": dict(replies)} if replies else {}
            now = dataclasses.replace(question, is_revealed=True, is_explained=True, **given)
            return now if question.id == question_id and now != question else None

        known = self._change(lambda question: question and explained(question))
        if known is not None:
            self._file(known)

    def drop_question(self, question_id: str = "") -> None:
        """Take the question off the phones; only if it is this one, where an id is given."""
        while True:
            text = self.store.get(self.code).get("question", "")
            question = Question.from_json(text)
            if question is None or question.id != (question_id or question.id):
                return
            if self.store.set(self.code, {"question": ""}, only_if={"question": text}):
                return

    def vote(self, device: str, question_id: str, vote: str) -> None:
        """Count a device's answer, once.

        Raises:
            RoomError: "closed", "invalid" or "twice".
        """
        fields = self.store.get(self.code)
        question = Question.from_json(fields.get("question", ""))
        if question is None or question.id != question_id or not question.is_open or fields["paused"]:
            raise RoomError("closed")
        if not question.admits(vote):
            raise RoomError("invalid")
        if not self.store.once(self.code, f"votes:{question_id}", question.place(device, vote), vote):
            raise RoomError("twice")

    def counted_vote(self, device: str, question_id: str, vote: str) -> str | None:
        """A device's vote that counts; of a quiz, its vote on the item that ``vote`` is about. None without one."""
        question = Question.from_json(self.store.value(self.code, "asked", question_id) or "")
        return question and self.store.value(self.code, f"votes:{question_id}", question.place(device, vote))

    def n_votes(self, question_id: str) -> int:
        """How many have voted."""
        return self.store.count(self.code, f"votes:{question_id}")

    def counted(self) -> tuple[int, int]:
        """How many phones have joined, and how many of them have answered the whole question."""
        question = self.question()
        n_votes = 0 if question is None else self.n_votes(question.id) // max(1, len(question.items))
        return self.n_devices(), n_votes

    def tally(self, question_id: str) -> dict[str, int]:
        """How many votes each answer has."""
        return dict(Counter(self.votes(question_id).values()))

    def shares(self, quiz: str) -> list[float]:
        """The share of right answers to each item of a quiz, 0 to 1; empty when nobody has answered it."""
        question = Question.from_json(self.store.value(self.code, "asked", quiz) or "")
        if question is None:
            return []
        tally = self.tally(quiz)
        totals = [sum(n for vote, n in tally.items() if vote.startswith(f"{i}.")) for i in range(len(question.items))]
        rights = [tally.get(f"{i}.{item.right}", 0) for i, item in enumerate(question.items)]
        return [right / max(1, n) for right, n in zip(rights, totals, strict=True)] if any(totals) else []

    def _file(self, known: Question) -> None:
        """Keep a closed question as it stands, for the tables: whoever changes it last files what all have changed."""
        while True:
            now = self.question()
            known = now if now is not None and now.id == known.id else known
            if self.store.value(self.code, "revealed", known.id) == known.to_json():
                return
            self.store.remove(self.code, "revealed", known.id)
            self.store.once(self.code, "revealed", known.id, known.to_json())

    def _change(
        self, update: Callable[[Question | None], Question | None], **fields: str
    ) -> Question | None:  # fmt: skip
        """Replace the open question by what ``update`` makes of it; None leaves everything as it is.

        A change that is made elsewhere between reading and writing is read first, so that none is lost.

        Returns:
            The new question, or None when nothing was changed.
        """
        while kept := self.store.get(self.code):
            before = kept.get("question", "")
            question = update(Question.from_json(before))
            if question is None:
                return None
            if self.store.set(self.code, {"question": question.to_json(), **fields}, only_if={"question": before}):
                return question
        return None

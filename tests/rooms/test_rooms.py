"""A room used by teacher and students, in memory and in Redis."""

import csv
import gzip
import io
import json
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from tests.questions import WORDS, make_question, make_quiz
from viz.room import teacher_questions
from viz.rooms.door import AWAY_SECONDS, RoomError, clean
from viz.rooms.redis_store import RedisStore
from viz.rooms.report import AFTER, BEFORE, learning_csv, votes_csv
from viz.rooms.room import CODE_LENGTH, LETTERS, TRANSFER_SECONDS, Room
from viz.rooms.store import MemoryStore, StoreError

HEAD_FIELDS: dict[str, Any] = {"kind": "head", "shape": (1, 2), "n": 2, "right": "", "options": {}}
"""A question that is answered with a head, before it is measured."""


def rows_of(table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table)))


def test_codes_are_easy_to_read_and_none_of_ten_thousand_guesses_finds_a_room(store):
    codes = [Room.open(store, most_devices=5)[0].code for _ in range(3)]
    assert all(len(code) == CODE_LENGTH and set(code) <= set(LETTERS) for code in codes)
    assert len(LETTERS) ** CODE_LENGTH / len(codes) > 10_000 * 10_000
    assert Room.find(store, f"  {codes[0].lower()} ") is not None
    assert Room.find(store, "") is None and Room.find(store, "*" * 6) is None


def test_a_scan_of_ten_thousand_codes_finds_no_room():
    store, chance = MemoryStore(), random.Random(3)
    for _ in range(3):
        Room.open(store, most_devices=5)
    tried = {"".join(chance.choices(LETTERS, k=CODE_LENGTH)) for _ in range(10_000)}
    assert not any(Room.find(store, code) for code in tried)


def test_only_the_secret_makes_a_teacher(store):
    room, secret = Room.open(store, most_devices=5)
    assert Room.find(store, room.code) == room and room.knows(secret)
    assert not any(map(room.knows, ("", secret[:-1], store.get(room.code)["secret"], room.code)))


def test_a_transfer_code_admits_one_further_browser_within_its_time(store, monkeypatch):
    room, secret = Room.open(store, most_devices=5)
    first, second = room.hand_over(), room.hand_over()
    assert Room.taken_over(store, first, "late") is None, "a newer code replaces it"
    for wrong in ("", room.code, f"{room.code}-AAAA-AAAA", second[:-1], "x" * 4_000):
        assert Room.taken_over(store, wrong, "guess") is None
    assert Room.taken_over(store, f" {second.lower()} ", "other") == room
    assert room.knows("other") and room.knows(secret)
    assert Room.taken_over(store, second, "third") is None, "it works once"
    old = room.hand_over()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + TRANSFER_SECONDS + 1)
    assert Room.taken_over(store, old, "too late") is None
    assert not any(map(room.knows, ("guess", "late", "third", "too late", "")))


def test_a_vote_counts_once_and_is_seen_by_nobody_before_it_is_revealed(room):
    devices = [room.join() for _ in range(3)]
    room.ask(make_question())
    for device, vote in zip(devices, "110", strict=True):
        room.vote(device, "q#1", vote)
    with pytest.raises(RoomError, match="twice"):
        room.vote(devices[0], "q#1", "2")
    public = room.snapshot()["question"]
    assert not {"right", "tally", "why", "measured", "answers"} & public.keys()
    assert room.n_votes("q#1") == 3
    room.reveal()
    public = room.snapshot()["question"]
    assert public["tally"] == {"1": 2, "0": 1} and not {"right", "why", "measured", "answers"} & public.keys()
    room.explain("q#1", why={"en": "because"}, said={"en": "Yes."})
    public = room.snapshot()["question"]
    assert (public["right"], public["why"], public["said"]) == ("1", {"en": "because"}, {"en": "Yes."})
    with pytest.raises(RoomError, match="closed"):
        room.vote(room.join(), "q#1", "1")
    room.hide(True)
    assert "tally" not in room.snapshot()["question"]


@pytest.mark.parametrize("vote", ["3", "-1", "", "x", "1.0", "٣", "99999", "1; DROP"])
def test_votes_that_are_no_answer_are_refused(room, vote):
    room.ask(make_question())
    with pytest.raises(RoomError, match="invalid"):
        room.vote(room.join(), "q#1", vote)


def test_a_tap_in_the_grid_must_be_a_head(room):
    room.ask(make_question(kind="head", shape=(2, 4), n=8))
    device = room.join()
    for wrong in ("2.0", "0.4", "0", "a.b"):
        with pytest.raises(RoomError, match="invalid"):
            room.vote(device, "q#1", wrong)
    room.vote(device, "q#1", "1.3")
    assert room.tally("q#1") == {"1.3": 1}


def test_no_vote_counts_while_the_room_is_paused_or_another_question_is_open(room):
    device = room.join()
    room.ask(make_question())
    room.pause(True)
    with pytest.raises(RoomError, match="closed"):
        room.vote(device, "q#1", "1")
    room.pause(False)
    with pytest.raises(RoomError, match="closed"):
        room.vote(device, "q#2", "1")


def test_three_hundred_votes_at_once_lose_none(room):
    room.ask(make_question())
    devices = [f"device{i}" for i in range(300)]

    def vote_for(devices: list[str]) -> None:
        for device in devices:
            room.vote(device, "q#1", str(len(device) % 3))

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(vote_for, (devices[i::10] for i in range(10))))
    assert room.n_votes("q#1") == 300


def test_a_full_room_refuses_a_device(store):
    small, _ = Room.open(store, most_devices=2)
    small.join()
    small.join()
    with pytest.raises(RoomError, match="full"):
        small.join()


def test_sentences_are_merged_and_taken_once_a_device(room):
    devices = [room.join() for _ in range(3)]
    for device, text in zip(devices, ("The cat sleeps.", "the  cat sleeps", "A dog."), strict=True):
        room.send(device, text)
    with pytest.raises(RoomError, match="twice"):
        room.send(devices[0], "More.")
    first, second = room.sentences()
    assert (first.n, second.n, second.text) == (2, 1, "A dog.")
    room.drop_sentence(first.key)
    assert [sentence.text for sentence in room.sentences()] == ["A dog."]
    room.send(devices[0], "More.")
    with pytest.raises(RoomError, match="empty"):
        room.send(devices[1], " \u202e\u0301 !")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("\u202eabc\u202c def", "abc def"), ("a\x00b\nc", "a b c"), ("e" + "\u0301" * 5_000, "é\u0301\u0301\u0301"),
     ("<b>bold</b>", "<b>bold</b>"), ("x" * 900, "x" * 500), ("\ud800y", "y")],
)  # fmt: skip
def test_sent_text_is_cleaned(text, expected):
    assert clean(text) == expected


def test_all_listeners_are_notified_and_a_late_joiner_gets_the_last_packet(room, store):
    notified = threading.Event()
    store.listen(lambda code: notified.set() if code == room.code else None)
    for _ in range(100):
        room.show({"packet": "one", "state": {}}, packet=b"bytes" * 100)
        room.pause(False)
        if notified.wait(0.1):
            break
    assert notified.is_set()
    assert store.blob(room.code, "one") is not None
    assert room.snapshot()["shown"]["packet"] == "one"


def test_a_store_has_the_last_two_packets_and_the_last_two_pictures_of_a_room(room, store):
    for name in ("one", "two", "one", "three"):
        room.show({"packet": name}, packet=name.encode())
    for name in ("picture-a", "picture-b", "picture-c"):
        room.show({"packet": "three", "experiment": name}, picture=name.encode())
    names = ("one", "two", "three", "picture-a", "picture-b", "picture-c")
    is_stored = [store.blob(room.code, name) is not None for name in names]
    assert is_stored == [True, False, True, False, True, True]


def test_a_change_of_anything_else_sends_the_experiments_picture_by_name_alone(room):
    room.show({"packet": "p", "experiment": "picture-a"}, packet=b"packet", picture=b"large" * 1_000)
    room.ask(make_question())
    snapshot = room.snapshot()
    assert snapshot["shown"]["experiment"] == "picture-a"
    assert len(json.dumps(snapshot)) < 2_000
    assert gzip.decompress(room.store.blob(room.code, "picture-a")) == b"large" * 1_000


def test_a_room_expires_independently_of_the_wall_clock():
    now = [100.0]
    store = MemoryStore(clock=lambda: now[0])
    room, _ = Room.open(store, most_devices=5, hours=12)
    now[0] += 12 * 3600 - 1
    assert Room.find(store, room.code) is not None
    now[0] += 2
    assert Room.find(store, room.code) is None
    assert room.snapshot() is None


def test_a_closed_room_leaves_nothing_behind(room, store):
    room.ask(make_question())
    room.vote(room.join(), "q#1", "1")
    room.close()
    assert room.snapshot() is None and room.votes("q#1") == {} and Room.find(store, room.code) is None


def test_rooms_in_redis_outlive_a_server(redis_address):
    before, secret = Room.open(RedisStore(redis_address), most_devices=5)
    device = before.join()
    before.ask(make_question())
    after = Room.find(RedisStore(redis_address), before.code)
    assert after is not None and after.knows(secret)
    after.vote(device, "q#1", "1")
    assert before.tally("q#1") == {"1": 1}


def test_the_tables_hold_counts_and_pairs_and_no_device(room):
    devices = [room.join() for _ in range(3)]
    for name, votes in ((BEFORE, ("0.0", "0.1", "0.0")), (AFTER, ("0.1", "0.1"))):
        room.ask(make_quiz(name, "rows"))
        for device, vote in zip(devices, votes, strict=False):
            room.vote(device, name, vote)
    (line,) = rows_of(learning_csv(room))
    assert (line["n_before"], line["n_after"], line["n_both"]) == ("3", "2", "2")
    assert (line["right_before_of_both"], line["right_after_of_both"]) == ("0.5000", "1.0000")
    room.ask(make_question(options=dict.fromkeys(WORDS, ("=1+1", "b", "c"))))
    text = votes_csv(room, "fr") + learning_csv(room)
    assert not any(device in text for device in devices)
    assert "'=1+1" in text


def test_a_shorter_quiz_after_the_lesson_is_compared_item_by_item(room):
    device = room.join()
    room.ask(make_quiz(BEFORE, *"abc"))
    for vote in ("0.0", "1.1", "2.0"):
        room.vote(device, BEFORE, vote)
    room.ask(make_quiz(AFTER, *"ac"))
    for vote in ("0.0", "1.1"):
        room.vote(device, AFTER, vote)
    lines = rows_of(learning_csv(room))
    assert [(line["item"], line["right_before"], line["right_after"]) for line in lines] == [
        ("a", "0.0000", "0.0000"), ("c", "0.0000", "1.0000"),
    ]  # fmt: skip
    room.explain(AFTER)
    assert room.snapshot()["question"]["shares"] == {BEFORE: [0.0, 0.0], AFTER: [0.0, 1.0]}
    assert room.shares(BEFORE, ["b"]) == [1.0] and room.shares(AFTER, ["b"]) == []


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t"])
def test_no_answer_begins_a_formula_in_a_spreadsheet(room, first):
    room.ask(make_question(options=dict.fromkeys(WORDS, (f"{first}SUM(1)", "b", "c"))))
    cells = [cell for row in csv.reader(io.StringIO(votes_csv(room, "en"))) for cell in row]
    assert f"'{first}SUM(1)" in cells and not [cell for cell in cells if cell.startswith(first)]


def test_the_table_contains_the_measurement_for_each_answer(room):
    room.ask(make_question(**HEAD_FIELDS, first=1))
    room.vote(room.join(), "q#1", "0.0")
    room.store_results("q#1", right="0.1", measured=(0.25, 1.5))
    public = room.snapshot()["question"]
    assert "right" not in public and "measured" not in public
    room.reveal()
    room.drop_question()
    lines = rows_of(votes_csv(room, "en"))
    assert [(line["answer"], line["votes"], line["measured"]) for line in lines] == [
        ("1.1", "1", "0.25"), ("1.2", "0", "1.5"),
    ]  # fmt: skip
    assert [line["is_right"] for line in lines] == ["False", "True"]


def test_a_phone_that_has_left_is_not_waited_for_and_its_answer_counts(room, monkeypatch):
    present, leaving, voter = (room.join() for _ in range(3))
    room.ask(make_question())
    room.vote(voter, "q#1", "1")
    for phone in (leaving, voter):
        room.leave(phone)
    assert room.counted() == (3, 1), "a reload is no leaving"
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + AWAY_SECONDS + 1)
    assert room.counted() == (2, 1)
    room.arrive(leaving)
    assert room.counted() == (3, 1)
    room.leave(leaving)
    room.remove([leaving])
    assert room.counted() == (2, 1)
    room.vote(present, "q#1", "0")
    assert room.counted() == (2, 2)


def test_a_restored_question_has_its_state_and_its_record_is_continued(room):
    phone = room.join()
    room.ask(make_question("lesson.a#1"))
    room.vote(phone, "lesson.a#1", "1")
    room.reveal("lesson.a#1")
    room.ask(make_question("lesson.b#1"))
    (record,) = [entry for entry in room.asked_questions() if entry.id == "lesson.a#1"]
    room.restore_question(record)
    assert room.question().id == "lesson.a#1" and room.question().is_revealed and not room.question().is_explained
    room.explain("lesson.a#1")
    room.ask(make_question("lesson.b#1"))
    assert [(entry.id, entry.is_explained) for entry in room.asked_questions()] == [
        ("lesson.a#1", True),
        ("lesson.b#1", False),
    ]
    assert room.tally("lesson.a#1") == {"1": 1}


def test_a_second_vote_is_shown_beside_the_first_distribution(room):
    devices = [room.join() for _ in range(3)]
    room.ask(make_question())
    for device, vote in zip(devices, "001", strict=True):
        room.vote(device, "q#1", vote)
    room.reveal("q#1")
    room.ask(make_question("q#2", earlier=room.tally("q#1")))
    assert "earlier" not in room.snapshot()["question"], "the first votes would lead the second"
    for device in devices:
        room.vote(device, "q#2", "1")
    room.reveal("q#2")
    public = room.snapshot()["question"]
    assert public["earlier"] == {"0": 2, "1": 1} and public["tally"] == {"1": 3}
    lines = rows_of(votes_csv(room, "en"))
    assert [line["votes"] for line in lines] == ["2", "1", "0", "0", "3", "0"]


def test_a_vote_that_ends_by_itself_is_refused_afterwards_and_counts_down_on_every_screen(room, monkeypatch):
    device = room.join()
    room.ask(make_question())
    room.limit("q#2", 30)
    assert "left" not in room.snapshot()["question"]
    room.limit("q#1", 30)
    assert 29 <= room.snapshot()["question"]["left"] <= 30
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 31)
    assert room.snapshot()["question"]["left"] == 0
    with pytest.raises(RoomError, match="closed"):
        room.vote(device, "q#1", "1")


def test_after_the_explanation_each_phone_shows_the_reply_to_its_answer(room):
    room.ask(make_question())
    room.reveal()
    assert "replies" not in room.snapshot()["question"]
    room.explain("q#1", replies={"en": ("not a", "yes", "not c")})
    assert room.snapshot()["question"]["replies"] == {"en": ("not a", "yes", "not c")}


def test_a_question_that_an_earlier_version_revealed_shows_its_answer(room):
    fields = json.loads(make_question(is_revealed=True).to_json())
    for name in ("is_explained", "said", "earlier", "closes", "replies"):
        del fields[name]
    room.store.set(room.code, {"question": json.dumps(fields)})
    assert room.snapshot()["question"]["right"] == "1"


def test_measurements_after_the_reveal_are_stored(room):
    room.ask(make_question(**HEAD_FIELDS))
    room.reveal()
    room.store_results("q#1", right="0.1", measured=(0.25, 1.5))
    room.drop_question()
    assert room.asked_questions()[0].right == "0.1"
    assert room.question() is None


def test_the_record_of_questions_is_append_only_and_has_the_final_state_of_each(room, store):
    quiz = make_question("quiz.before", **HEAD_FIELDS)
    for explanation in ("first", "second"):
        room.ask(quiz)
        room.reveal()
        room.explain("quiz.before", why={"en": explanation})
        record = store.table(room.code, "asked") | store.table(room.code, "revealed")
        assert room.asked_questions()[0].why == {"en": explanation}, "as on the phones"
        room.ask(make_question()) if explanation == "first" else room.drop_question()
        later = store.table(room.code, "asked") | store.table(room.code, "revealed")
        assert record.items() < later.items(), "nothing that was written has changed"
        assert next(entry for entry in room.asked_questions() if entry.id == "quiz.before").why == {"en": explanation}
    assert [question.number for question in room.asked_questions()] == [0, 1]


def test_the_record_of_a_question_from_an_earlier_version_is_replaced_at_its_end(room, store):
    room.ask(make_question())
    room.reveal()
    store.once(room.code, "revealed", "q#1", room.question().to_json())
    room.explain("q#1", why={"en": "because"})
    room.drop_question()
    assert room.asked_questions()[0].is_explained and room.asked_questions()[0].why == {"en": "because"}


def test_the_state_of_a_question_survives_a_server_that_ends_while_it_is_dropped(room, store, monkeypatch):
    def fail(*_args, **_kwargs) -> bool:
        raise StoreError("the server has ended")

    room.ask(make_question())
    room.reveal()
    with monkeypatch.context() as patched, suppress(StoreError):
        patched.setattr(store, "once", fail)
        room.drop_question()
    assert room.question() is None and [entry.is_revealed for entry in room.asked_questions()] == [True]
    for name in ("q#2", "q#1"):
        room.ask(make_question(name))
        room.reveal()
        room.drop_question()
        assert all(entry.is_revealed for entry in room.asked_questions())
    assert [(entry.id, entry.again) for entry in room.asked_questions()] == [("q#1", 1), ("q#2", 0)]


def test_questions_keep_their_order_when_the_clock_is_set_back(room, monkeypatch):
    for hour, name in ((12.0, "q#1"), (11.0, "q#2"), (13.0, "q#3")):
        monkeypatch.setattr("viz.rooms.room.time.time", lambda hour=hour: hour * 3600)
        room.ask(make_question(name))
    assert [question.id for question in room.asked_questions()] == ["q#1", "q#2", "q#3"]


def test_a_crowd_that_joins_at_once_never_overfills_a_room(store):
    small, _ = Room.open(store, most_devices=20)
    refused = []

    def join(_: int) -> None:
        try:
            small.join()
        except RoomError as error:
            refused.append(error.reason)

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(join, range(50)))
    assert small.n_devices() == 20
    assert refused == ["full"] * 30


def test_a_reveal_in_one_tab_survives_a_measurement_in_another(room, store, monkeypatch):
    room.ask(make_question(**HEAD_FIELDS))
    write, between = store.set, [room.reveal]

    def set_after_another_tab(*args, **kwargs) -> bool:
        if between:
            between.pop()()
        return write(*args, **kwargs)

    monkeypatch.setattr(store, "set", set_after_another_tab)
    room.store_results("q#1", right="0.1", measured=(0.25, 1.5))
    question = room.question()
    assert question.is_revealed and question.right == "0.1"
    assert room.asked_questions()[0].measured == (0.25, 1.5)


def test_a_button_acts_on_the_question_that_its_teacher_saw(room):
    room.ask(make_question())
    room.ask(make_question("q#2"))
    room.reveal("q#1")
    room.drop_question("q#1")
    assert room.question().id == "q#2" and not room.question().is_revealed
    room.reveal("q#2")
    assert room.question().is_revealed
    room.ask(make_question("q#2"))
    assert room.question().is_revealed, "asked again by a second tab, it stays as it is"
    room.drop_question("q#2")
    assert room.question() is None


def test_a_change_is_made_only_if_nothing_has_changed_since_it_was_read(room, store):
    assert store.set(room.code, {"paused": "1"}, only_if={"paused": "", "hidden": "", "new": ""})
    assert not store.set(room.code, {"paused": ""}, only_if={"paused": ""})
    assert not store.set("AAAAAA", {"paused": ""}, only_if={"paused": ""})
    assert room.fields()["paused"] == "1"


def test_tabs_that_change_a_question_at_once_lose_nothing(room):
    for n in range(5):
        name = f"q#{n}"
        room.ask(make_question(name, **HEAD_FIELDS))
        with ThreadPoolExecutor(2) as pool:
            doing = (
                pool.submit(room.reveal, name),
                pool.submit(room.store_results, name, right="0.1", measured=(0.5,)),
            )
            assert not [future.exception() for future in doing if future.exception()]
        question = room.question()
        assert question.is_revealed and question.right == "0.1"
    assert [question.right for question in room.asked_questions()] == ["0.1"] * 5
    assert all(question.is_revealed for question in room.asked_questions())


def test_removed_phones_leave_no_vote_in_any_question_and_their_place_is_free(store):
    small, _ = Room.open(store, most_devices=2)
    remaining, removed = small.join(), small.join()
    small.ask(make_quiz(BEFORE, "rows"))
    for device in (remaining, removed):
        small.vote(device, BEFORE, "0.1")
    small.ask(make_question())
    for device in (remaining, removed):
        small.vote(device, "q#1", "1")
    assert [phone.device for phone in small.phones()] == [remaining, removed]
    small.remove([removed])
    assert small.tally(BEFORE) == {"0.1": 1} and small.tally("q#1") == {"1": 1}
    with pytest.raises(RoomError, match="removed"):
        small.join(removed)
    assert small.has(small.join())


def test_only_names_that_this_room_invited_can_join(store):
    room, _ = Room.open(store, most_devices=5)
    other_room, _ = Room.open(store, most_devices=5)
    name = room.invite()
    for wrong in (other_room.invite(), name[:-1] + ("a" if name[-1] != "a" else "b"), "x", "é" * 24):
        with pytest.raises(RoomError, match="stranger"):
            room.join(wrong)
    assert room.invite(name) == name and room.n_devices() == 0
    assert room.join(name) == room.join(name) == name and room.n_devices() == 1


def test_a_room_stores_fifty_of_the_teachers_questions(room):
    for number in range(52):
        teacher_questions.store(room, teacher_questions.TeacherQuestion(f"Question {number}?", ("yes", "no")))
    assert [question.question for question in teacher_questions.stored_questions(room).values()] == [
        f"Question {number}?" for number in range(50)
    ]

"""The queue to a browser: the end of a whole run stays behind what the run has drawn."""

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from viz.server import whole_runs

PART = "part"
FINISHED = ForwardMsg.ScriptFinishedStatus


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> ForwardMsgQueue:
    monkeypatch.setattr(ForwardMsgQueue, "clear", ForwardMsgQueue.clear)  # put back at the end
    whole_runs.keep()
    return ForwardMsgQueue()


def drawn(words: str, place: int = 0) -> ForwardMsg:
    message = ForwardMsg()
    message.delta.fragment_id = PART
    message.delta.new_element.text.body = words
    message.metadata.delta_path.extend((0, place))
    return message


def sent(queue: ForwardMsgQueue) -> list[str | int]:
    return [
        each.delta.new_element.text.body if each.HasField("delta") else each.script_finished for each in queue.flush()
    ]


def test_what_a_whole_run_has_drawn_of_a_part_is_sent_before_its_end(queue: ForwardMsgQueue) -> None:
    queue.enqueue(drawn("whole"))
    queue.enqueue(ForwardMsg(script_finished=FINISHED.FINISHED_SUCCESSFULLY))
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    queue.enqueue(drawn("part"))
    assert sent(queue) == ["whole", FINISHED.FINISHED_SUCCESSFULLY, "part"]


def test_an_unfinished_run_of_a_part_is_dropped_by_the_next(queue: ForwardMsgQueue) -> None:
    queue.enqueue(drawn("early"))
    queue.enqueue(ForwardMsg(script_finished=FINISHED.FINISHED_FRAGMENT_RUN_SUCCESSFULLY))
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    assert sent(queue) == [FINISHED.FINISHED_EARLY_FOR_RERUN]


def test_the_next_run_of_the_whole_page_drops_all_that_waits(queue: ForwardMsgQueue) -> None:
    queue.enqueue(drawn("whole"))
    queue.enqueue(ForwardMsg(script_finished=FINISHED.FINISHED_SUCCESSFULLY))
    queue.clear(retain_lifecycle_msgs=True)
    assert sent(queue) == [FINISHED.FINISHED_EARLY_FOR_RERUN]
    queue.enqueue(drawn("again"))
    queue.clear()
    assert queue.is_empty()

"""Patches ``ForwardMsgQueue.clear``: a fragment rerun must not drop a full run's messages that wait to be sent.

A part of a page that draws itself again (``st.fragment``) begins by dropping its own messages that wait to be sent,
since it sends them anew. If the run before it was one of the whole page, its end stays in the queue without them: the
browser removes the part, with an open popover, typed text and uploads in progress, and shows it anew a moment later.
"""

from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

_clear = ForwardMsgQueue.clear


def keep() -> None:
    """From now on a part of a page drops nothing that stands before the end of a whole run."""
    setattr(ForwardMsgQueue, "clear", _clear_none_of_a_whole_run)  # noqa: B010 - types: it stands for the method


def _clear_none_of_a_whole_run(
    queue: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
) -> None:
    if retain_lifecycle_msgs and fragment_ids_this_run is not None and any(map(_ends_a_whole_run, queue._queue)):
        queue._delta_index_map = {}  # what follows stands after the end, and does not take the place of what is before
    else:
        _clear(queue, retain_lifecycle_msgs, fragment_ids_this_run)


def _ends_a_whole_run(message: Any) -> bool:
    is_end = message.WhichOneof("type") == "script_finished"
    return is_end and message.script_finished == ForwardMsg.ScriptFinishedStatus.FINISHED_SUCCESSFULLY

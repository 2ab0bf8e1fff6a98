"""A part of a page that draws itself again stays in the browser, whatever runs of the page come between."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.classroom import message_in, open_room
from tests.browser.waiting import PATIENCE

pytestmark = pytest.mark.nightly

ROUNDS = 20
LAST = ("room_own_file", "room_csv", "room_close")
"""Of the part of the page that draws itself each second, an upload and what is drawn last."""


class WholeRuns:
    """Asks in turn for a run of the whole page and, while that runs, for one of a part, as a busy server gets them."""

    def __init__(self, page: Page) -> None:
        self.is_on, self.n_asked = False, 0
        self._asked = BackMsg()
        page.route_web_socket("**/_stcore/stream", self._relay)

    def _relay(self, browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def to_server(message: str | bytes) -> None:
            asked = BackMsg.FromString(message) if isinstance(message, bytes) else BackMsg()
            is_first = self.is_on and not self.n_asked and bool(asked.rerun_script.fragment_id)
            if is_first:
                self._asked = asked
                self._ask_for_all(server)
            server.send(message)

        def to_browser(message: str | bytes) -> None:
            told = ForwardMsg.FromString(message) if isinstance(message, bytes) else ForwardMsg()
            browser.send(message)
            if self.is_on and self.n_asked and told.WhichOneof("type") == "new_session":
                if told.metadata.run.fragment_ids:
                    self._ask_for_all(server)
                else:
                    server.send(self._asked.SerializeToString())

        browser.on_message(to_server)
        server.on_message(to_browser)

    def _ask_for_all(self, server: WebSocketRoute) -> None:
        asked = BackMsg()
        asked.CopyFrom(self._asked)
        asked.rerun_script.fragment_id, asked.rerun_script.is_auto_rerun = "", False
        self.n_asked += 1
        server.send(asked.SerializeToString())


def test_a_popover_stays_open_and_its_upload_arrives_while_the_page_runs(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    file, held = tmp_path / "questions.json", list[Route]()
    file.write_text(json.dumps({"questions": [{"question": "Which is a head?", "options": ["a map", "a word"]}]}))
    page = open_page("?text=the+cat+is+sleeping+.", path="room")
    runs = WholeRuns(page)
    page.reload()
    open_room(page, "en")
    page.route("**/_stcore/upload_file/**", lambda route: held.append(route))  # Playwright names the function
    page.locator(".st-key-room_own button").click()
    page.get_by_role("textbox", name=message_in("en", "room.own_words")).fill("Half a question")
    upload = page.locator(".st-key-room_own_file input[type=file]")
    upload.set_input_files(file)
    page.evaluate(
        """(keys) => { window.gone = 0; new MutationObserver(() => {
        window.gone += keys.some((key) => !document.querySelector(`.st-key-${key}`));
    }).observe(document.body, {childList: true, subtree: true}); }""",
        LAST,
    )
    runs.is_on = True
    for _ in range(PATIENCE // 100):
        if runs.n_asked >= ROUNDS and held:
            break
        page.wait_for_timeout(100)
    runs.is_on = False
    assert runs.n_asked >= ROUNDS
    assert page.evaluate("window.gone") == 0
    expect(page.get_by_role("textbox", name=message_in("en", "room.own_words"))).to_have_value("Half a question")
    held[0].continue_()
    expect(page.get_by_text("Which is a head?", exact=True)).to_be_visible()
    assert page.evaluate("window.gone") == 0

"""A fragment that reruns stays in the browser, whichever full runs of the page come in between."""

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
"""The upload and the last elements of the fragment that reruns each second."""


class WholeRuns:
    """Requests full runs and, during each, a fragment run, as a busy server receives them."""

    def __init__(self, page: Page) -> None:
        self.is_on, self.n_requested = False, 0
        self._fragment_request = BackMsg()
        page.route_web_socket("**/_stcore/stream", self._relay)

    def _relay(self, browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def to_server(message: str | bytes) -> None:
            request = BackMsg.FromString(message) if isinstance(message, bytes) else BackMsg()
            is_first = self.is_on and not self.n_requested and bool(request.rerun_script.fragment_id)
            if is_first:
                self._fragment_request = request
                self._request_full_run(server)
            server.send(message)

        def to_browser(message: str | bytes) -> None:
            reply = ForwardMsg.FromString(message) if isinstance(message, bytes) else ForwardMsg()
            browser.send(message)
            if self.is_on and self.n_requested and reply.WhichOneof("type") == "new_session":
                if reply.metadata.run.fragment_ids:
                    self._request_full_run(server)
                else:
                    server.send(self._fragment_request.SerializeToString())

        browser.on_message(to_server)
        server.on_message(to_browser)

    def _request_full_run(self, server: WebSocketRoute) -> None:
        request = BackMsg()
        request.CopyFrom(self._fragment_request)
        request.rerun_script.fragment_id, request.rerun_script.is_auto_rerun = "", False
        self.n_requested += 1
        server.send(request.SerializeToString())


def test_a_popover_stays_open_and_its_upload_arrives_while_the_page_runs(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    file, held_routes = tmp_path / "questions.json", list[Route]()
    file.write_text(json.dumps({"questions": [{"question": "Which is a head?", "options": ["a map", "a word"]}]}))
    page = open_page("?text=the+cat+is+sleeping+.", path="room")
    runs = WholeRuns(page)
    page.reload()
    open_room(page, "en")
    # Playwright needs a Python function here, which a list's own method is not.
    page.route("**/_stcore/upload_file/**", lambda route: held_routes.append(route))
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
        if runs.n_requested >= ROUNDS and held_routes:
            break
        page.wait_for_timeout(100)
    runs.is_on = False
    assert runs.n_requested >= ROUNDS
    assert page.evaluate("window.gone") == 0
    expect(page.get_by_role("textbox", name=message_in("en", "room.own_words"))).to_have_value("Half a question")
    held_routes[0].continue_()
    expect(page.get_by_text("Which is a head?", exact=True)).to_be_visible()
    assert page.evaluate("window.gone") == 0

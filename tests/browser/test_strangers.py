"""Two visitors of one server: what one brings is neither shown to the other nor able to call out of a browser."""

from __future__ import annotations

import dataclasses
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Page, expect
from safetensors.torch import save_file

import model
from tests.browser.test_checkpoints_page import drop
from tests.checkpoint import WORDS, tiny_bundle

SENTENCE = "the cat is sleeping"


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """An address outside of the application, and the paths that somebody asked it for."""
    heard: list[str] = []

    class Hears(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            return

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hears)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", heard
    server.shutdown()


def words_of(page: Page) -> list[str]:
    expect(page.locator(".target-row .token").first).to_be_visible()
    return page.locator(".target-row .token").all_inner_texts()


def test_another_visitors_vocabulary_is_never_met_by_users_of_the_shared_model(open_page, tmp_path: Path) -> None:
    changed = tuple(
        "poison" if word == WORDS[-1] else f"{word}x" if index > 8 else word for index, word in enumerate(WORDS)
    )
    bundle = dataclasses.replace(
        tiny_bundle(), source_tokenizer=model.WordTokenizer(WORDS), target_tokenizer=model.WordTokenizer(changed)
    )
    folder = model.save(bundle, tmp_path / "stranger")
    stranger = open_page(path="checkpoints")
    drop(stranger, sorted(folder.iterdir()))
    stranger.get_by_role("button", name="Look at its attention").click()
    stranger.wait_for_url("**model=**")
    theirs = words_of(stranger)
    ours = words_of(open_page(f"?text={SENTENCE.replace(' ', '+')}"))
    expected = model.translate(tiny_bundle(), SENTENCE).target_tokens
    assert [word.strip() for word in ours] == [word.strip() for word in expected]
    assert theirs and not any("poison" in word for word in ours)
    visitor = open_page(path="checkpoints")
    expect(visitor.get_by_text("Bring your own checkpoint")).to_be_visible()
    assert visitor.get_by_text("stranger").count() == 0


def test_a_name_in_a_file_makes_no_browser_call_out(open_page, listener, tmp_path: Path, screenshot) -> None:
    address, heard = listener
    state = {
        f"transformer.{name}": tensor for name, tensor in torch.nn.Transformer(16, 2, 1, 1, 24).state_dict().items()
    }
    state |= {
        f"e` ![x]({address}/tensor.png) `": torch.zeros(12, 16),
        f"pos ![x]({address}/position.png)": torch.ones(3),
    }
    save_file(state, tmp_path / f"a![x]({address.replace('/', '%2F')}).safetensors")
    page = open_page(path="checkpoints")
    drop(page, sorted(tmp_path.iterdir()))
    expect(page.get_by_text("tensors").first).to_be_visible()
    screenshot(page, "checkpoints-stranger-names")
    assert not heard


def test_the_browser_is_told_to_load_from_the_server_alone(browser, server, listener) -> None:
    address, heard = listener
    page = browser.new_context().new_page()
    page.goto(server)
    expect(page.get_by_role("toolbar").or_(page.locator(".target-row")).first).to_be_visible()
    page.evaluate(
        """address => Promise.race([
            Promise.allSettled([
                new Promise(done => {
                    const image = new Image();
                    image.onload = image.onerror = done;
                    image.src = address;
                }),
                fetch(address, { mode: "no-cors" }),
            ]),
            new Promise(done => setTimeout(done, 5000)),
        ]).then(() => null)""",
        f"{address}/out",
    )
    assert not heard
    page.context.close()

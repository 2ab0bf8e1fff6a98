"""Two visitors of one server: one's files are not shown to the other and cause no request to a third party."""

import dataclasses
import http.server
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Page, expect
from safetensors.torch import save_file

import model
from model.runs.limits import RUNS_VARIABLE
from tests.browser.conftest import PATIENCE
from tests.browser.test_checkpoints_page import drop
from tests.checkpoint import WORDS, tiny_bundle
from tests.checkpoints import hostile
from tests.pages import PAGES
from tests.serving import application
from viz.environment import CHECKPOINT_VARIABLE
from viz.plain_text import chip_text

SENTENCE = "the cat is sleeping"
PLACES = ("", *PAGES[1:])


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """A third party's server: its address, and the paths that were requested from it."""
    requested: list[str] = []

    class Hears(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requested.append(self.path)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            return

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hears)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", requested
    server.shutdown()


def words_of(page: Page) -> list[str]:
    """The tokens of the translation, read in one call because the page may rerun in between."""
    while True:
        expect(page.locator(".target-row .token").first).to_be_visible()
        if tokens := page.locator(".target-row .token").evaluate_all(
            "tokens => tokens.map((token) => token.innerText)"
        ):
            return tokens


@pytest.mark.nightly
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
    words_before = words_of(stranger)
    ours = words_of(open_page(f"?text={SENTENCE.replace(' ', '+')}"))
    expected = model.translate(tiny_bundle(), SENTENCE).target_tokens
    assert [word.strip() for word in ours] == [chip_text(word) for word in expected]
    assert words_before and not any("poison" in word for word in ours)
    visitor = open_page(path="checkpoints")
    expect(visitor.get_by_text("Bring your own checkpoint")).to_be_visible()
    assert visitor.get_by_text("stranger").count() == 0


@pytest.mark.nightly
def test_memory_of_the_server_is_not_handed_to_a_visitor(open_page, tmp_path: Path) -> None:
    """Regression: a file with shapes but without numbers received memory that still held another visitor's upload."""
    marker = "kumquat"
    table, private = tmp_path / "mine.tsv", tmp_path / "private"
    table.write_text("".join(f"the cat {marker} {index}\tle chat {marker} {index}\n" for index in range(2_000)))
    words = model.WordTokenizer(tuple(marker if word == WORDS[-1] else word for word in WORDS))
    model.save(dataclasses.replace(tiny_bundle(), source_tokenizer=words, target_tokenizer=words), private)
    owner = open_page("?tune.data=upload", path="fine_tune")
    drop(owner, [table])
    expect(owner.get_by_text("2,000 pairs to learn from")).to_be_visible()
    shelf = open_page(path="checkpoints")
    drop(shelf, sorted(private.iterdir()))
    expect(shelf.get_by_role("button", name="Look at its attention")).to_be_visible()

    state = torch.nn.Transformer(96, 2, 2, 2, 384).state_dict()
    tensors = {f"core.{name}": tensor for name, tensor in state.items()} | {"embed.weight": torch.zeros(500, 96)}
    stranger = open_page(path="checkpoints")
    for number in range(3):
        crafted = tmp_path / f"crafted-{number}.pt"
        crafted.write_bytes(hostile.without_storages(tensors))
        drop(stranger, [crafted])
        expect(stranger.get_by_text(re.compile(rf"crafted-{number}.*lacks numbers"))).to_be_visible()
        downloads = stranger.get_by_test_id("stDownloadButton")
        assert downloads.count() == 0 and marker not in stranger.content()


def test_a_name_in_a_file_makes_no_browser_call_out(open_page, listener, tmp_path: Path, screenshot) -> None:
    address, requested = listener
    names = (f"e` ![x]({address}/tensor.png) `", f"core.![x]({address}/position.png)")
    state = {f"core.{name}": tensor for name, tensor in torch.nn.Transformer(16, 2, 1, 1, 24).state_dict().items()}
    state |= {"embed.weight": torch.zeros(12, 16), **{name: torch.ones(3) for name in names}}
    path = tmp_path / f"a![x]({address.replace('/', '%2F')}).safetensors"
    save_file(state, path)
    page = open_page(path="checkpoints")
    drop(page, [path])
    for name in names:
        expect(page.get_by_text(name).first).to_be_visible()
    screenshot(page, "checkpoints-stranger-names")
    assert not page.locator("img[src*='.png']").count() and not requested
    control = page.context.browser.new_page()
    control.goto(f"{address}/the-listener-hears")
    control.close()
    assert "/the-listener-hears" in requested


@pytest.fixture
def hostile_server(listener, tmp_path: Path) -> Iterator[str]:
    """An application whose model's vocabulary and language names are Markdown images from the third party."""
    image = f"![x]({listener[0]}/word.png) <img src={listener[0]}/tag.png>"
    words = model.WordTokenizer([word if index < 4 else f"{word}{image}" for index, word in enumerate(WORDS)])
    bundle = dataclasses.replace(
        tiny_bundle(image), source_tokenizer=words, target_tokenizer=words, source_language=image,
        target_language=image,
    )  # fmt: skip
    folder = model.save(bundle, tmp_path / "![x](y)")
    runs = str(tmp_path / "runs")
    with application(**{CHECKPOINT_VARIABLE: str(folder), RUNS_VARIABLE: runs, "OMP_NUM_THREADS": "1"}) as address:
        yield address


@pytest.mark.nightly
def test_no_page_calls_out_for_the_words_of_a_model(browser, hostile_server: str, listener) -> None:
    address, requested = listener
    page = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-US").new_page()
    page.set_default_timeout(PATIENCE)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    for name in PLACES:
        page.goto(f"{hostile_server}/{name}?text=the+cat+is+sleeping")
        expect(page.locator("[data-test-script-state=notRunning]").first).to_be_visible()
        expect(page.get_by_text("![x](").first).to_be_attached()
        references = page.locator(f"[src*='{address}'], [href*='{address}'], [style*='{address}']")
        assert references.count() == 0, name
    assert not requested and not [url for url in requests if url.startswith(address)]
    page.goto(f"{address}/the-listener-hears")
    assert "/the-listener-hears" in requested
    page.context.close()


def test_the_policy_lets_the_browser_load_from_the_server_alone(browser, server, listener) -> None:
    address, requested = listener
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
    assert not requested
    page.context.close()

"""Pages to measure in a browser: the explorer, and BertViz on the same tensors."""

from __future__ import annotations

import http.server
import json
import shutil
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page

from viz.components.attention import SOURCE, AttentionView, pack
from viz.components.attention.pack import mount
from viz.i18n import group, speaking
from viz.state.view_state import ViewState

PATIENCE = 600_000

# The component is called as Streamlit calls it: a function that receives bytes already in memory.
OURS = """<!doctype html><meta charset="utf-8"><style>body { margin: 16px; --st-background-color: #ffffff }</style>
<script type="module">
const [code, style, packet] = await Promise.all(['component.js', 'component.css', 'packet.bin'].map(async name => {
  const answer = await fetch(name);
  return name.endsWith('bin') ? new Uint8Array(await answer.arrayBuffer()) : answer.text();
}));
const { default: component } = await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
window.draw = async () => {
  document.body.replaceChildren();
  const host = document.body.appendChild(document.createElement('div'));
  const shadow = host.attachShadow({ mode: 'open' });
  shadow.append(Object.assign(document.createElement('style'), { textContent: style }));
  const started = performance.now();
  window.leave?.();
  window.leave = component({ data: packet.slice(), parentElement: shadow, setStateValue() {}, setTriggerValue() {} });
  const root = () => shadow.querySelector('.regard');
  while (!root()?.dataset.drawnGrid || !root().dataset.drawnMain) await new Promise(requestAnimationFrame);
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  window.regard = root();
  return performance.now() - started;
};
window.ready = true;
</script>"""

# BertViz draws by itself once its HTML and libraries are loaded. As for the explorer, it counts as drawn at the end of
# the first frame after its last change to the document.
WATCH = """
window.lastChange = window.lastFrame = 0;
new MutationObserver(() => {
  window.lastChange = performance.now();
  requestAnimationFrame(() => setTimeout(() => { window.lastFrame = performance.now(); }));
}).observe(document, { childList: true, subtree: true });
"""


def random_attention(layers: int, heads: int, tokens: int, seed: int = 0) -> NDArray[np.float32]:
    """Softmax of random scores, rows of unequal sharpness: (layers, heads, tokens, tokens)."""
    draw = np.random.default_rng(seed)
    scores = draw.normal(size=(layers, heads, tokens, tokens)) * draw.uniform(0.5, 4, size=(layers, heads, 1, 1))
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    return (raised / raised.sum(-1, keepdims=True)).astype(np.float32)


def tokens(count: int) -> list[str]:
    """Words of usual length."""
    return [f"w{i}" + "x" * (i % 5) for i in range(count)]


def write_ours(folder: Path, weights: NDArray[np.float32], state: Mapping[str, Any] | None = None) -> int:
    """Write a page with the explorer; returns the bytes of data that are sent to the browser."""
    view = AttentionView.from_arrays(encoder_self=weights, source_tokens=tokens(weights.shape[-1]))
    with speaking("en"):
        words = {"en": group("attention")}
        packet = pack(view, strings={}, options={})
    shown = ViewState.parse({"kind": "encoder_self", **(state or {})}).to_mapping()
    fields = {"name": "one", "language": "en", "state": shown, "revision": 1, "isPresenting": False}
    data = mount(packet, fields=fields)
    (folder / "packet.bin").write_bytes(data)
    code = f"{SOURCE.javascript}\nObject.assign(WORDS, {json.dumps(words)});\n"
    (folder / "component.js").write_text(code, "utf-8")
    (folder / "component.css").write_text(SOURCE.stylesheet, "utf-8")
    (folder / "ours.html").write_text(OURS, "utf-8")
    return len(data)


def write_bertviz(folder: Path, weights: NDArray[np.float32], peer: Path) -> int:
    """Write a page with BertViz's model view and local copies of its libraries; returns the bytes of its HTML."""
    sys.path.insert(0, str(peer / "py"))
    from bertviz import model_view  # pyright: ignore[reportMissingImports]

    layers = [torch.from_numpy(layer)[None] for layer in weights]
    made = model_view(attention=layers, tokens=tokens(weights.shape[-1]), html_action="return", display_mode="light")
    for library in (peer / "web").iterdir():
        shutil.copy(library, folder)
    page = made.data.replace("https://cdnjs.cloudflare.com/ajax/libs/d3/5.7.0/d3.min", "d3.min")
    page = page.replace("https://cdnjs.cloudflare.com/ajax/libs/jquery/2.0.0/jquery.min", "jquery.min")
    head = f'<!doctype html><meta charset="utf-8"><script>{WATCH}</script><script src="require.min.js"></script>'
    (folder / "bertviz.html").write_text(head + page, "utf-8")
    return len(made.data.encode())


@contextmanager
def serving(folder: Path, handler: type[QuietHandler] | None = None) -> Iterator[str]:
    """A web server on a free port of this machine; ``handler`` may send the files in another form."""
    answering = partial(handler or QuietHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), answering) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Sends the files of a folder and prints nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    """A page in a new context, 1440 × 900."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    yield page
    context.close()


def draw_ours(page: Page) -> float:
    """Milliseconds from bytes in memory to everything drawn."""
    page.wait_for_function("() => window.ready")
    return page.evaluate("() => window.draw()")


def draw_bertviz(page: Page) -> float:
    """Milliseconds from the arrival of the HTML until all of its maps are drawn."""
    page.wait_for_function("() => document.querySelectorAll('svg line').length && window.lastFrame > window.lastChange")
    page.wait_for_function("() => performance.now() - window.lastFrame > 1000")
    return page.evaluate("() => window.lastFrame - performance.getEntriesByType('navigation')[0].responseEnd")


def heap(page: Page) -> float:
    """Megabytes in use by the page's JavaScript, array buffers included, after a garbage collection."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    usage = session.send("Runtime.getHeapUsage")
    return (usage["usedSize"] + usage.get("backingStorageSize", 0)) / 1e6

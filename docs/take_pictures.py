"""Takes the pictures of the README from the running application, with the shipped model; one of them moves.

python -m docs.take_pictures
"""

from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page

from benchmarks.browser import chromium
from tests.serving import application

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
PICTURES = (("explore-light", "", False), ("explore-dark", "", True), ("decode-light", "decode", False))
PATIENCE = 180_000
"""Milliseconds."""
WHAT_IF = "text=The+boy+is+eating+an+apple.&kind=cross&layer=3&head=0"
"""A sentence of the gallery, and one of the cross-attention heads without which it is translated differently."""
WIDTH = 1000
"""Of the moving picture, pixels."""
MOST_BYTES = 1_000_000


def main() -> None:
    """Start the server, take every picture, stop the server."""
    with application() as address, chromium() as browser:
        for name, page, is_dark in PICTURES:
            take(browser, f"{address}/{page}", IMAGES / f"{name}.png", is_dark=is_dark)
        film(browser, f"{address}/?{WHAT_IF}", IMAGES / "what-if.webp")


def take(browser: Browser, address: str, path: Path, *, is_dark: bool) -> None:
    """One picture of 1440 × 900, once the translation stands there and nothing runs any more.

    Without motion, so that the page does not play its change.
    """
    page = browser.new_page(
        viewport={"width": 1440, "height": 900},
        color_scheme="dark" if is_dark else "light",
        locale="en-US",
        reduced_motion="reduce",
    )
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.locator(".target-row .token").first.wait_for()
    _settle(page)
    page.screenshot(path=path)
    page.close()


def film(browser: Browser, address: str, path: Path) -> None:
    """What happens without one head: three words pointed at, the head switched off, the new translation, and back."""
    page = browser.new_page(viewport={"width": 1280, "height": 760}, color_scheme="light", locale="en-US")
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.locator(".target-row .token").first.wait_for()
    _settle(page)
    frames = [(_frame(page), 1400)]
    for place in (0, 1, 2):
        frames.append((_pointed(page, page.locator(".target-row .token").nth(place)), 800))
    switch = page.get_by_role("button", name="Switch this head off")
    frames.append((_pointed(page, switch), 1000))
    switch.click()
    page.get_by_text("en train de manger").first.wait_for()
    _settle(page)
    frames.append((_frame(page), 2600))
    for place in (2, 5):
        frames.append((_pointed(page, page.locator(".target-row .token").nth(place)), 900))
    undo = page.get_by_role("button", name="Undo", exact=True).and_(page.locator(":visible")).first
    frames.append((_pointed(page, undo), 900))
    page.close()
    pictures, lasting = [picture for picture, _ in frames], [milliseconds for _, milliseconds in frames]
    pictures[0].save(
        path,
        save_all=True,
        append_images=pictures[1:],
        duration=lasting,
        loop=0,
        quality=72,
        method=6,
        minimize_size=True,
    )
    if path.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{path.name} has {path.stat().st_size:,} bytes, more than {MOST_BYTES:,}: lower its quality")


def _pointed(page: Page, what: Locator) -> Image.Image:
    """A frame with the pointer on something, drawn because a screenshot has none."""
    box = what.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.wait_for_timeout(700)
    page.evaluate(
        """([x, y]) => {
            const dot = document.createElement("div");
            dot.id = "pointer";
            dot.style.cssText = `position:fixed;z-index:99999;left:${x - 11}px;top:${y - 11}px;width:22px;height:22px;
                border-radius:50%;background:#0008;border:2px solid #fff;pointer-events:none`;
            document.body.append(dot);
        }""",
        [x, y],
    )
    taken = _frame(page)
    page.evaluate("document.getElementById('pointer').remove()")
    return taken


def _frame(page: Page) -> Image.Image:
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    return picture.resize((WIDTH, round(WIDTH * picture.height / picture.width)), Image.Resampling.LANCZOS)


def _settle(page: Page) -> None:
    page.wait_for_timeout(2_000)
    page.locator("html:not([data-pending]) [data-testid=stApp][data-test-script-state=notRunning]").wait_for()


if __name__ == "__main__":
    main()

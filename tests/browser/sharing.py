"""What "Share this change" saves, in the application and on the site."""

import io

import numpy as np
from PIL import Image, ImageChops, ImageSequence
from playwright.sync_api import Locator, Page

from tests.browser.waiting import downloaded


def assert_shared_files(page: Page, dialog: Locator) -> None:
    """The picture shows the change, and the loop goes from the first translation to it in ten seconds."""
    picture = Image.open(io.BytesIO(downloaded(page, dialog.get_by_role("button", name="Save the picture")).content))
    assert picture.size == (960, 540)
    saved = downloaded(page, dialog.get_by_role("button", name="Save the loop"))
    loop = Image.open(io.BytesIO(saved.content))
    assert saved.name == "regard.webp" and loop.size == picture.size and loop.info["loop"] == 0
    frames = []
    lasted = 0
    for frame in ImageSequence.Iterator(loop):
        frames.append(frame.convert("RGB"))
        lasted += loop.info["duration"]
    assert 9_800 <= lasted <= 10_200 and len(frames) > 20
    assert ImageChops.difference(frames[0], frames[-20]).getbbox() is not None
    at_rest = frames[-10]
    assert np.abs(np.asarray(at_rest, float) - np.asarray(picture.convert("RGB"), float)).mean() < 3

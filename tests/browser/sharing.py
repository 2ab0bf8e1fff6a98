"""The files that "Share this change" saves, in the application and on the site."""

import io

import numpy as np
from PIL import Image, ImageChops, ImageSequence
from playwright.sync_api import Locator, Page

from tests.browser.waiting import download


def assert_shared_files(page: Page, dialog: Locator) -> None:
    """The picture shows the changed translation; the ten-second loop leads from the first translation to it."""
    picture = Image.open(io.BytesIO(download(page, dialog.get_by_role("button", name="Save the picture")).content))
    assert picture.size == (960, 540)
    loop_file = download(page, dialog.get_by_role("button", name="Save the loop"))
    loop = Image.open(io.BytesIO(loop_file.content))
    assert loop_file.name == "regard.webp" and loop.size == picture.size and loop.info["loop"] == 0
    frames = []
    duration = 0
    for frame in ImageSequence.Iterator(loop):
        frames.append(frame.convert("RGB"))
        duration += loop.info["duration"]
    assert 9_800 <= duration <= 10_200 and len(frames) > 20
    assert ImageChops.difference(frames[0], frames[-20]).getbbox() is not None
    last_still = frames[-10]
    assert np.abs(np.asarray(last_still, float) - np.asarray(picture.convert("RGB"), float)).mean() < 3

"""Fine-tuning on tu → vous in the browser: choosing the set, reading a new translation, moving the slider."""

import re

import pytest
from playwright.sync_api import Page, expect

import model
from tests.browser.actions import download

LONG = 300_000
"""Timeout in milliseconds; a run imports PyTorch in its own process and shares the processors."""
QUICK = "tune.steps=16&tune.learning_rate=0.002"
"""A learning rate at which the shipped tiny model learns the lesson in a few steps."""


def start(page: Page) -> None:
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text(re.compile(r"Training · step \d+ of"))).to_be_visible(timeout=LONG)


@pytest.fixture
def lesson(open_page):
    page = open_page(f"?model=tiny&{QUICK}", path="fine_tune")
    expect(page.get_by_text("229 pairs to learn from")).to_be_visible()
    return page


@pytest.mark.nightly
def test_the_lesson_changes_the_translation_and_the_slider_goes_back_to_the_old_one(
    lesson, open_page, screenshot, tmp_path
):
    start(lesson)
    expect(lesson.get_by_role("slider", name="Step of the training")).to_be_visible(timeout=LONG)
    address = lesson.url
    lesson.close()  # the run continues after the tab is closed
    page = open_page(address.partition("fine_tune")[2], path="fine_tune")
    expect(page.get_by_role("button", name="Use the result as a model")).to_be_visible(timeout=LONG)
    film = page.locator(".film")
    expect(film.locator(".text")).to_contain_text("vous")
    slider = page.get_by_role("slider", name="Step of the training")
    slider.focus()
    page.keyboard.press("Home")
    expect(film.locator(".step")).to_have_text("step 0")
    expect(page.get_by_role("button", name="Use the model of step 0")).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="Use the result as a model")).to_be_visible()
    film.get_by_role("button", name="Change since the start").click()
    film.locator("canvas.grid").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(film.get_by_text("Layer 1 · Head 1")).to_be_visible()
    screenshot(page, "fine-tune-film")
    page.get_by_role("tab", name="Translations").click()
    expect(page.get_by_text("say vous")).to_be_visible()
    page.get_by_role("button", name="Use the result as a model").click()
    expect(page.get_by_text("is now the model on all pages")).to_be_visible()
    saved = download(page, page.get_by_role("button", name="Download it"))
    (tmp_path / saved.name).write_bytes(saved.content)
    assert "vous" in model.translate(model.load(tmp_path / saved.name), "I know you like your job.").text


def test_a_run_is_paused_resumed_stopped_and_deleted(open_page):
    page = open_page(f"?model=tiny&tune.steps=1500&{QUICK.partition('&')[2]}", path="fine_tune")
    start(page)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text(re.compile(r"Paused · step \d+ of 1500"))).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text(re.compile(r"Training · step \d+ of 1500"))).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile(r"Stopped · step \d+ of 1500"))).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete").last.click()
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_visible()

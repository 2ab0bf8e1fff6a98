"""A short walk with a fixed seed, and tests that its checks detect errors."""

import pytest
from hypothesis import seed
from hypothesis.stateful import run_state_machine_as_test

from tests.nightly import examples
from tests.walk import models
from tests.walk.__main__ import settings_for
from tests.walk.browser import Browser
from tests.walk.checks import WrongError, check_against_fresh_session, check_against_model
from tests.walk.machine import Walking
from viz import cache


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(models.shared()))
    cache.RESULTS.clear()


def test_two_readers_walk_through_the_pages_and_see_what_they_have_chosen():
    run_state_machine_as_test(seed(20)(Walking), settings=settings_for(n_walks=examples(3), n_steps=25))


@pytest.mark.nightly
def test_a_translation_of_another_sentence_is_noticed(monkeypatch):
    first = Browser(params={"text": "the cat is sleeping"})
    check_against_model(first)
    forgetful, translate = {}, cache.translate
    monkeypatch.setattr(
        cache,
        "translate",
        lambda *values, **options: forgetful.setdefault("translation", translate(*values, **options)),
    )
    first.write("the dog is on the sofa")
    check_against_model(first)
    first.write("the cat is sleeping")
    with pytest.raises(WrongError, match="the stage's source is"):
        check_against_model(first)


@pytest.mark.nightly
def test_a_choice_that_is_not_in_the_address_is_noticed():
    browser = Browser(params={"text": "the cat is sleeping", "first_index": "1"})
    check_against_fresh_session(browser)
    browser.app.query_params.pop("first_index")
    with pytest.raises(WrongError, match=r"on explore: here .*first.* is 1"):
        check_against_fresh_session(browser)


def test_words_of_another_language_are_noticed():
    browser = Browser(params={"text": "the cat is sleeping", "language": "fr"})
    check_against_model(browser)
    browser.app.query_params["language"] = "zh"
    with pytest.raises(WrongError, match="the page is in zh"):
        check_against_model(browser)


def test_the_name_of_anothers_model_is_noticed():
    browser = Browser(params={"text": "the cat is sleeping"}, private=models.shelf_of("Ada"))
    check_against_model(browser, "Bob")
    with pytest.raises(WrongError, match="a model of Ada's is named"):
        check_against_model(browser, "Ada")

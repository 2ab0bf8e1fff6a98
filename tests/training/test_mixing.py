"""Sets of pairs mixed into one: what is held out, how often each set is used, which copies are added."""

from pathlib import Path

import pytest

from model.text.pairs import Pair
from model.training.data import FINAL_PUNCTUATION, split_pairs, wording
from model.training.mixing import MAX_JOINED_WORDS, Mixture, Recipe, mix, read_mixture, read_sets, write_mixture
from model.training.settings import TrainingError
from tests.training.jobs import pairs

PLAIN = Recipe(temperature=1, capitals_share=0, unmarked_share=0, joined_share=0)
NEWS = tuple(Pair(f"Report {i} says so.", f"Le rapport {i} le dit.") for i in range(40))


def sources(mixture: Mixture) -> set[str]:
    return {pair.source for pair in mixture.split.train}


def test_the_first_set_alone_is_split_and_as_everywhere_else() -> None:
    mixture = mix({"base": pairs(), "news": NEWS}, PLAIN)
    alone = split_pairs(pairs())
    assert (mixture.split.validation, mixture.split.test) == (alone.validation, alone.test)
    assert set(mixture.split.train) == {*alone.train, *NEWS}
    assert mixture.counts == {"base": len(alone.train), "news": 40, "capitals": 0, "unmarked": 0, "joined": 0}


def test_no_other_set_brings_back_a_held_out_source_in_another_form() -> None:
    held_out = split_pairs(pairs()).test[0]
    shouted = Pair(held_out.source.upper().rstrip(".!") + " !", "N'importe quoi.")
    assert shouted.source not in sources(mix({"base": pairs(), "news": (*NEWS, shouted)}, PLAIN))


@pytest.mark.parametrize("name", ["base", "news"])
def test_no_set_keeps_a_sentence_that_differs_from_a_held_out_one_by_punctuation_alone(name: str) -> None:
    plain = pairs()
    held_out = split_pairs(plain)
    twins = [
        Pair(pair.source.replace(" ", ", ").rstrip(".!?") + "?!", "N'importe quoi.")
        for pair in (*held_out.validation, *held_out.test)
    ]
    sets = {"base": plain, "news": NEWS}
    sets[name] = (*sets[name], *twins)
    mixture = mix(sets, Recipe())
    kept_out = {wording(pair.source) for pair in (*mixture.split.validation, *mixture.split.test)}
    assert kept_out and not kept_out & {wording(source) for source in sources(mixture)}


def test_temperature_repeats_a_small_set_and_a_limit_stops_it() -> None:
    n_base = len(split_pairs(pairs()).train)
    wanted = round(n_base * (40 / n_base) ** 0.5)
    warm = Recipe(temperature=2, capitals_share=0, unmarked_share=0, joined_share=0)
    mixture = mix({"base": pairs(), "news": NEWS}, warm)
    assert mixture.counts["news"] == wanted > 2 * 40
    times = [mixture.split.train.count(pair) for pair in NEWS]
    assert sum(times) == wanted and max(times) - min(times) <= 1
    limited = Recipe(temperature=2, limits={"news": 12}, capitals_share=0, unmarked_share=0, joined_share=0)
    assert mix({"base": pairs(), "news": NEWS}, limited).counts["news"] == 12


def test_copies_change_the_form_and_keep_the_translation() -> None:
    recipe = Recipe(temperature=1, capitals_share=0.1, unmarked_share=0.1, joined_share=0.1)
    plain, mixture = mix({"base": pairs()}, PLAIN), mix({"base": pairs()}, recipe)
    known = {pair.source: pair.target for pair in plain.split.train}
    added = [pair for pair in mixture.split.train if pair.source not in known]
    by_capitals = {source.upper(): target for source, target in known.items()}
    capitals = [pair for pair in added if pair.source in by_capitals]
    assert len(capitals) == mixture.counts["capitals"] > 0
    assert all(by_capitals[pair.source] == pair.target for pair in capitals)
    joined = [pair for pair in added if len(pair.source.split()) > max(len(s.split()) for s in known)]
    assert joined and all(len(pair.source.split()) <= 3 * MAX_JOINED_WORDS for pair in joined)
    assert all(any(pair.target.startswith(target) for target in known.values()) for pair in joined)
    n_unmarked = sum(pair.target[-1] not in FINAL_PUNCTUATION for pair in mixture.split.train)
    assert n_unmarked > sum(target[-1] not in FINAL_PUNCTUATION for target in known.values())


def test_long_pairs_are_left_out() -> None:
    long = Pair("word " * 61, "mot")
    mixture = mix({"base": pairs(), "news": (*NEWS, long)}, PLAIN)
    assert long.source not in sources(mixture)


def test_a_mixture_is_repeatable_and_comes_back_from_its_folder_with_its_repeats(tmp_path: Path) -> None:
    recipe = Recipe(temperature=2)
    first, again = (mix({"base": pairs(), "news": NEWS}, recipe) for _ in range(2))
    assert first == again
    write_mixture(first, tmp_path)
    assert read_mixture(tmp_path) == first.split


def test_sets_are_named_by_their_files(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("en-fr.base.tsv", "en-fr.news.tsv")]
    for path in paths:
        path.write_text("Go!\tVa !\n", "utf-8")
    assert list(read_sets(paths)) == ["base", "news"]
    other = tmp_path / "news.tsv"
    other.write_text("Go!\tVa !\n", "utf-8")
    assert list(read_sets([*paths, other])) == ["en-fr.base", "en-fr.news", "news"]
    with pytest.raises(TrainingError, match="same name"):
        read_sets([paths[0], paths[0]])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"temperature": 0.5}, "temperature .0.5. must be at least 1"),
        ({"joined_share": 1.0}, "joined_share .1.0. must lie in"),
        ({"max_words": 0}, "max_words must be at least 1"),
    ],
)
def test_a_recipe_out_of_range_is_refused(changes: dict, message: str) -> None:
    with pytest.raises(TrainingError, match=message):
        Recipe(**changes)


def test_the_error_of_a_missing_set_lists_the_sets() -> None:
    with pytest.raises(TrainingError, match=r"no set nwes to limit: the sets are base, news"):
        mix({"base": pairs(), "news": NEWS}, Recipe(limits={"nwes": 3}))

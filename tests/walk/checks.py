"""Checks for every screen: no exception, and everything shown matches the choices.

``check_against_model`` recomputes the sentence, the explorer and the chips from the address alone, without the
application's caches. ``check_against_fresh_session`` compares the screen with that of a new session with empty caches.
"""

import json
import re
from collections import OrderedDict
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, cast

import numpy as np

import model
from model import Bundle, Trace
from model.inference.alone import read
from tests.walk.browser import FRONT, Browser, data_of
from viz import cache as app_cache
from viz.export.names import with_language
from viz.i18n import LANGUAGES, catalogue, speaking
from viz.panels.opening import opening
from viz.panels.reading import ModelInput, Reading, is_alone, prepare_input, translation_options
from viz.plain_text import chip_text
from viz.results import LruCache
from viz.state.rules import from_params
from viz.state.selection import Selection

PRIVATE = "regard.private_models"
_MARGIN = 1e-4
_known: OrderedDict[tuple, tuple[Bundle, Trace | None]] = OrderedDict()
"""A cache of the tests, keyed by the bundle object, to which it holds a reference, and not by its name or content."""


class WrongError(AssertionError):
    """Something on screen does not match the choices."""


def check_against_model(browser: Browser, other_reader: str = "") -> None:
    """Compare one browser's screen with its address.

    Args:
        other_reader: another reader's name, which is part of their models' names and may not appear here.

    Raises:
        WrongError: with a description of what does not match.
    """
    if browser.app.exception:
        error = browser.app.exception[0]
        raise WrongError(f"exception: {error.message}\n" + "\n".join(error.stack_trace))
    selection = from_params(Selection, browser.params)
    texts = list(dict.fromkeys(_texts(browser)))
    _language(browser, texts)
    for text in texts:
        if other_reader and f" of {other_reader}" in text:
            raise WrongError(f"a model of {other_reader}'s is named in {text!r}")
    if app_cache.RESULTS.used_bytes > app_cache.RESULTS.max_bytes:
        raise WrongError(f"the cache holds {app_cache.RESULTS.used_bytes} bytes")
    bundle = bundle_of(browser)
    if bundle is None or "sentence" not in browser.components():
        return
    _stage(browser, selection, bundle)


def bundle_of(browser: Browser) -> Bundle | None:
    """The model that the address names, or the one used in its place."""
    name, private = browser.params.get("model", ""), private_models(browser)
    if name in private:
        return private[name]
    names = app_cache.model_names()
    return app_cache.bundle(name if name in names else names[0])


def private_models(browser: Browser) -> dict[str, Bundle]:
    """The models that the session has opened."""
    return browser.app.session_state.get(PRIVATE, {})


def check_against_fresh_session(browser: Browser) -> None:
    """Open the address in a new session with empty caches, and compare the two screens.

    Raises:
        WrongError: naming the first thing that differs.
    """
    cached = app_cache.RESULTS
    app_cache.RESULTS = LruCache(cached.max_bytes)
    try:
        fresh = Browser(
            theme=browser.theme,
            locale=browser.locale,
            page=browser.page,
            params=browser.params,
            private=private_models(browser),
        )
    finally:
        app_cache.RESULTS = cached
    actual, expected = drawn_data(browser), drawn_data(fresh)
    for name, value in expected.items():  # measurements started by a button belong to the session
        if actual.get(name) != value:
            shown_part, expected_part = _difference(actual.get(name), value)
            raise WrongError(
                f"{name} on {browser.page}: here {shown_part}\n  in a fresh session of the same address {expected_part}"
            )


def drawn_data(browser: Browser) -> dict[str, Any]:
    """The data drawn from the choices: charts, texts, and components without their session-specific fields."""
    data: dict[str, Any] = {}
    for key, proto in browser.components().items():
        if key == "explorer":
            explorer = browser.explorer()
            assert explorer is not None
            _, header, arrays = explorer
            for view in header["views"]:
                view.pop("corpus", None)  # measurements on a set of sentences belong to the session
            data[key] = {"state": browser.look(), "header": header, "arrays": arrays}
        elif proto.WhichOneof("data") == "bytes":
            data[key] = proto.bytes
        else:
            data[key] = data_of(proto)
            data[key].pop("recent", None)  # earlier sentences belong to the session
    return data


def _stage(browser: Browser, selection: Selection, bundle: Bundle) -> None:
    stage = data_of(browser.components()["sentence"])
    if stage["language"] != browser.language:
        raise WrongError(f"the page is read aloud in {stage['language']}, the choice is {browser.language}")
    stored = browser.app.session_state.get("regard.choices")
    chosen = stored.params if stored else browser.params
    expected = trace_of(bundle, selection, chosen.get("text", selection.text), is_chosen="text" in chosen)
    source, target = [chip["text"] for chip in stage["source"]], [chip["text"] for chip in stage["target"]]
    if expected is None:
        if source:
            raise WrongError(f"the stage shows {source} for an empty or unreadable sentence")
        return
    input_tokens = expected.source if len(expected.source) else expected.prefix
    for side, tokens, right in (("source", source, input_tokens.pieces), ("target", target, expected.target.pieces)):
        with speaking(browser.language):
            pieces = [chip_text(piece) for piece in right]
        if tokens != pieces:
            raise WrongError(f"the stage's {side} is {tokens}, and must be {pieces}")
    explorer = browser.explorer()
    is_first_view = browser.page == FRONT and not (selection.other_text or selection.other_model)
    if (
        explorer is not None
        and is_first_view
        and browser.app.session_state.get("regard.memory", {}).get("attention_file") is None
    ):
        _explorer(browser, explorer, selection, bundle, expected)


def _explorer(
    browser: Browser,
    explorer: tuple[dict[str, Any], dict[str, Any], bytes],
    selection: Selection,
    bundle: Bundle,
    expected: Trace,
) -> None:
    _, header, arrays = explorer
    view = header["views"][0]
    if not view["caption"].endswith(f" · {with_language(bundle.name, bundle.target_language)}"):
        raise WrongError(f"the explorer's caption {view['caption']!r} does not name the model {bundle.name!r}")
    ablated = sorted([item.kind, item.layer, item.head] for item in expected.interventions.heads_off)
    if sorted(view["off"]) != ablated:
        raise WrongError(f"the explorer shows {view['off']} off, and {ablated} are")
    if header["firstIndex"] != selection.first_index:
        raise WrongError(f"the explorer counts from {header['firstIndex']}, the choice is {selection.first_index}")
    for place, tokens in zip(view["places"], (expected.source, expected.prefix, expected.target), strict=True):
        texts = view["axes"][place]["texts"]
        if len(texts) != len(tokens):
            raise WrongError(f"an axis of the explorer has {texts} for {tokens.pieces}")
    for kind in view["kinds"]:
        weights = expected.attention.of(kind["name"])
        assert weights is not None
        n_layers, n_heads, *lengths = weights.shape
        shape = [n_layers, 1 if view["weighting"] == "rollout" else n_heads, *lengths]
        if shape != [kind["layers"], kind["heads"], kind["rows"], kind["columns"]]:
            raise WrongError(f"{kind['name']} is drawn as {kind} for weights of {weights.shape}")
        if view["weighting"] == "raw" and kind["encoding"] == "float32":
            texts = np.frombuffer(arrays, np.float32, weights.size, kind["offset"]).reshape(weights.shape)
            if not np.allclose(texts, weights, atol=_MARGIN, equal_nan=True):
                raise WrongError(
                    f"the weights of {kind['name']} are another sentence's: {np.abs(texts - weights).max()} off"
                )
    chosen = browser.look()
    if chosen["kind"] not in {kind["name"] for kind in view["kinds"]}:
        raise WrongError(f"the explorer looks at {chosen['kind']}, which the model lacks")


def trace_of(bundle: Bundle, selection: Selection, text: str, *, is_chosen: bool = True) -> Trace | None:
    """The model's trace for the choices; None if the model cannot use them."""
    selection = selection.within(app_cache.extent(bundle))
    prepared = prepare_input(bundle, opening(bundle, text, is_chosen=is_chosen))
    if not prepared.text:
        return None
    reading = Reading(selection, bundle, cast(Trace, None), prepared)
    key = (id(bundle), prepared.text, repr(translation_options(reading)) if _can_read(bundle, prepared) else "")
    if key not in _known:
        _known[key] = (bundle, _compute(bundle, reading))
        if len(_known) > 200:
            _known.popitem(last=False)
    return _known[key][1]


def _can_read(bundle: Bundle, prepared: ModelInput) -> bool:
    try:
        app_cache.extent(bundle)
        translation_options(Reading(Selection(), bundle, cast(Trace, None), prepared))
    except ValueError:
        return False
    return True


def _compute(bundle: Bundle, reading: Reading) -> Trace | None:
    try:
        if is_alone(bundle):
            return read(bundle, reading.text, interventions=reading.selection.interventions)
        return model.translate(bundle, reading.text, **translation_options(reading))
    except ValueError:
        return None


def _texts(browser: Browser) -> Iterator[str]:
    """All text on screen outside components."""
    for node in browser.elements():
        # The menu of languages names each language in itself.
        if node.key == "language" or node.type in ("bidi_component", "html", "imgs", "code"):
            continue
        for name in ("label", "body", "placeholder"):
            text = getattr(node.proto, name, "")
            if isinstance(text, str) and text:
                yield text
        options = getattr(node.proto, "options", ())
        yield from (option for option in options if isinstance(option, str))
        if node.type in ("arrow_vega_lite_chart", "plotly_chart"):
            yield from _titles(json.loads(node.proto.spec or "{}"))
    for proto in browser.components().values():
        data = data_of(proto)
        for name in ("words", "strings"):
            yield from (text for text in data.get(name, {}).values() if isinstance(text, str))


def _titles(spec: Any) -> Iterator[str]:
    if isinstance(spec, dict):
        for name, value in spec.items():
            if name in ("title", "text") and isinstance(value, str):
                yield value
            yield from _titles(value)
    elif isinstance(spec, list):
        for value in spec[:50]:
            yield from _titles(value)


def _language(browser: Browser, texts: list[str]) -> None:
    for text in texts:
        languages = _languages_of(text)
        if languages and browser.language not in languages:
            raise WrongError(f"{text!r} is in {', '.join(sorted(languages))}; the page is in {browser.language}")


@lru_cache(50_000)
def _languages_of(text: str) -> frozenset[str]:
    """Languages whose catalogue contains this text."""
    return frozenset(code for code in LANGUAGES if text in _plain(code) or any(p.fullmatch(text) for p in _forms(code)))


@cache
def _plain(language: str) -> frozenset[str]:
    return frozenset(words for words in catalogue(language).values() if "{" not in words)


@cache
def _forms(language: str) -> tuple[re.Pattern[str], ...]:
    """Patterns for texts with fields, if enough fixed words remain."""
    forms = []
    for words in catalogue(language).values():
        parts = re.split(r"\{[^{}]*\}", words)
        if len(parts) > 1 and sum(sum(map(str.isalpha, part)) for part in parts) >= (8 if language != "zh" else 4):
            forms.append(re.compile(".*".join(map(re.escape, parts)), re.DOTALL))
    return tuple(forms)


def _difference(actual: Any, expected: Any, path: str = "") -> tuple[str, str]:
    """The first place where two values differ, shortened."""
    if isinstance(actual, dict) and isinstance(expected, dict):
        name = next(name for name in [*actual, *expected] if actual.get(name) != expected.get(name))
        return _difference(actual.get(name), expected.get(name), f"{path}.{name}")
    if isinstance(actual, list) and isinstance(expected, list) and len(actual) == len(expected):
        i = next(i for i in range(len(actual)) if actual[i] != expected[i])
        return _difference(actual[i], expected[i], f"{path}[{i}]")
    return f"{path} is {actual!r:.300}", f"it is {expected!r:.300}"

"""``viz.show`` and ``viz.export_html`` turn anything that has attention into one page with all of its weights."""

import base64
import dataclasses
import gzip
import html
import json
import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
import transformers

import viz
from model.attention_files import AttentionRecord, RecordError, npz_bytes
from model.bundle import Bundle
from model.inference.scoring import score
from model.inference.translation import translate
from model.interpret.attribution import gradient_attention
from model.interventions import BlockedKey, HeadOff, Interventions
from model.trace import AttentionMaps
from tests.checkpoint import tiny_bundle
from tests.tiny import random_rows as rows
from tests.tiny import tiny_model
from viz.export import html_page, record_of, view_of
from viz.i18n import speaking, tr

causal = partial(rows, seed=1, is_causal=True)


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    model = tiny_model()
    return Bundle("tiny", model, model.config, None, None, fingerprint="ab" * 32)


def header(page: str) -> dict[str, Any]:
    """The header of the data in a page."""
    match = re.search(r"boot\(document.getElementById\('regard'\), '([^']+)'\)", page)
    assert match
    packet = gzip.decompress(base64.b64decode(match.group(1)))
    length = int.from_bytes(packet[:4], "little")
    return json.loads(packet[4 : 4 + length])


def test_a_trace_is_written_whole(bundle: Bundle, tmp_path: Path) -> None:
    trace = translate(bundle, "#5 #6 #7 #3")
    path = viz.export_html(trace, tmp_path / "trace.html", bundle=bundle)
    page = path.read_text("utf-8")
    view = header(page)["views"][0]
    assert [kind["name"] for kind in view["kinds"]] == ["encoder_self", "decoder_self", "cross"]
    assert {kind["encoding"] for kind in view["kinds"]} == {"float32"}
    assert "tiny" in view["caption"]


def test_the_page_asks_for_nothing_outside_itself(bundle: Bundle) -> None:
    page = html_page(view_of(translate(bundle, "#5 #6 #3")))
    assert "default-src 'none'" in page
    assert not re.findall(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", page)
    assert "import " not in re.sub(r"[*/].*", "", page.split('<script type="module">')[1]).split("boot(")[0][:200]


def test_hostile_tokens_cannot_leave_the_data() -> None:
    hostile = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\u202e", "x" * 5000)
    record = AttentionRecord(
        maps=AttentionMaps(rows(1, 1, 4, 4), None, None), source_tokens=hostile,
        source_text="</title><script>alert(1)</script>",
    )  # fmt: skip
    page = html_page(view_of(record))
    assert page.count("</script>") == 1
    assert page.count("<script") == 1
    assert "<img src=x" not in page and "onerror=alert" not in page
    assert "<title>&lt;/title&gt;" in page
    frame = viz.show(record)._repr_html_()
    assert frame.count("<script") == 0
    assert html.unescape(frame.split('srcdoc="')[1].split('"')[0]) == viz.show(record).page


def test_long_sentences_give_up_digits_before_they_grow_too_large() -> None:
    tokens = tuple("t" * 60)
    record = AttentionRecord(maps=AttentionMaps(rows(6, 8, 60, 60), None, None), source_tokens=tokens)
    page = html_page(view_of(record), max_bytes=600_000)
    assert header(page)["views"][0]["kinds"][0]["encoding"] == "uint8"
    assert header(html_page(view_of(record), max_bytes=10**8))["views"][0]["kinds"][0]["encoding"] == "float32"


def test_forty_tokens_with_all_heads_stay_under_a_megabyte() -> None:
    tokens = tuple(f"token{i}" for i in range(40))
    maps = AttentionMaps(rows(6, 8, 40, 40), causal(6, 8, 40, 40), rows(6, 8, 40, 40, seed=2))
    record = AttentionRecord(maps=maps, source_tokens=tokens, target_tokens=tokens, prefix_tokens=tokens)
    assert len(html_page(view_of(record)).encode()) <= 1_000_000


@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_the_page_is_in_the_requested_language(language: str) -> None:
    record = AttentionRecord(maps=AttentionMaps(rows(1, 1, 2, 2), None, None), source_tokens=("a", "b"))
    page = html_page(view_of(record), language=language)
    assert f'<html lang="{language}">' in page
    words = header(page)["strings"]
    assert words and all(words.values())


def test_a_file_is_shown_by_its_path(tmp_path: Path) -> None:
    record = AttentionRecord(maps=AttentionMaps(None, causal(2, 2, 3, 3), None), target_tokens=("a", "b", "c"))
    path = tmp_path / "gpt.npz"
    path.write_bytes(npz_bytes(record))
    assert header(viz.show(path).page)["views"][0]["kinds"][0]["causal"] is True
    assert header(viz.show(str(path)).page)["views"][0]["kinds"][0]["name"] == "decoder_self"


def test_lists_of_tensors_are_read_by_their_shape() -> None:
    encoder = [torch.tensor(layer)[None] for layer in rows(2, 2, 3, 3)]
    decoder = tuple(torch.tensor(layer)[None] for layer in causal(2, 2, 3, 3))
    crossed = [torch.tensor(layer)[None] for layer in rows(2, 2, 2, 3)]
    assert record_of(encoder, source_tokens="abc").maps.kinds == ("encoder_self",)
    assert record_of(decoder, source_tokens="abc").maps.kinds == ("decoder_self",)
    assert record_of(decoder, source_tokens="abc").is_causal
    assert record_of(crossed, source_tokens="abc", target_tokens="xy").maps.kinds == ("cross",)


def test_outputs_of_a_translation_model_give_all_three_kinds() -> None:
    outputs = SimpleNamespace(
        encoder_attentions=tuple(torch.tensor(rows(2, 2, 3, 3))[:, None]),
        decoder_attentions=tuple(torch.tensor(causal(2, 2, 2, 2))[:, None]),
        cross_attentions=tuple(torch.tensor(rows(2, 2, 2, 3))[:, None]),
    )
    record = record_of(outputs, source_tokens="abc", target_tokens="xy", model="marian")
    assert record.maps.kinds == ("encoder_self", "decoder_self", "cross")
    assert (record.prefix_tokens, record.is_causal, record.model) == (None, True, "marian")


def test_outputs_of_generation_distinguish_prefix_and_predictions() -> None:
    def steps(n_keys: list[int], seed: int) -> tuple:
        return tuple(tuple(torch.tensor(rows(1, 2, 1, n, seed=seed + n)) for _ in range(2)) for n in n_keys)

    outputs = {
        "encoder_attentions": tuple(torch.tensor(rows(2, 2, 3, 3))[:, None]),
        "decoder_attentions": steps([1, 2], 0),
        "cross_attentions": steps([3, 3], 5),
    }
    record = record_of(outputs, source_tokens="abc", target_tokens=("<s>", "x", "</s>"))
    assert (record.prefix_tokens, record.target_tokens) == (("<s>", "x"), ("x", "</s>"))
    assert record.maps.cross is not None and record.maps.cross.shape == (2, 2, 2, 3)
    assert record.maps.cross[0, 1, 1] == pytest.approx(rows(1, 2, 1, 3, seed=8)[0, 1, 0])


def test_a_gradient_is_drawn_as_a_share_of_its_heads_strongest_row(bundle: Bundle) -> None:
    trace = score(bundle, "#5 #6 #3", "#7 #8 #3")
    gradient = gradient_attention(bundle, trace, step=1)
    record = AttentionRecord.of(trace, bundle=bundle, maps=gradient.maps, weighting="gradient")
    view = view_of(record)
    assert view.weighting == "gradient"
    shares, raw = view.attention.cross, gradient.maps.cross
    assert shares is not None and raw is not None
    assert shares.sum(-1).max(-1) == pytest.approx(1, abs=1e-5)
    assert shares[0, 0, 0, 0] * abs(raw[0, 0, 1, 1]) == pytest.approx(
        shares[0, 0, 1, 1] * abs(raw[0, 0, 0, 0]), rel=1e-3
    )


def test_only_weights_earn_a_head_its_name() -> None:
    maps = AttentionMaps(None, None, np.eye(3, dtype=np.float32)[None, None])
    fields = {"maps": maps, "source_tokens": tuple("abc"), "target_tokens": tuple("xyz")}
    with_name, without_name = (
        header(html_page(view_of(AttentionRecord(**fields, weighting=weighting))))["views"][0]["labels"]
        for weighting in ("raw", "gradient")
    )
    assert with_name["cross"] == [[["diagonal", 1.0]]]
    assert without_name == {}


@pytest.mark.parametrize(
    ("value", "message"),
    [(7, "int cannot be shown"), ([rows(1, 2, 3, 3)], "for 0 query"), ({"attentions": (None,)}, "eager")],
)
def test_values_that_cannot_be_shown_are_refused_with_the_reason(value: Any, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        viz.show(value)


def test_only_the_two_public_names_are_resolved() -> None:
    with pytest.raises(AttributeError, match="no attribute 'shows'"):
        viz.shows  # noqa: B018


def test_a_page_offers_and_opens_on_the_weights_in_its_file(bundle: Bundle) -> None:
    trace = translate(bundle, "#5 #6 #7 #3")
    maps = gradient_attention(bundle, trace, step=0).maps
    record = AttentionRecord.of(trace, bundle=bundle, maps=maps, weighting="gradient")
    in_the_application = dataclasses.replace(view_of(trace), weightings=("raw", "rollout", "gradient"))
    for view, weighting in ((view_of(record), "gradient"), (in_the_application, "raw")):
        page_header = header(html_page(view))
        assert page_header["state"]["weighting"] == page_header["views"][0]["weighting"] == weighting
        assert page_header["views"][0]["weightings"] == [weighting], "no others: a file has no server to compute them"


@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_a_caption_names_the_changes_in_the_requested_language(language: str) -> None:
    small = tiny_bundle()
    changed = Interventions(HeadOff("cross", 1, 0), blocked_keys=BlockedKey("encoder_self", 1))
    trace = translate(small, "the cat is sleeping", interventions=changed)
    forced = AttentionRecord.of(trace, bundle=small, n_forced=1)
    with speaking(language):
        kinds = {kind: tr(f"frame.kind_{kind}").lower() for kind in ("encoder_self", "cross")}
        head_off = tr("frame.change_off", kind=kinds["cross"], layer=1, head=0)
        hidden = tr("frame.change_block", kind=kinds["encoder_self"], token="cat")
        begins = tr("frame.prefix_fixed", text=trace.target_tokens[0])
    maps = AttentionMaps(trace.attention.encoder_self, None, None)
    marked = dataclasses.replace(
        forced, maps=maps, target_tokens=("▁un", "▁ca", "napé"), prefix_tokens=None, log_probs=None, changes="begin:3"
    )
    with speaking(language):
        pieces = tr("frame.prefix_fixed", text="un canapé")
    assert f" · {pieces} · " in header(viz.show(marked, language=language).page)["views"][0]["caption"]
    between = "、" if language == "zh" else ", "
    for value, words in ((trace, [head_off, hidden]), (forced, [head_off, hidden, begins])):
        caption = header(viz.show(value, bundle=small, language=language).page)["views"][0]["caption"]
        model = f"{small.name} → {small.target_language}"
        assert caption == f"the cat is sleeping → {trace.text} · {between.join(words)} · {model}"


def test_a_caption_survives_changes_that_fit_no_sentence() -> None:
    record = AttentionRecord(
        maps=AttentionMaps(rows(1, 1, 2, 2), None, None), source_tokens=("a", "b"), source_text="a b",
        changes="off:x.0.1 block:e.77... force:q.1 begin:9999 patch:encoder.embedding@5=zero %s {x}" + 9 * " off:d.0.0",
    )  # fmt: skip
    caption = header(viz.show(record).page)["views"][0]["caption"]
    assert caption.startswith("a b · cross 0·1 off") and "more changes" in caption


SMALL: Any = {"attn_implementation": "eager"}


def rows_sum_to_one(record: AttentionRecord) -> bool:
    weights = [record.maps.of(kind) for kind in record.maps.kinds]
    return all(bool((abs(w.sum(-1) - 1) < 1e-4).all()) for w in weights if w is not None)


@pytest.fixture(scope="module")
def marian() -> Any:
    torch.manual_seed(0)
    config = transformers.MarianConfig(
        vocab_size=30, d_model=16, encoder_layers=2, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=4, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=32,
        pad_token_id=29, eos_token_id=28, decoder_start_token_id=29, forced_eos_token_id=None, **SMALL,
    )  # fmt: skip
    return transformers.MarianMTModel(config).eval()


def test_a_reader_gives_encoder_attention() -> None:
    config = transformers.BertConfig(
        vocab_size=30, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=16, **SMALL
    )
    outputs = transformers.BertModel(config).eval()(torch.tensor([[1, 2, 3]]), output_attentions=True)
    record = record_of(outputs, source_tokens=["[CLS]", "a", "[SEP]"])
    assert record.maps.kinds == ("encoder_self",)
    assert record.maps.encoder_self is not None and record.maps.encoder_self.shape == (2, 2, 3, 3)
    assert rows_sum_to_one(record)
    assert record_of(outputs.attentions, source_tokens="abc").maps.kinds == ("encoder_self",)


def test_a_language_model_gives_causal_attention() -> None:
    config = transformers.GPT2Config(vocab_size=30, n_embd=16, n_layer=2, n_head=2, n_positions=16, **SMALL)
    outputs = transformers.GPT2LMHeadModel(config).eval()(torch.tensor([[1, 2, 3]]), output_attentions=True)
    record = record_of(outputs, source_tokens="abc")
    assert (record.maps.kinds, record.is_causal, record.target_tokens) == (("decoder_self",), True, ("a", "b", "c"))
    assert rows_sum_to_one(record)


def test_a_translation_model_gives_all_three(marian: Any) -> None:
    fed = torch.tensor([[29, 5]])
    outputs = marian(torch.tensor([[1, 2, 3]]), decoder_input_ids=fed, output_attentions=True)
    record = record_of(outputs, source_tokens="abc", target_tokens=("<s>", "x"))
    shapes = [weights.shape for weights in map(record.maps.of, record.maps.kinds) if weights is not None]
    assert shapes == [(2, 2, 3, 3), (1, 4, 2, 2), (1, 4, 2, 3)]
    assert rows_sum_to_one(record) and record.is_causal


def test_generation_gives_the_same_weights_as_reading_its_result_again(marian: Any) -> None:
    source = torch.tensor([[1, 2, 3]])
    outputs = marian.generate(
        source, output_attentions=True, return_dict_in_generate=True, num_beams=1, max_new_tokens=4, do_sample=False
    )
    tokens = [f"#{token}" for token in outputs.sequences[0].tolist()]
    record = record_of(outputs, source_tokens="abc", target_tokens=tokens)
    assert record.prefix_tokens == tuple(tokens[:-1]) and record.target_tokens == tuple(tokens[1:])
    forced_outputs = marian(source, decoder_input_ids=outputs.sequences[:, :-1], output_attentions=True)
    forced_record = record_of(forced_outputs, source_tokens="abc", target_tokens=tokens[:-1])
    assert record.maps.cross == pytest.approx(forced_record.maps.cross, abs=1e-5)
    assert record.maps.decoder_self == pytest.approx(forced_record.maps.decoder_self, abs=1e-5)
    assert rows_sum_to_one(record)


def test_the_error_for_an_output_without_attention_names_the_remedy() -> None:
    config = transformers.BertConfig(
        vocab_size=30, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    outputs = transformers.BertModel(config).eval()(torch.tensor([[1, 2]]))
    with pytest.raises(RecordError, match="output_attentions=True"):
        record_of(outputs, source_tokens="ab")

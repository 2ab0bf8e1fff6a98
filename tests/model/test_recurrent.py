"""The recurrent translator: its attention by hand, batches, caches, files, and training by the project's trainer."""

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
import torch

import model
from model.checkpoints import Bundle, CheckpointError
from model.checkpoints.recurrent import load_recurrent, save_recurrent, shipped_folders
from model.config import ConfigError
from model.interventions import HeadOff, InterventionError, Interventions
from model.nn.recurrent import RecurrentConfig, RecurrentTranslator
from model.runs.folder import RunFolder
from model.training.by_length import read_scores
from model.training.data import encode_pairs, split_pairs
from model.training.events import Finished
from model.training.trainer import Store, Trainer
from model.training.vocabularies.learned import train_tokenizer
from tests.tiny import tiny_batch
from tests.training.jobs import SETTINGS, pairs

BOTH = pytest.mark.parametrize("has_attention", [True, False])


def translator(*, has_attention: bool = True, seed: int = 0) -> RecurrentTranslator:
    torch.manual_seed(seed)
    config = RecurrentConfig(vocab_size=20, d_embedding=6, d_model=8, d_attention=5, has_attention=has_attention)
    made = RecurrentTranslator(config).eval()
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.normal_(std=0.5)
    return made


@pytest.mark.nightly("True")
@BOTH
def test_a_padded_batch_equals_its_sentences_one_by_one(has_attention):
    made, (source, target) = translator(has_attention=has_attention), tiny_batch()
    with torch.inference_mode():
        together = made.decode(target, made.encode(source), capture=True)
        for row in range(len(source)):
            alone = source[row][source[row] != 0][None]
            single = made.decode(target[row : row + 1], made.encode(alone), capture=True)
            torch.testing.assert_close(together.hidden[row], single.hidden[0])
            if has_attention:
                torch.testing.assert_close(together.cross[0][row, 0, :, : alone.shape[1]], single.cross[0][0, 0])
                assert not together.cross[0][row, 0, :, alone.shape[1] :].any()


@BOTH
def test_a_step_at_a_time_equals_all_at_once(has_attention):
    made, (source, target) = translator(has_attention=has_attention), tiny_batch()
    with torch.inference_mode():
        encoded, steps = made.encode(source), []
        caches: list[Any] = [None]
        for t in range(target.shape[1]):
            decoded = made.decode(target[:, t : t + 1], encoded, cache=caches[-1], keep_cache=True)
            caches.append(decoded.cache)
            steps.append(decoded.hidden)
        torch.testing.assert_close(torch.cat(steps, 1), made.decode(target, encoded).hidden)


def test_the_first_step_follows_by_hand():
    made, (source, target) = translator(), tiny_batch()
    with torch.inference_mode():
        encoded = made.encode(source[:1])
        decoded = made.decode(target[:1, :1], encoded, capture=True)
        h = encoded.memory[0]
        state = torch.tanh(made.first_state.weight @ torch.cat((h[-1, :4], h[0, 4:])) + made.first_state.bias)
        part = made.attention
        assert part is not None
        scores = torch.stack([
            part.score.weight[0] @ torch.tanh(part.query.weight @ state + part.key.weight @ row) for row in h
        ])  # fmt: skip
        weights = scores.softmax(0)
        context = torch.stack([weight * row for weight, row in zip(weights, h, strict=True)]).sum(0)
        x = made.embedding.weight[target[0, 0]]
        state = made.decoder(torch.cat((x, context))[None], state[None])[0]
        hidden = torch.tanh(made.readout.weight @ torch.cat((state, context, x)) + made.readout.bias)
        logits = made.embedding.weight @ hidden + made.output.bias
        projected = made.project(decoded.hidden)[0, 0]
    torch.testing.assert_close(decoded.cross[0][0, 0, 0], weights)
    torch.testing.assert_close(decoded.hidden[0, 0], hidden)
    torch.testing.assert_close(projected, logits)


def test_without_attention_the_source_reaches_the_decoder_through_one_vector_alone():
    made, (source, target) = translator(has_attention=False), tiny_batch()
    with torch.inference_mode():
        encoded = made.encode(source[:1])
        memory = encoded.memory.clone()
        memory[:, 1:-1] = 99.0
        changed = made.decode(target[:1], replace(encoded, memory=memory))
        torch.testing.assert_close(changed.hidden, made.decode(target[:1], encoded).hidden)
    assert made.attention is None


def test_interventions_are_refused():
    with pytest.raises(InterventionError, match="no heads"):
        translator().encode(tiny_batch()[0], interventions=Interventions(heads_off=(HeadOff("cross", 0, 0),)))


@pytest.mark.parametrize(("field", "value"), [("vocab_size", 0), ("d_model", 7), ("dropout", 1.0)])
def test_impossible_numbers_are_named(field, value):
    with pytest.raises(ConfigError, match=field):
        fields: dict[str, Any] = {"vocab_size": 20, field: value}
        RecurrentConfig(**fields)


@pytest.fixture(scope="module")
def untrained():
    """With attention, and the small grammar's vocabulary."""
    tokenizer = train_tokenizer(split_pairs(pairs()).train, vocab_size=80)
    return _bundle(tokenizer, has_attention=True)


def _bundle(tokenizer, *, has_attention):
    torch.manual_seed(1)
    config = RecurrentConfig(vocab_size=tokenizer.size, d_embedding=24, d_model=48, d_attention=24,
                             has_attention=has_attention, dropout=0.0)  # fmt: skip
    return Bundle("gru", cast(Any, RecurrentTranslator(config)), cast(Any, config), tokenizer, tokenizer,
                  family="recurrent", source_language="en", target_language="fr")  # fmt: skip


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Both variants, trained with the project's trainer on the small grammar."""
    result, split = {}, split_pairs(pairs())
    tokenizer = train_tokenizer(split.train, vocab_size=80)
    examples, validation = (encode_pairs(part, tokenizer, tokenizer, max_length=20)
                            for part in (split.train, split.validation))  # fmt: skip
    for has_attention in (True, False):
        bundle = _bundle(tokenizer, has_attention=has_attention)
        folder = RunFolder(tmp_path_factory.mktemp("run"))
        settings = replace(SETTINGS, steps=150, accumulation=1, learning_rate=1.5e-2, warmup_steps=20,
                           validate_every=150, label_smoothing=0.0, bare_share=0.0)  # fmt: skip
        store = Store(save_recurrent, load_recurrent)
        trainer = Trainer(bundle, examples, split.validation, validation, settings, folder, store)
        events = list(trainer.run())
        result[has_attention] = (events, load_recurrent(folder.result), split)
    return result


@pytest.mark.nightly
@BOTH
def test_the_projects_trainer_teaches_it_the_small_grammar(trained, has_attention):
    events, bundle, split = trained[has_attention]
    assert isinstance(events[-1], Finished)
    assert events[-1].bleu > 60
    pair = next(pair for pair in split.train if "sleeps" in pair.source)
    trace = model.translate(bundle, pair.source)
    assert trace.attention.kinds == (("cross",) if has_attention else ())
    if has_attention:
        assert trace.attention.cross is not None
        assert trace.attention.cross.shape == (1, 1, len(trace.target), len(trace.source))
        np.testing.assert_allclose(trace.attention.cross.sum(-1), 1, atol=1e-5)


def test_files_give_the_same_model_back(untrained, tmp_path):
    bundle = untrained
    again = load_recurrent(save_recurrent(bundle, tmp_path / "gru"))
    assert again.fingerprint and again.config == bundle.config and again.source_language == "en"
    for name, tensor in bundle.model.state_dict().items():
        torch.testing.assert_close(again.model.state_dict()[name], tensor, rtol=0, atol=0)
    half = load_recurrent(save_recurrent(bundle, tmp_path / "half", dtype="float16"))
    assert (tmp_path / "half/model.safetensors").stat().st_size < 0.6 * (
        tmp_path / "gru/model.safetensors"
    ).stat().st_size
    assert half.model.embedding.weight.dtype == torch.float32


def test_damaged_files_are_named(untrained, tmp_path):
    folder = save_recurrent(untrained, tmp_path / "gru")
    (folder / "recurrent.json").write_text('{"recurrent": {"vocab_size": "many"}}')
    with pytest.raises(CheckpointError, match=r"recurrent\.json"):
        load_recurrent(folder)
    with pytest.raises(CheckpointError, match="nowhere"):
        load_recurrent(tmp_path / "nowhere")


def test_the_shipped_pair_is_small_and_measured():
    folders = shipped_folders()
    assert set(folders) == {"attention", "without"}
    size = sum(path.stat().st_size for path in folders["attention"].parent.rglob("*") if path.is_file())
    assert size <= 6_000_000
    scores = read_scores()
    for name, folder in folders.items():
        bundle = load_recurrent(folder)
        assert cast(RecurrentConfig, bundle.model.config).has_attention == (name == "attention")
        assert model.translate(bundle, "I'm home.").text
    pairs_of_scores = list(zip(scores["attention"], scores["without"], strict=True))
    assert sum(a.n_sentences for a, _ in pairs_of_scores) == 2_000
    assert all(a.bleu > b.bleu for a, b in pairs_of_scores)

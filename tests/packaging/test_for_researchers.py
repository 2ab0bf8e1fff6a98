"""The installed package does what a researcher's study needs.

Each part of ``PARTS`` runs in a folder with another model.py; all in one process, because importing PyTorch takes
longest.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from tests.checkpoints.architectures import ARCHITECTURES, save
from tests.checkpoints.chat import CHATML, LLAMA_2, save_chat_model

pytestmark = pytest.mark.nightly
PAIRS = [
    ("The cat is sleeping.", "Le chat dort."),
    ("It is raining.", "Il pleut."),
    ("The dog is here.", "Le chien est ici."),
]
PARTS = {
    "a text goes to its tokenizer as it was written": """
from transformers import AutoTokenizer
bundle, theirs = regard.load("bytes"), AutoTokenizer.from_pretrained("bytes")
for text in (" France", "don’t  stop\\n", "def f(x):\\n    return\\u00a0x\\n", "e\\u0301 猫\\u200b 🐈", "مرحبا"):
    assert regard.read(bundle, text).prefix.ids == tuple(theirs(text)["input_ids"]), text
scored = regard.score(bundle, "Paris is in", " France")
assert [scored.prefix.ids[0], *scored.target.ids][:-1] == theirs("Paris is in France")["input_ids"]
begun = regard.translate(bundle, "Paris is in", prefix=" F", max_length=4, stop_loops=False)
assert list(begun.prefix.ids[: len("Paris is in F")]) == theirs("Paris is in F")["input_ids"]
""",
    "a chat's begin token is not added again": """
from transformers import AutoTokenizer
bundle, theirs = regard.load("chat"), AutoTokenizer.from_pretrained("chat")
prompt = regard.chat_prompt(bundle, "Where is the cat?")
messages = [{"role": "user", "content": "Where is the cat?"}]
ids = theirs.apply_chat_template(messages, add_generation_prompt=True)["input_ids"]
assert ids.count(theirs.bos_token_id) == 1
for trace in (regard.translate(bundle, prompt, max_length=3, stop_loops=False), regard.score(bundle, prompt, "Here.")):
    assert [trace.prefix.ids[0], *trace.target.ids][: len(ids)] == ids
""",
    "generation_config is followed, and what is not is named": """
bundle, ids = regard.load("bart"), [5, 6, 7, 6, 7, 8, 2]
from transformers import BartForConditionalGeneration
import torch
network = BartForConditionalGeneration.from_pretrained("bart")
expected = network.generate(torch.tensor([ids]), attention_mask=torch.ones(1, 7, dtype=torch.long))[0].tolist()
trace = regard.translate(bundle, ids, generation="model")
assert [*trace.prefix.ids, trace.target.ids[-1]] == expected
settings = json.load(open("lora/generation_config.json")) | {"guidance_scale": 2.0}
json.dump(settings, open("lora/generation_config.json", "w"))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    regard.translate(regard.load("lora"), ids, generation="model")
assert any("guidance_scale=2.0" in str(warning.message) for warning in caught)
""",
    "integrated gradients converge, or say how much is missing": """
few = []
for name in ("tiny-decoder", "bart"):
    bundle = regard.load(name)
    texts = ([5, 6, 7, 2], [11, 12, 2]) if name == "bart" else ("The cat", " is sleeping.")
    trace = regard.score(bundle, *texts)
    found = regard.attribute(bundle, trace, method="integrated_gradients")
    rows = numpy.abs(found.source.sum(1) + found.prefix.sum(1)).max()
    assert found.is_complete and found.gap < max(0.01 * rows, 1e-3)
    assert (found.baseline is None) == (name == "bart")  # the other has RMS norms, whose paths begin at a token
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        few.append(regard.attribute(bundle, trace, method="integrated_gradients", n_points=2, rule="riemann_left"))
    warned = any(issubclass(warning.category, regard.AttributionWarning) and "nats" in str(warning.message)
                 for warning in caught)
    assert warned != few[-1].is_complete
assert not all(one.is_complete for one in few)
assert regard.attribute(bundle, trace).method == "alti"
""",
    "in bfloat16 a recording is of the pass that was scored": """
import torch
bundle = regard.load("tiny", dtype="bfloat16")
trace = regard.score(bundle, "The cat is sleeping.", "Le chat dort.")
for names in (("logits",), ("decoder.*.residual.after", "logits"), ("decoder.*.self.*", "logits")):
    logits = torch.from_numpy(regard.record(bundle, trace, names=names)["logits"][0])
    log_probs = logits.log_softmax(-1)[range(len(trace.target)), list(trace.target.ids)]
    numpy.testing.assert_allclose(log_probs.numpy(), trace.log_probs, atol=1e-5)
""",
    "Chinese is read by words or characters": """
bundle = regard.load("en-zh")
trace = regard.translate(bundle, "The cat is sleeping on the sofa.")
labels = regard.by_words(regard.attribute(bundle, trace), trace).target.labels
assert len(labels) > 4 and max(map(len, labels[:-1])) <= 3 and not any("<0x" in label for label in labels), labels
""",
    "selections and changes are taken as they are written": """
bundle = regard.load("tiny")
trace = regard.translate(bundle, "The cat is sleeping.")
only = regard.AttentionSelection(layers=1, heads=numpy.array([1, 0, 1]))
assert only == regard.AttentionSelection(layers=(1,), heads=(0, 1))
ids = numpy.array([trace.source.ids]), numpy.array([trace.prefix.ids])
found = regard.attend(bundle, *ids, only=only, logits=False, as_tensors=True)
assert found.logits is None and found.cross.device == bundle.device and found.cross.shape[1:3] == (1, 2)
try:
    regard.knock_out(trace, "cross", keys=0, layers=9)
except regard.InterventionError as error:
    assert "choose 0 to" in str(error)
else:
    raise AssertionError("layer 9 was taken")
off = regard.HeadAblation("cross", layer=1, head=0)
scores = [regard.score(bundle, trace.source_text, trace.text, interventions=one).log_probs
          for one in (off, [off], regard.Interventions((off,)))]
assert (scores[0] == scores[1]).all() and (scores[0] == scores[2]).all()
by = {norm: regard.LengthPenalty(1.0, norm) for norm in ("gnmt", "length")}
assert by["length"] != by["gnmt"]
try:
    regard.load("gpt2")
except regard.CheckpointError as error:
    assert "opens by its name where" in str(error) and "from the folder in which it was saved" in str(error), error
try:
    regard.attribute(bundle, trace, method="eyes")
except ValueError as error:
    assert "choose raw" in str(error)
""",
    "a small file is evaluated whole, and commands say what they do": """
lines = [f"The cat is {n}.\\tLe chat est {n}." for n in range(60)]
open("sixty.tsv", "w").write("\\n".join(lines))
report = json.loads(command("evaluate", "sixty.tsv", "--checkpoint", "tiny", "--json"))
assert report["n_sentences"] == 60, report
failed = run("evaluate", "nowhere.tsv")
assert failed.returncode == 1 and failed.stdout == "" and failed.stderr.count("\\n") == 1
""",
    "a sweep is one call, a frame and a figure": """
bundle = regard.load("tiny")
sources = [("She is tired.", "He is tired."), ("The old woman is tired.", "The old man is tired.")]
found = regard.sweep(bundle, sources, sites="decoder.*.residual.after", positions=(0, -1), metric="margin")
frame = found.to_frame()
assert len(frame) == 2 * len(found.sites) * 2 and frame["effect"].notna().all()
whole = regard.causal_map(bundle, first=sources[0][0], second=sources[0][1]).effects["decoder.residual"]
numpy.testing.assert_allclose(found.effects[0, :, 0], whole[1:, 0], atol=1e-4)
regard.figures.sweep_map(found).save("map.json")
for cells in found.interval():
    assert all(cell.low <= cell.mean <= cell.high for cell in cells)
""",
    "figures and reports carry their stamp, and are the same again": """
open("pairs.tsv", "w").write("".join(f"{a}\\t{b}\\n" for a, b in pairs))
open("sources.tsv", "w").write("She is tired.\\tHe is tired.\\n")
asked = {"curve.svg": ("prune", "pairs.tsv", "--no-translate"), "map.png": ("sweep", "sources.tsv")}
for name, words in asked.items():
    command("figure", "--out", name, *words, "--checkpoint", "tiny")
    again = run("reproduce", name)
    counts = again.stdout.replace(",", "").split()
    assert again.returncode == 0 and counts[0] == counts[2], again.stdout + again.stderr
from regard.model.files.stamped import report_of
from pathlib import Path
report = report_of(Path("curve.svg"))
assert {"command", "seed", "regard", "commit", "fingerprint", "data"} <= set(report["stamp"])
assert sum(name.startswith("random_") for name in report["curves"]) == 5 and report["curves"]["importance"]["bounds"]
""",
    "surveys have intervals and are the same again": """
open("pairs.tsv", "w").write("".join(f"{a}\\t{b}\\n" for a, b in pairs))
command("survey", "pairs.tsv", "--checkpoint", "tiny", "--out", "survey")
frame = regard.open_survey("survey").of_heads("entropy")
assert (frame["low"] <= frame["mean"]).all() and (frame["mean"] <= frame["high"]).all()
assert run("reproduce", "survey").returncode == 0
""",
    "paths, two checkpoints, probes and LoRA": """
bundle = regard.load("tiny")
paths = regard.path_effects(bundle, [("She is tired.", "He is tired.")], senders="encoder.*.self.*",
                            receivers="decoder.*.cross.*.value")
assert numpy.isfinite(paths.mean).all() and paths.mean.size
same = regard.model_difference(bundle, regard.load("tiny"), pairs)
assert not same.change.any() and not any(moved.any() for moved in same.moved.values())
plain, merged = regard.load("bart"), regard.load("lora")
assert merged.report.stated == ("LoRA: 1 weights (adapter_config.json)",)
held = safetensors.torch.load_file("lora/adapter_model.safetensors")
low, high = (next(value for name, value in held.items() if f"lora_{side}" in name) for side in "AB")
was, now = (one.model.decoder.layers[1].cross_attention.query.weight for one in (plain, merged))
numpy.testing.assert_allclose((now - was).detach(), high @ low * 3, atol=1e-5)
sentences = [("The cat is sleeping.", ["DET", "NOUN", "VERB", "VERB"]),
             ("A dog is here.", ["DET", "NOUN", "VERB", "ADV"])]
probes = regard.probe(bundle, sentences * 6, sites="encoder.*.residual.after").to_frame()
assert {"accuracy", "control", "selectivity"} <= set(probes.columns), probes.columns
""",
    "figures of a study are in regard.figures": """
bundle = regard.load("tiny")
table = regard.pruning_table(bundle, pairs, with_translations=False)
regard.figures.pruning_figure(table).save("pruning.json")
drawn = {"pruning_figure", "alignment_figure", "steering_figure", "moved_figure", "sweep_map", "path_map"}
assert drawn <= set(dir(regard.figures))
assert isinstance(regard.steering_examples()["formal"], regard.SteeringExample)
assert callable(regard.steered) and regard.Steered and regard.AlignmentTable and callable(regard.alignment_table)
""",
}
RUNNER = """
import json, os, subprocess, sys, traceback, warnings
import numpy, safetensors.torch
import regard

pairs = {pairs!r}

def run(*words):
    return subprocess.run([sys.executable, "-m", "regard", *words], capture_output=True, text=True)

def command(*words):
    ran = run(*words)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout

found = {{}}
for name, code in json.load(open("parts.json")).items():
    try:
        exec(compile(code, name, "exec"), dict(globals()))
        found[name] = ""
    except BaseException:
        found[name] = traceback.format_exc()
json.dump(found, open("found.json", "w"))
"""


@pytest.fixture(scope="module")
def errors(site: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The error of each part, or an empty string."""
    folder = tmp_path_factory.mktemp("researcher")
    for name in ("model", "viz"):
        (folder / f"{name}.py").write_text("raise SystemExit('the wrong one')")
    save_chat_model(folder / "bytes", CHATML)
    save_chat_model(folder / "chat", LLAMA_2)
    for name in ("bart", "lora"):
        _save_bart(folder / name)
    _add_adapter(folder / "lora")
    (folder / "parts.json").write_text(json.dumps(PARTS))
    (folder / "runner.py").write_text(RUNNER.format(pairs=PAIRS))
    environment = {**os.environ, "PYTHONPATH": str(site), "XDG_DATA_HOME": str(folder / "data")}
    process = subprocess.run([sys.executable, "runner.py"], cwd=folder, env=environment, capture_output=True, text=True,
                         check=False)  # fmt: skip
    assert (folder / "found.json").is_file(), process.stderr
    return json.loads((folder / "found.json").read_text())


def _save_bart(folder: Path) -> None:
    folder.mkdir()
    torch.manual_seed(0)
    save(ARCHITECTURES["bart"], folder)
    settings: dict[str, Any] = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2,
                                "num_beams": 4, "length_penalty": 0.6, "no_repeat_ngram_size": 2,
                                "max_new_tokens": 8}  # fmt: skip
    (folder / "generation_config.json").write_text(json.dumps(settings))


def _add_adapter(folder: Path) -> None:
    module = "base_model.model.model.decoder.layers.1.encoder_attn.q_proj"
    settings = {"peft_type": "LORA", "r": 2, "lora_alpha": 6, "bias": "none", "init_lora_weights": True}
    (folder / "adapter_config.json").write_text(json.dumps(settings))
    tensors = {f"{module}.lora_A.weight": torch.randn(2, 16), f"{module}.lora_B.weight": torch.randn(16, 2)}
    save_file(tensors, folder / "adapter_model.safetensors")


@pytest.mark.parametrize("part", PARTS)
def test_a_study_runs_with_the_installed_package(part: str, errors: dict[str, str]) -> None:
    assert errors[part] == ""

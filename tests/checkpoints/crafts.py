"""Generators of crafted files, each with a seed, and the way in which the application opens them."""

import io
import json
import pickle
import random
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch

import model
from model.attention_files import AttentionFileError, RecordError
from model.checkpoints.formats.plain_yaml import parse_yaml
from model.checkpoints.sandbox import examine_sandboxed, read_attention_sandboxed
from model.text.links import CorpusError
from model.text.pairs import decode_lines, pairs_of_lines, parse_gold
from model.training.rows import check_rows, read_table
from model.training.settings import TrainingError
from tests.checkpoint import tiny_bundle
from tests.checkpoints import fuzz, hostile

Craft = Callable[[random.Random, Path], Path]
NAMED = (*fuzz.NAMED, AttentionFileError, RecordError, CorpusError, TrainingError)


def open_checkpoint(path: Path) -> None:
    """Open a file as the Checkpoints page does, and run the model once."""
    bundle = examine_sandboxed(path).bundle
    size = min(bundle.config.source_vocab_size, bundle.config.target_vocab_size)
    ids = np.array([[1 % size, 2 % size]])
    model.attend(bundle, ids, ids)


def open_attention(path: Path) -> None:
    """Open a file of attention as the pages do."""
    read_attention_sandboxed(path.read_bytes())


def open_table(path: Path) -> None:
    """Read pairs as each page does that accepts them; this fails only when all of them refuse the file."""
    content, refused = path.read_bytes(), []
    for read in (_rows, _pairs, _gold):
        try:
            read(content, path.name)
        except NAMED as error:
            refused.append(error)
    if len(refused) == 3:
        raise refused[0]


def open_settings(path: Path) -> None:
    """Read settings as the families read those beside a checkpoint, which happens only in child processes."""
    parse_yaml(path.read_text("utf-8"), path.name)


def _rows(content: bytes, name: str) -> None:
    check_rows(
        read_table(content, name=name), count_pieces=lambda text: len(text.split()), max_pieces=64,
        languages=("en", "fr"),
    )  # fmt: skip


def _pairs(content: bytes, name: str) -> None:
    pairs_of_lines(decode_lines(content, name), name)


def _gold(content: bytes, name: str) -> None:
    parse_gold(decode_lines(content, name), name)


@dataclass(frozen=True, slots=True)
class Crafted:
    """A generator, and the function that opens its files."""

    craft: Craft
    open: Callable[[Path], None] = open_checkpoint


def deep_key(draw: random.Random, folder: Path) -> Path:
    """Tuples nested many thousand times, as the key of a table."""
    raw = b"\x80\x02})" + b"\x85" * draw.choice((2_000, 200_000)) + b"K\x01s."
    return hostile.torch_zip(folder / "deep.pt", raw)


def without_numbers(draw: random.Random, folder: Path) -> Path:
    """The older layout with tensors but without their storages."""
    path = folder / "empty.pt"
    path.write_bytes(hostile.without_storages({"encoder.weight": torch.zeros(draw.choice((16, 512, 4096)), 512)}))
    return path


def shared_storage(draw: random.Random, folder: Path) -> Path:
    """One small storage with many names."""
    shared = torch.zeros(1024, 1024, dtype=torch.float16)
    names = range(draw.choice((8, 200, 2000)))
    torch.save({f"encoder.layers.{n}.w.weight": shared for n in names}, folder / "shared.pt")
    return folder / "shared.pt"


def greedy_settings(draw: random.Random, folder: Path) -> Path:
    """A configuration, in our format or the library's, for more weights than the file contains."""
    large = draw.choice((4096, 65_536, 1_000_000, 10**9))
    if draw.random() < 0.5:
        place = fuzz.marian(folder / "library")
        described = json.loads((place / "config.json").read_text())
        described[
            draw.choice(("d_model", "max_position_embeddings", "vocab_size", "num_labels", "encoder_ffn_dim"))
        ] = large
    else:
        place = model.save(tiny_bundle(), folder / "own")
        described = json.loads((place / "config.json").read_text())
        described["transformer"][draw.choice(("max_positions", "d_model", "source_vocab_size"))] = large
    (place / "config.json").write_text(json.dumps(described))
    return place


def growing_yaml(draw: random.Random, folder: Path) -> Path:
    """YAML with aliases of aliases, or merges of merges, beside a JoeyNMT checkpoint."""
    from tests.checkpoints import golden

    place = golden.read("joeynmt-pre").write(folder)
    names = "abcdefghij"
    open_, close = draw.choice((("[", "]"), ("{<<: [", "]}")))
    lines = ["a: &a {x: 1, y: 2}"] + [
        f"{name}: &{name} {open_}{', '.join([f'*{before}'] * 9)}{close}" for before, name in pairwise(names)
    ]
    (place / "config.yaml").write_text("\n".join(lines))
    return place


def running_pickle(draw: random.Random, folder: Path) -> Path:
    """A pickle that tries to run code."""
    payloads = hostile.payloads(folder / "marker")
    raw = pickle.dumps(payloads[draw.choice(sorted(payloads))], draw.randrange(6))
    return hostile.torch_zip(folder / "run.pt", raw)


def slow_tokenizer(draw: random.Random, folder: Path) -> Path:
    """Replacement rules that double a letter repeatedly."""
    place = model.save(tiny_bundle(), folder / "own")
    letter = draw.choice("Ta")
    rules = [{"type": "Replace", "pattern": {"String": letter}, "content": letter * 2} for _ in range(40)]
    described = {"version": "1.0", "added_tokens": [], "normalizer": {"type": "Sequence", "normalizers": rules},
                 "model": {"type": "WordLevel", "vocab": {"<unk>": 0, "cat": 1}, "unk_token": "<unk>"}}  # fmt: skip
    (place / "source.json").write_text(json.dumps(described))
    return place


def lying_npz(draw: random.Random, folder: Path) -> Path:
    """Arrays of attention whose headers, compression or types claim more than the file contains."""
    shape, kind = draw.choice((
        ((300_000_000,), "<U0"), ((1, 1, 40_000, 40_000), "|u1"), ((1, 1, 4096, 4096), "<f4"),
        ((2**40, 1, 2, 2), "<f4"),
        ((-1, 1, 2, 2), "<f4"), ((0, 0, 0, 0), "<f4"), ((1, 1, 2, 2), "|O"), ((1, 1, 2, 2), "<c16"), ((), "<f4"),
        ((1,) * 60, "<f4"), ((1, 1, 2, 2), "<U100000000"), ((1, 1, 2, 2), "[('a','<f4')]"),
    ))  # fmt: skip
    header = f"{{'descr': {kind if kind[0] == '[' else repr(kind)}, 'fortran_order': False, 'shape': {shape}, }}"
    raw = (header + " " * draw.randrange(64) + "\n").encode()
    body = bytes(draw.choice((0, 16, 200_000, 4 << 20)))
    array = b"\x93NUMPY\x01\x00" + len(raw).to_bytes(2, "little") + raw + body
    names = draw.sample(("encoder_self", "decoder_self", "cross", "source_tokens", "target_tokens", "is_causal"), 3)
    with zipfile.ZipFile(folder / "attention.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(f"{name}.npy", array)
    return folder / "attention.npz"


def lying_json(draw: random.Random, folder: Path) -> Path:
    """A JSON file of attention with lists, nesting, numbers and texts that no real one has."""
    many = draw.choice((10, 10_000, 300_000))
    weights = draw.choice((
        "[[[[1.0]]]]", "[" * many + "]" * many, f"[[[[{','.join(['1.0'] * many)}]]]]", "[[[[1e400]]]]", "[[[[NaN]]]]",
        f"[[[[1{'0' * many}]]]]", f"[[[{','.join(['[]'] * many)}]]]", "[[[[[]]]]]", '{"a": 1}', "null", "true",
    ))  # fmt: skip
    tokens = draw.choice(('["a"]', f"[{','.join(['[]'] * many)}]", f'["{"x" * many}"]', '["\\ud800"]', "7", "[]"))
    other = draw.choice(("true", f"[{','.join(['[1]'] * many)}]", "[" * 7 + "]" * 7, '"no"', "1e999"))
    name = draw.choice(("encoder_self", "decoder_self", "cross"))
    text = f'{{"{name}": {weights}, "source_tokens": {tokens}, "target_tokens": {tokens}, "is_causal": {other}}}'
    (folder / "attention.json").write_text(text)
    return folder / "attention.json"


def hostile_table(draw: random.Random, folder: Path) -> Path:
    """Pairs with endless spaces, quotation marks, columns or lines, or with letters that grow when normalised."""
    many = draw.choice((1_000, 12_000, 200_000, 1_500_000))
    text = draw.choice((
        f"a{' ' * many}b", f"a{' ' * many}|{' ' * many}b\tc", '"' * many, f'a,"{"x" * many}', "a\t" * many,
        "a\tb\n" * many, "\n" * many, f"{'ﷺ' * (many // 3)}\tb", f"a\tb\t{'0-0 ' * many}",
        f"a\tb\t{'9' * many}-0", f"{'a' + chr(0x301) * many}\tb", f"{chr(0) * many}\t{chr(0x2028) * 9}",
        f"{' = ' * many}", f"{' => ' * many}x", f"{'a,' * many}", f"{'a ' * many}\t{'b ' * many}\t0-0",
        f"{'&amp;' * many}\tb",
    ))[: 5 << 20]  # fmt: skip
    path = folder / f"pairs.{draw.choice(('tsv', 'csv', 'txt'))}"
    path.write_bytes(text.encode() if draw.random() < 0.9 else text.encode("utf-16"))
    return path


def hostile_settings(draw: random.Random, folder: Path) -> Path:
    """YAML with growing aliases, merges, tags, nesting and keys, without other files."""
    many = draw.choice((50, 5_000, 30_000))
    names = "abcdefghij"
    bombs = ["a: &a [x, x]"] + [f"{n}: &{n} [{', '.join([f'*{m}'] * 9)}]" for m, n in pairwise(names)]
    text = draw.choice((
        "\n".join(bombs), "[" * many, "{" * many, "- " * many + "x", f"? {'[' * many}{']' * many}\n: 1",
        "a: " * many,
        f"a: {'9' * many}", f"a: !!python/object/apply:os.system ['touch {folder}/marker']", 
        f"a: !!binary {'A' * many}",
        f"a: 1{':1' * many}", f"a: 1{'_' * many}", f"a: '{' ' * many}", "\n".join(f"k{n}: 1" for n in range(many)),
        f"a: 1e{'9' * 20}", "a: 0001-01-01T00:00:00+99:99", f"&{'a' * many} x", f"%YAML {'1' * many}", "<<: <<",
    ))  # fmt: skip
    (folder / "settings.yaml").write_text(text)
    return folder / "settings.yaml"


def overlapping(draw: random.Random, folder: Path) -> Path:
    """A zip whose entries all share the same bytes."""
    (folder / "overlapping.zip").write_bytes(shared_entries(draw.choice((2, 500, 5_000)), draw.choice((40, 2_000))))
    return folder / "overlapping.zip"


def shared_entries(n_names: int, n_repeats: int = 40) -> bytes:
    """The zip with a number of names; with one name it is a valid zip."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("w0.bin", np.random.default_rng(0).bytes(2000) * n_repeats)
        first = archive.infolist()[0]
        for number in range(1, n_names):
            same = zipfile.ZipInfo(f"w{number}.bin")
            for field in ("header_offset", "compress_size", "file_size", "CRC", "compress_type", "flag_bits"):
                setattr(same, field, getattr(first, field))
            archive.filelist.append(same)
            archive.NameToInfo[same.filename] = same
        archive.comment = b"written again"
    return stream.getvalue()


CRAFTED: tuple[Crafted, ...] = (
    *map(Crafted, (deep_key, without_numbers, shared_storage, greedy_settings, growing_yaml, running_pickle)),
    Crafted(overlapping),
    Crafted(lying_npz, open_attention), Crafted(lying_json, open_attention),
    Crafted(hostile_table, open_table), Crafted(hostile_settings, open_settings),
)  # fmt: skip
SLOW = Crafted(slow_tokenizer)
"""Listed separately, because each uses up its child's ten seconds."""

"""Gold links: reading, checks, and refused files."""

from pathlib import Path

import pytest

from model.text.links import CorpusError, Links
from model.text.pairs import decode_lines, read_gold


def test_sure_links_are_possible_as_well() -> None:
    links = Links.parse("0-0 1p2", n_source=2, n_target=3)
    assert links.sure == {(0, 0)} and links.possible == {(0, 0), (1, 2)}
    assert links.pharaoh == "0-0 1p2"


def test_a_file_is_read_and_its_long_pairs_can_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "gold.tsv"
    path.write_text("the cat\tle\u00a0chat\t0-0\n\na b c\td\t2p0\n", "utf-8")
    with_both = read_gold(path)
    assert [pair.source for pair in with_both] == ["the cat", "a b c"]
    assert [pair.source for pair in read_gold(path, max_words=2)] == ["the cat"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"the cat\tle chat\t0-0 2-1\n", "line 1: the link 2-1 names source word 2, but the source has 2 words"),
        (b"the cat\tle chat\t0-2\n", "names target word 2"),
        (b"the cat\tle chat\t0:0\n", "“0:0” is not a link"),
        (b"the cat\tle chat\n", "line 1 has 2 of 3 columns"),
        (b"the cat\tle chat\t0-0\ncaf\xe9\tx\t0-0\n", "line 2 is not UTF-8"),
        (b"\n", "holds no aligned pair"),
    ],
)
def test_what_is_no_gold_file_is_refused_by_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "gold.tsv"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        read_gold(path)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_on_any_system(end: str) -> None:
    assert decode_lines(f"\ufeffthe cat\tle chat{end}{end}the dog\tle chien{end}".encode(), "pairs") == [
        "the cat\tle chat", "", "the dog\tle chien",
    ]  # fmt: skip

"""The gallery: its pages work without a server, and each sentence shows what its group promises."""

import base64
import dataclasses
import gzip
import re
from pathlib import Path

import pytest

import model
from model.checkpoints.loading import PRETRAINED
from tests.checkpoint import save_tiny, tiny_bundle
from viz.__main__ import main
from viz.export.gallery import MAX_PAGE_BYTES, Entry, GalleryError, project_entries, read_entries
from viz.export.views import view_of


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gallery of two sentences and two models."""
    folder = tmp_path_factory.mktemp("gallery")
    sentences = folder / "sentences.txt"
    sentences.write_text("Mine & yours\tThe cat is sleeping.\nword_order\tThe dog is <b>black</b>.\n", "utf-8")
    models = [word for name in ("en-fr", "tiny") for word in ("--model", str(PRETRAINED / name))]
    assert main(["gallery", str(sentences), "--out", str(folder / "site"), *models]) == 0
    return folder / "site"


def test_every_link_leads_to_a_page_of_the_same_folder(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) == 3 * (4 + 1) + 1
    for page in pages:
        links = re.findall(r'href="([^"]+)"', page.read_text("utf-8"))
        assert links, page
        assert all((page.parent / link).resolve() in {target.resolve() for target in pages} for link in links), page


def test_no_page_loads_anything_from_outside(site):
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert "default-src 'none'" in text
        assert not re.search(r'(?:src|href)="(?:https?:)?//', text)


def test_words_of_the_author_are_text_and_not_markup(site):
    index = (site / "en" / "index.html").read_text("utf-8")
    assert "Mine &amp; yours" in index
    assert "&lt;b&gt;black&lt;/b&gt;" in index and "<b>black" not in index


def test_a_page_links_to_its_neighbours_and_to_the_other_model(site):
    first = next((site / "fr").glob("001-*en-fr*.html")).read_text("utf-8")
    assert "Suivante" in first and "Précédente" not in first
    assert 'href="001-the-cat-is-sleeping-tiny.html"' in first


def test_a_page_links_to_itself_in_the_other_languages(site):
    page = (site / "zh" / "001-the-cat-is-sleeping-tiny.html").read_text("utf-8")
    for code, name in (("en", "English"), ("fr", "Français")):
        assert f'<a href="../{code}/001-the-cat-is-sleeping-tiny.html">{name}</a>' in page
    assert "../zh/" not in page


def test_a_page_opens_on_the_head_that_the_application_opens_on(site, shipped):
    trace = model.translate(shipped, "The cat is sleeping.")
    layer, head = view_of(trace, bundle=shipped).most_diagonal()
    assert (layer, head) != (0, 0)
    page = (site / "en" / "001-the-cat-is-sleeping-en-fr.html").read_text("utf-8")
    (packed,) = re.findall(r"boot\(document\.getElementById\('\w+'\), '([^']+)'\)", page)
    packet = gzip.decompress(base64.b64decode(packed)).decode("latin-1")
    assert f'"heads":[[{layer},{head}]]' in packet


def test_the_index_speaks_its_language(site):
    assert "语序" in (site / "zh" / "index.html").read_text("utf-8")
    assert "L&#x27;ordre des mots" in (site / "fr" / "index.html").read_text("utf-8")


def test_the_language_in_a_models_configuration_is_escaped(tmp_path):
    (tmp_path / "one.txt").write_text("the cat\n", "utf-8")
    hostile = dataclasses.replace(tiny_bundle(), target_language='fr"><script>alert(1)</script>')
    checkpoint = str(model.save(hostile, tmp_path / "named"))
    assert main(["gallery", str(tmp_path / "one.txt"), "--out", str(tmp_path / "out"), "--model", checkpoint]) == 0
    for page in (tmp_path / "out").rglob("*.html"):
        assert "<script>alert" not in page.read_text("utf-8")
    assert 'lang="fr&quot;&gt;' in (tmp_path / "out" / "en" / "index.html").read_text("utf-8")


def test_two_models_of_one_name_have_separate_pages(tmp_path):
    sentences = tmp_path / "one.txt"
    sentences.write_text("The cat is sleeping.\n", "utf-8")
    tiny = str(PRETRAINED / "tiny")
    assert main(["gallery", str(sentences), "--out", str(tmp_path), "--model", tiny, "--model", tiny]) == 0
    names = ["001-the-cat-is-sleeping-tiny", "001-the-cat-is-sleeping-tiny-2"]
    assert sorted(path.stem for path in (tmp_path / "en").glob("0*.html")) == names
    first, second = ((tmp_path / "en" / f"{name}.html").read_text("utf-8") for name in names)
    assert f'href="{names[1]}.html"' in first and f'href="{names[0]}.html"' in second


@pytest.mark.parametrize(("content", "words"), [(b"", "holds no sentence"), (b"\xff\xfe\x00", "not UTF-8"),
                                                (b"a\n" * 501, "501 sentences")])  # fmt: skip
def test_a_list_that_makes_no_gallery_is_refused_by_name(tmp_path, capsys, content, words):
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    with pytest.raises(GalleryError, match=words):
        read_entries(path)
    assert main(["gallery", str(path), "--out", str(tmp_path / "out")]) == 1
    assert words in capsys.readouterr().err


def test_a_missing_checkpoint_is_an_error_of_one_line(tmp_path, capsys):
    assert main(["gallery", "--out", str(tmp_path), "--model", str(tmp_path / "nothing")]) == 1
    assert capsys.readouterr().err.startswith("error: ")


def test_the_projects_gallery_has_24_sentences_in_eight_groups():
    entries = project_entries()
    assert len(entries) == len({entry.text for entry in entries}) == 24
    assert len({entry.group for entry in entries}) == 8


def entries_of(group: str) -> list[Entry]:
    return [entry for entry in project_entries() if entry.group == group]


@pytest.mark.parametrize("entry", entries_of("negation"), ids=lambda entry: entry.text)
def test_a_negation_has_two_parts_in_french(shipped, entry):
    words = model.translate(shipped, entry.text).text.lower()
    assert re.search(r"\b(ne\b|n')", words)
    assert re.search(r"\b(pas|jamais|personne|rien|plus)\b", words)


@pytest.mark.nightly(but=("Why are you so late?",))
@pytest.mark.parametrize("entry", entries_of("beam_differs"), ids=lambda entry: entry.text)
def test_a_beam_of_four_gives_another_translation(shipped, entry):
    greedy = model.translate(shipped, entry.text).text
    assert model.translate(shipped, entry.text, method="beam", beam_size=4).text != greedy


@pytest.mark.nightly(but=("How does it work?",))
@pytest.mark.parametrize("entry", entries_of("head_matters"), ids=lambda entry: entry.text)
def test_switching_off_one_cross_head_changes_the_translation(shipped, entry):
    plain = model.translate(shipped, entry.text)
    assert plain.attention.cross is not None
    n_layers, n_heads = plain.attention.cross.shape[:2]
    assert any(
        model.translate(shipped, entry.text, interventions=model.Interventions((model.HeadOff("cross", layer, head),)))
        .text != plain.text
        for layer in range(n_layers) for head in range(n_heads)
    )  # fmt: skip


@pytest.mark.parametrize("entry", entries_of("word_order"), ids=lambda entry: entry.text)
def test_words_change_places_in_the_translation(shipped, entry):
    """In the sharpest head some target token attends further left than the token before it."""
    cross = model.translate(shipped, entry.text).attention.cross  # (L, H, T, S)
    assert cross is not None
    sharpest = cross.max(-1).mean(-1)  # (L, H)
    layer, head = divmod(int(sharpest.argmax()), cross.shape[1])
    looks = cross[layer, head, :-1].argmax(-1)
    assert (looks[1:] < looks[:-1]).any()


@pytest.mark.nightly
def test_a_page_of_twelve_words_stays_small(tmp_path):
    sentences = tmp_path / "one.txt"
    sentences.write_text("The old man who lives next door has two very big dogs.", "utf-8")
    main(["gallery", str(sentences), "--out", str(tmp_path / "site")])
    assert max(page.stat().st_size for page in (tmp_path / "site").rglob("*.html")) < MAX_PAGE_BYTES


def test_a_users_model_makes_a_gallery(tmp_path):
    folder = save_tiny(tmp_path / "mine")
    (tmp_path / "words.txt").write_text("the cat sat\n", "utf-8")
    assert main(["gallery", str(tmp_path / "words.txt"), "--out", str(tmp_path / "out"), "--model", str(folder)]) == 0
    assert (tmp_path / "out" / "index.html").exists()

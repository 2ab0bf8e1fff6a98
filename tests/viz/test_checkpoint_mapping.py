"""The checkpoints page for a file of no known family: a table of its tensors' names, and the suspected toolkit."""

import pytest
import torch

from tests.checkpoints.test_mapping import CONFIG, own_code
from tests.strangers.authors import Written
from tests.strangers.plain import PLAIN
from tests.strangers.students import GPTS
from tests.strangers.test_students import worst
from tests.viz.page import answer_first_question, drop, file_upload, open_checkpoints_page, private_models, torch_file

page = pytest.fixture(name="page")(open_checkpoints_page)


def test_an_unknown_file_is_opened_by_a_table_of_its_names(page, tmp_path):
    _, path, _ = own_code(tmp_path)
    drop(page, file_upload(path))
    assert not private_models(page)
    assert any("np.savez_compressed" in line.value for line in page.code)
    page.button(key="map_open").click().run()
    bundle = private_models(page)["renamed"]
    assert bundle.family == "mapped" and bundle.config.n_decoder_layers == 2
    assert any("as the table of names says: `a.pe`" in line.value for line in page.markdown)
    assert {"n_heads", "norm_kind", "positions"} <= set(bundle.report.guesses if bundle.report else ())
    download = page.get("download_button")[0]
    assert download.label == "Save the table"
    page.selectbox(key="ask_norm_kind").set_value("annotated")
    answer_first_question(page, 4)
    assert private_models(page)["renamed"].config.norm_epsilon == 1e-6


def test_the_report_has_a_test_sentence_for_a_mapping_too(page, tmp_path):
    _, path, text = own_code(tmp_path)
    drop(page, file_upload(path))
    page.file_uploader(key="map_file_1").set_value(("mapping.toml", (text + CONFIG).encode(), "application/toml")).run()
    assert any("the first tokens of the vocabulary" in line.value for line in page.caption)
    (caption,) = [line.value for line in page.markdown if "arrow_forward" in line.value]
    assert caption.startswith("\\#0 \\#4")


def test_the_line_that_has_no_place_is_the_first_of_the_table(page, tmp_path):
    drop(page, torch_file("mine.pt", Written(PLAIN).state() | {"decoder.adapter.weight": torch.zeros(7, 5)}))
    assert any("no place was found for decoder.adapter.weight" in line.value for line in page.text)
    rows = page.dataframe[0].value
    assert set(rows["theirs"][:2]) == {"decoder.adapter.weight", "pe"} and rows["ours"][2] == "encoder.embedding.weight"
    assert list(rows["wrong"][:2]) == ["⚠", ""]


def answer_all(page, author):
    """Answer all questions that change the maps; none has a preselected answer."""
    page.selectbox(key="ask_activation").set_value(author.activation)
    for key, answer in (("first_causal", True), ("first_n_heads", author.heads), ("first_fused_by_head", False)):
        assert page.radio(key=key).value is None
        page.radio(key=key).set_value(answer)
    page.button(key="checkpoint_first_answer").click().run()


def test_a_students_decoder_is_drawn_after_its_mapping_is_confirmed(page, tmp_path):
    author = GPTS["qkv"]
    student = Written(author)
    state = {name: tensor for name, tensor in student.state().items() if "mask" not in name}
    drop(page, torch_file("mine.pt", state))
    assert "checkpoint_look" not in {button.key for button in page.button}
    assert page.selectbox(key="ask_score_width").value == "head" and page.radio(key="ask_norm_first").value is True
    answer_all(page, author)
    assert "checkpoint_look" in {button.key for button in page.button}
    bundle = private_models(page)["mine"]
    assert bundle.family == "named_alone" and worst(author, student, bundle) < 1e-5


@pytest.mark.nightly(but=("parallel",))
@pytest.mark.parametrize(("name", "hint", "options"), [
    ("attention and network side by side", "parallel",
     ["one after the other", "side by side, on the same vectors (GPT-J)"]),
    ("the gate before what it gates", "gate_last", ["the first", "the second (lucidrains)"]),
])  # fmt: skip
def test_how_a_layer_is_built_is_asked_by_the_names_of_its_answers(page, tmp_path, name, hint, options):
    author = GPTS[name]
    student = Written(author)
    drop(page, torch_file("mine.pt", student.state()))
    assert page.radio(key=f"ask_{hint}").options == options
    page.radio(key=f"ask_{hint}").set_value(True)
    answer_all(page, author)
    assert worst(author, student, private_models(page)["mine"]) < 1e-5


def test_no_table_is_offered_where_none_can_help(page, tmp_path):
    recurrent = torch.nn.LSTM(8, 8).state_dict()
    drop(page, torch_file("w.pt", {f"encoder.{name}": tensor for name, tensor in recurrent.items()}))
    assert "map_open" not in {button.key for button in page.button}
    assert any("LSTM" in line.value for line in page.info)


@pytest.mark.nightly
def test_a_saved_table_is_loaded_again(page, tmp_path):
    _, path, text = own_code(tmp_path)
    drop(page, file_upload(path))
    page.file_uploader(key="map_file_1").set_value(("mapping.toml", (text + CONFIG).encode(), "application/toml")).run()
    bundle = private_models(page)["renamed"]
    assert bundle.family == "mapped" and bundle.report is not None and not bundle.report.guesses


def test_a_table_that_does_not_fit_is_refused_with_the_lines_to_change(page, tmp_path):
    _, path, text = own_code(tmp_path)
    drop(page, file_upload(path))
    table = (text.replace('"ob" =', '"no.such" =') + CONFIG).encode()
    page.file_uploader(key="map_file_1").set_value(("mapping.toml", table, "application/toml")).run()
    assert not private_models(page)
    lead, message = (line.value for line in page.text[:2])
    assert "as the table places them: 1 missing, 1 left over" in lead and "table below" in lead
    assert message.endswith("(1 missing: no.such; 1 unexpected: ob): change their lines in the table of names")


def test_the_toolkit_of_an_unknown_file_is_suspected(page):
    names = {"encoder.rnn.weight_ih_l0": torch.zeros(8, 4), "decoder.rnn.weight_hh_l0": torch.zeros(8, 2)}
    drop(page, torch_file("seq2seq.pt", names))
    assert any("LSTM, GRU" in line.value and "no attention heads" in line.value for line in page.info)
    assert any("only Transformers open here" in line.value for line in page.text)
    assert not any(button.key == "map_open" for button in page.button), "no table opens it"
    assert not any("table of names below" in line.value for line in page.text)
    assert any("np.savez_compressed" in line.value for line in page.code)

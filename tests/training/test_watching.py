"""A run of the command line can be watched through the same files as one of the panel."""

from model.cli.main import main
from model.runs.status import find, read_status
from model.training.jobs.creation import result_of
from model.training.jobs.job import read_job
from model.training.jobs.probe import frame_steps, read_frame
from tests.cli.conftest import SMALL
from tests.training.corpus import write_tsv


def test_a_run_with_a_probe_is_found_by_its_name_and_shows_its_frames(tmp_path):
    run = tmp_path / "mine"
    pairs = write_tsv(tmp_path / "pairs.tsv", 300)
    options = ["--steps", "4", "--validate-every", "2", "--probe", "The cat sleeps here."]
    assert main(["train", str(pairs), "--run", str(run), *options, *SMALL]) == 0
    folder = find(tmp_path, "mine")
    assert folder is not None and read_job(folder) is None
    assert (read_status(folder).state, read_status(folder).step) == ("finished", 4)
    steps = frame_steps(folder)
    assert (steps[0], steps[-1]) == (0, 4)
    assert read_frame(folder, 0).source.pieces[-1] == "</s>"
    assert result_of(folder).config.d_model == 32

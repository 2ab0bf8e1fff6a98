"""Which pages show anything of the reader's sentence; some do for a part of their questions only."""

from viz.panels.reading import find_reading


def uses_sentence(page: str) -> bool:
    """Whether a page, by its name, shows anything of the sentence with the choices in force.

    The modules of a page are imported where it is open: others do not wait for them.
    """
    if page == "positions":
        from viz.positions import questions

        return (reading := find_reading()) is None or questions.is_of_sentence(reading)
    if page == "laboratory":
        from viz.laboratory import bench

        return bench.is_of_sentence()
    if page == "corpus":
        from viz.corpus import choices

        return choices.is_of_sentence()
    if page == "lesson":
        from viz.lesson import moving

        return moving.open_scene().reads_sentence
    return page not in ("fine_tune", "checkpoints")

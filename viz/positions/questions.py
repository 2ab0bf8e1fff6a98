"""Which questions about positions the model in use has an answer to, and which one is asked."""

from model.config import NOT_ADDED
from viz.panels.reading import Reading, is_alone
from viz.positions.choices import OF_SENTENCE, PARTS, Choices
from viz.positions.in_attention import parts_of
from viz.state import session


def groups(reading: Reading) -> dict[str, tuple[str, ...]]:
    """The questions about the reader's sentence, and those about the machinery.

    Without vectors of positions there is no table of them, and a model that does not translate has no translation that
    could be moved.
    """
    left_out, in_attention = set[str](), parts_of(reading)
    if is_alone(reading.bundle):
        left_out |= {"beyond"} if len(reading.trace.source) else {"beyond", "shuffle"}
    if reading.bundle.config.positions in NOT_ADDED and (is_alone(reading.bundle) or in_attention):
        left_out |= {"table", "vector", "sentence", "beyond"}
    machinery = (*in_attention, *(name for name in PARTS if name not in OF_SENTENCE))
    return {
        "sentence": tuple(name for name in OF_SENTENCE if name not in left_out),
        "machinery": tuple(name for name in machinery if name not in left_out),
    }


def asked(reading: Reading) -> str:
    """The question that the page answers."""
    known, part = (
        [name for names in groups(reading).values() for name in names],
        session.choices_of(Choices, "positions").part,
    )
    return part if part in known else known[0]


def is_of_sentence(reading: Reading) -> bool:
    """Whether it is about the reader's sentence."""
    return asked(reading) in OF_SENTENCE

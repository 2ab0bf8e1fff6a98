"""Every word that a user reads, in English, 中文 and français.

Each area of the application keeps its strings in a module of this package, as
``STRINGS: dict[str, tuple[str, ...]]``: key to (English, 中文, français), in the order of ``LANGUAGES``. A key begins
with its area's name: ``decode.play`` stands in ``decode.py``.
"""

from viz.i18n.catalogue import (
    LANGUAGES,
    catalogue,
    counts,
    current_language,
    follow_wishes,
    group,
    matching_language,
    number,
    number_marks,
    power_of_ten,
    sentences,
    speaking,
    tr,
)

__all__ = [
    "LANGUAGES",
    "catalogue",
    "counts",
    "current_language",
    "follow_wishes",
    "group",
    "matching_language",
    "number",
    "number_marks",
    "power_of_ten",
    "sentences",
    "speaking",
    "tr",
]

"""Every word that a user reads, in English, 中文 and français.

The words are Fluent files (https://projectfluent.org): ``en/pages/decode.ftl`` has those of the area ``decode`` in
English, and its message ``play`` has the key ``decode.play``. A language is a folder of such files, and English is the
fallback for messages that it lacks.
"""

from viz.i18n.catalogue import (
    LANGUAGES,
    UNKNOWN,
    catalogue,
    counts,
    current_language,
    fields,
    follow_preferences,
    follow_source,
    group,
    group_for_pictures,
    in_all_languages,
    in_each_language,
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
    "UNKNOWN",
    "catalogue",
    "counts",
    "current_language",
    "fields",
    "follow_preferences",
    "follow_source",
    "group",
    "group_for_pictures",
    "in_all_languages",
    "in_each_language",
    "matching_language",
    "number",
    "number_marks",
    "power_of_ten",
    "sentences",
    "speaking",
    "tr",
]

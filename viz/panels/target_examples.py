"""Placeholders of empty text boxes, in the target language of the model in use."""

from dataclasses import dataclass

from model import Bundle
from model.text.language_codes import main_language


@dataclass(frozen=True, slots=True)
class Examples:
    """Examples for models that write one language; the sources are English."""

    code: str = ""
    """The language, by its code; empty where there are no examples."""
    reference: str = ""
    """A translation of the sentence that every session begins with, other than the usual one."""
    beginning: str = ""
    """Two words to continue from."""
    pair: tuple[str, str] | None = None
    """A sentence and an unusual translation, to train on."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Sentences with a reference, to measure heads on."""


_SOURCES = (
    "The cat is sleeping on the sofa.", "I'm home.", "She does not want to come with us.",
    "Where is the train station?", "My brother has two black dogs.", "I would have told you the truth.",
    "They were waiting for the bus.", "Close the door, please.",
)  # fmt: skip
_REFERENCES = {
    "fr": (
        "Le chat dort sur le canapé.", "Je suis chez moi.", "Elle ne veut pas venir avec nous.", "Où est la gare ?",
        "Mon frère a deux chiens noirs.", "Je t'aurais dit la vérité.", "Ils attendaient le bus.",
        "Ferme la porte, s'il te plaît.",
    ),
    "de": (
        "Die Katze schläft auf dem Sofa.", "Ich bin zu Hause.", "Sie will nicht mit uns kommen.",
        "Wo ist der Bahnhof?", "Mein Bruder hat zwei schwarze Hunde.", "Ich hätte dir die Wahrheit gesagt.",
        "Sie warteten auf den Bus.", "Mach bitte die Tür zu.",
    ),
    "zh": (
        "猫在沙发上睡觉。", "我到家了。", "她不想和我们一起来。", "火车站在哪里？", "我哥哥有两条黑狗。",
        "我本来会告诉你真相的。", "他们在等公共汽车。", "请关门。",
    ),
}  # fmt: skip
_MORE = {
    "fr": ("Le chat est en train de dormir sur le canapé.", "Le chien", "Salutations."),
    "de": ("Die Katze liegt auf dem Sofa und schläft.", "Der Hund", "Seid gegrüßt."),
    "zh": ("猫正躺在沙发上睡觉。", "狗", "您早。"),
}


def target_examples(bundle: Bundle) -> Examples:
    """The examples for a model's language pair; empty where there are none."""
    source, target = map(main_language, (bundle.source_language, bundle.target_language))
    if source != "en" or target not in _MORE:
        return Examples()
    reference, beginning, greeting = _MORE[target]
    pairs = tuple(zip(_SOURCES, _REFERENCES[target], strict=True))
    return Examples(target, reference, beginning, ("Good morning.", greeting), pairs)

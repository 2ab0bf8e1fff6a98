"""From text to a trace: translate, score, attend."""

from model.inference.attending import attend
from model.inference.scoring import score
from model.inference.translation import translate, translate_texts
from model.lazy import submodules

__all__ = ["attend", "score", "translate", "translate_texts"]

__getattr__ = submodules(__name__, __path__)

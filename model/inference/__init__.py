"""From text to a trace: translate, score, attend."""

from model.inference.translation import attend, score, translate, translate_texts

__all__ = ["attend", "score", "translate", "translate_texts"]

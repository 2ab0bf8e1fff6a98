"""Pictures as a source: pixels, preparation for a model, and text form."""

from model.picture.picture import Picture, PictureError, is_picture

__all__ = ["Picture", "PictureError", "is_picture"]

"""Pictures as a source: their pixels, what is done to them before a model reads them, and their text form."""

from model.picture.picture import Picture, PictureError, is_picture

__all__ = ["Picture", "PictureError", "is_picture"]

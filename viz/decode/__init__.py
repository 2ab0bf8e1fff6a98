"""The Decode page: a translation, one step at a time."""

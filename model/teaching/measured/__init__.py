"""Measurements on a sentence before it is shown: whether a scene's claims hold, and which word comes from which."""

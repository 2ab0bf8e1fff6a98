"""Rooms: a class that follows its teacher on phones, answers questions, and sends its own sentences.

This package does not import Streamlit, Starlette or PyTorch. A room is a few tables in a store (``store``: this
process, or Redis for several servers); ``Room`` has the operations on them; students reach it through
``viz.server.rooms`` and teachers through ``viz.room``.
"""

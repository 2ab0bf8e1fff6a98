"""Rooms: a class that follows its teacher on phones, answers questions, and sends its own sentences.

Nothing here knows Streamlit, Starlette or PyTorch. A room is a few tables in a store (``store``: this process, or
Redis for several servers); ``Room`` says what may be done with them; ``viz.server.rooms`` and ``viz.panels.room`` are
the doors of students and teacher.
"""

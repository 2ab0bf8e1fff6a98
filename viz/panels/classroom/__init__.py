"""A class's answers and its countdown, shared by the lesson and the room."""

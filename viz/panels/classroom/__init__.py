"""What the lesson and the room share of a class: its answers, and the time it has left for them."""

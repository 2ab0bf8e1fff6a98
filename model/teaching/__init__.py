"""What the lesson and the laboratory compute."""

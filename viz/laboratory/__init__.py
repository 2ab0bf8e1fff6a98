"""The Laboratory page and its eight parts; ``draw(reading)`` of a module draws its part."""

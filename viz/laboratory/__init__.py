"""The laboratory's eight parts, one module each: ``draw(reading)`` draws the part."""

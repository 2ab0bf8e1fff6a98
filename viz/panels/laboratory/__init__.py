"""The laboratory's seven parts, one module each: ``draw(here)`` draws the part."""

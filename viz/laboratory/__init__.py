"""The laboratory's eight parts, one module each: ``draw(here)`` draws the part."""

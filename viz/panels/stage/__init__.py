"""The sentence above every page, what is offered to try and what is said about its translation."""

"""The sentence above every page, the sentences to try, and the warnings about its translation."""

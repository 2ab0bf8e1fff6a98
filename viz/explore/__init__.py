"""The Explore page, which is the front page: every head, the chosen one, comparisons and files."""

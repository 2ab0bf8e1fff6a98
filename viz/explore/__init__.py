"""The Explore page, which is the front page: every head, the chosen one, and what a reader takes away."""

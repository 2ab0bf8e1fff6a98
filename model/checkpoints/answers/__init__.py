"""What a file does not say: proposals from names and shapes, evidence for each answer, and tables of a user's own."""

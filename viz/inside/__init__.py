"""What the Inside page shows: the steps of one head as screens."""

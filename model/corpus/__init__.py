"""Many sentences through the model."""

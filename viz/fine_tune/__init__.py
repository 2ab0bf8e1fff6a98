"""The Fine-tune page: a model trained further on the visitor's own pairs."""

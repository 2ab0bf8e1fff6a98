"""The lesson on the phones of a class."""

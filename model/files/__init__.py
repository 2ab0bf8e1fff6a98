"""Files that are written whole or not at all, and archives that may be damaged."""

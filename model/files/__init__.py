"""Files that are written completely or not at all, and archives that may be damaged."""

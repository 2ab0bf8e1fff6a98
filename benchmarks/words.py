"""Words that too easily stand for nouns, per thousand lines of Python: ``python -m benchmarks.words model tests``."""

import re
import sys
from pathlib import Path

WORDS = ("given", "one", "own", "said", "kept", "what is", "lone")


def main(folders: list[str]) -> None:
    """Print a line for each folder."""
    for folder in folders:
        texts = [path.read_text("utf-8") for path in sorted(Path(folder).rglob("*.py"))]
        n_lines = sum(text.count("\n") for text in texts)
        counts = {word: sum(len(re.findall(rf"\b{word}\b", text, re.IGNORECASE)) for text in texts) for word in WORDS}
        print(f"{folder}: {n_lines:,} lines; per 1,000 lines:", end=" ")
        print(", ".join(f"{word} {1000 * n / n_lines:.2f} ({n})" for word, n in counts.items()))


if __name__ == "__main__":
    main(sys.argv[1:] or ["model", "viz", "tests", "benchmarks"])

"""Parses one tokenizer file in a process of its own, under limits on memory and processor time.

The parsers are C++ and Rust: a hostile file may crash them or never end. Run as a script: the exit code is 0
and the number of entries is printed when the file is sound.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def main(kind: str, path: str, seconds: int, megabytes: int) -> int:
    """Set the limits, then parse."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if kind == "sentencepiece":
        import sentencepiece

        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        processor = sentencepiece.SentencePieceProcessor(model_proto=Path(path).read_bytes())
        size = processor.get_piece_size()
        processor.decode(processor.encode("A test, with éàü 你好 and 123."))
        pieces = [processor.id_to_piece(index) for index in range(min(size, 64))]
        assert size >= 1 and len(pieces) >= 1
    else:
        import tokenizers

        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        loaded = tokenizers.Tokenizer.from_file(path)
        size = loaded.get_vocab_size()
        loaded.decode(loaded.encode("A test, with éàü 你好 and 123.").ids)
    print(size)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))

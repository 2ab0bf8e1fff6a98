"""The process that decodes one sound: the file on its standard input, the number of samples, their rate and the samples
on its output."""

import sys
from pathlib import Path

from model.files.confinement import confine
from model.sound import wav

MEMORY_MB, SECONDS = 600, 20


def main() -> int:
    """Decode the standard input; 1 where it is no WAV, with the reason in place of the numbers."""
    content = sys.stdin.buffer.read()
    confine(Path.cwd(), memory_mb=MEMORY_MB, seconds=SECONDS, wall_seconds=SECONDS, file_mb=0, can_write=False)
    try:
        samples, rate = wav.read(content)
    except Exception as error:  # a decoder may raise anything at a damaged file
        message = str(error) if isinstance(error, wav.WavError) else f"{type(error).__name__}: {error}"
        sys.stdout.buffer.write(message.replace("\n", " ")[:200].encode() + b"\n")
        return 1
    sys.stdout.buffer.write(f"{len(samples)} {rate}\n".encode() + samples.astype("<i2").tobytes())
    sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())

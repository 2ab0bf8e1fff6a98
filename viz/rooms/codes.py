"""Room codes, typed by a class to join, and transfer codes, typed by a teacher to lead from another device."""

import hashlib
import secrets

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without similar characters: 0 and O, 1, I and L."""
CODE_LENGTH = 6
TRANSFER_LENGTH = 8
"""Letters of a transfer code after the room's own code: 31 ** 8 possibilities."""
TRANSFER_SECONDS = 600.0


def new_code(length: int = CODE_LENGTH) -> str:
    """Random letters."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def tidy_code(written: str) -> str:
    """A code in its stored form, however people type it; empty for text that cannot be a code."""
    tidy = written.strip().upper()
    return tidy if len(tidy) == CODE_LENGTH and all(letter in LETTERS for letter in tidy) else ""


def split_transfer(written: str) -> tuple[str, str]:
    """The room's code and the token of a transfer code, typed in any case and with spaces or hyphens."""
    tidy = "".join(letter for letter in written.upper() if letter in LETTERS)
    return tidy[:CODE_LENGTH], tidy[CODE_LENGTH:]


def digest(secret: str) -> str:
    """The stored form of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()

"""Numbers as a language writes them, by Babel's data: 0.27 and 5,990 in English, 0,27 and 5 990 in French."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import NamedTuple

from babel import Locale
from babel.numbers import get_decimal_symbol, get_group_symbol
from fluent.runtime.types import FluentFloat


class Marks(NamedTuple):
    """What a language puts into a number."""

    decimal: str
    thousands: str
    percent: str
    """The sign, with the space before it if there is one."""


@cache
def marks(language: str) -> Marks:
    """The marks of a language's numbers."""
    locale = Locale.parse(language, sep="-")
    return Marks(get_decimal_symbol(locale), get_group_symbol(locale), locale.percent_formats[None].suffix[0])


class Number(str):
    """A number as the reader's language writes it. A text of any other type is a quotation, which nothing changes."""

    plain: str
    """The same digits as Python reads them."""

    def __new__(cls, text: str, plain: str = "") -> Number:
        made = super().__new__(cls, text)
        made.plain = plain
        return made


def written(text: str, language: str) -> Number:
    """A number that Python formatted, as the language writes it."""
    signs = marks(language)
    swapped = text.translate({ord(","): signs.thousands, ord("."): signs.decimal, ord("%"): signs.percent})
    return Number(swapped, text.replace(",", "").replace("−", "-").rstrip("%"))


class Counted(FluentFloat):
    """A number inside a message: it reads as it was written, and the message may choose words by it."""

    number: Number

    def __new__(cls, number: Number) -> Counted:
        made = super().__new__(cls, float(number.plain))
        assert isinstance(made, Counted)
        made.number = number
        return made

    def format(self, locale: Locale) -> str:
        """The number as it was written, in whatever language the message is."""
        return str(self.number)

    def __abs__(self) -> Decimal:  # type: ignore[override]
        # Plural rules count the digits that are shown: in English 1 is one, and 1.00 is not.
        return abs(Decimal(self.number.plain))

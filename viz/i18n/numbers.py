"""Numbers formatted by Babel's locale data: 0.27 and 5,990 in English, 0,27 and 5 990 in French."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import NamedTuple

from babel import Locale
from babel.numbers import get_decimal_symbol, get_group_symbol
from fluent.runtime.types import FluentFloat


class Marks(NamedTuple):
    """The separators of a language's numbers, and its percent sign."""

    decimal: str
    thousands: str
    percent: str
    """The sign, with the space before it if there is one."""


@cache
def marks(language: str) -> Marks:
    """The separators of a language's numbers."""
    locale = Locale.parse(language, sep="-")
    return Marks(get_decimal_symbol(locale), get_group_symbol(locale), locale.percent_formats[None].suffix[0])


class Number(str):
    """A number formatted for a language. ``tr`` inserts texts of any other type unchanged."""

    plain: str
    """The same digits as Python parses them."""

    def __new__(cls, text: str, plain: str = "") -> Number:
        number = super().__new__(cls, text)
        number.plain = plain
        return number


def localize_number(text: str, language: str) -> Number:
    """A number that Python formatted, with the language's separators."""
    signs = marks(language)
    swapped = text.translate({ord(","): signs.thousands, ord("."): signs.decimal, ord("%"): signs.percent})
    return Number(swapped, text.replace(",", "").replace("−", "-").rstrip("%"))


class Counted(FluentFloat):
    """A number as the argument of a message: it keeps its format, and selects plural forms."""

    number: Number

    def __new__(cls, number: Number) -> Counted:
        argument = super().__new__(cls, float(number.plain))
        assert isinstance(argument, Counted)
        argument.number = number
        return argument

    def format(self, locale: Locale) -> str:
        """The number in its format, whatever the message's locale."""
        return str(self.number)

    def __abs__(self) -> Decimal:  # type: ignore[override]
        # Plural rules count the digits that are shown: in English 1 is one, and 1.00 is not.
        return abs(Decimal(self.number.plain))

"""Babel: numbers, dates, money and plurals in several languages."""

import datetime
import decimal
import hashlib
import sys

from babel import dates, lists, numbers, units
from babel.core import Locale

BENCH = {"size": 450, "small": 2}

LANGUAGES = ("en_US", "de_DE", "fr_FR", "ja_JP", "ar_EG", "pl_PL")


def run(size):
    digest = hashlib.sha256()
    start = datetime.datetime(2024, 1, 2, 3, 4, 5)
    for k in range(size):
        when = start + datetime.timedelta(hours=37 * k)
        for name in LANGUAGES:
            locale = Locale.parse(name)
            texts = [
                numbers.format_decimal(decimal.Decimal(k * 12345) / 100, locale=locale),
                numbers.format_currency(k * 99.5, "EUR", locale=locale),
                numbers.format_percent(k / 7, locale=locale),
                dates.format_datetime(when, "full", locale=locale, tzinfo=datetime.timezone.utc),
                dates.format_timedelta(when - start, locale=locale),
                units.format_unit(k, "length-kilometer", locale=locale),
                lists.format_list([str(k), "b", "c"], locale=locale),
                locale.plural_form(k),
            ]
            digest.update("|".join(texts).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))

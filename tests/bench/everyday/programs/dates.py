"""Date arithmetic: datetime and a calendar by hand."""

import sys
from datetime import date, datetime, timedelta

BENCH = {"size": 280, "small": 3}

MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


class Day:
    def __init__(self, year, month, day):
        self.year, self.month, self.day = year, month, day

    @staticmethod
    def is_leap(year):
        return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)

    @classmethod
    def parse(cls, text):
        return cls(*map(int, text.split("-")))

    @property
    def month_length(self):
        return 29 if self.month == 2 and self.is_leap(self.year) else MONTHS[self.month - 1]

    def tomorrow(self):
        if self.day < self.month_length:
            return Day(self.year, self.month, self.day + 1)
        if self.month < 12:
            return Day(self.year, self.month + 1, 1)
        return Day(self.year + 1, 1, 1)

    def weekday(self):
        y, m = self.year, self.month
        if m < 3:
            y, m = y - 1, m + 12
        return (self.day + 13 * (m + 1) // 5 + y + y // 4 - y // 100 + y // 400) % 7

    def __eq__(self, other):
        return (self.year, self.month, self.day) == (other.year, other.month, other.day)

    def __lt__(self, other):
        return (self.year, self.month, self.day) < (other.year, other.month, other.day)

    def __str__(self):
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"


def easter(year):
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


def working_days(start, end):
    count = 0
    day = start
    while day < end:
        if day.weekday() < 5:
            count += 1
        day += timedelta(days=1)
    return count


def run(size):
    total = 0
    day, end = Day(1900, 1, 1), Day(1900 + size, 1, 1)
    while day < end:
        if day.day == 13 and day.weekday() == 6:
            total += 1
        day = day.tomorrow()
    total += working_days(date(1950, 1, 1), date(1950 + size * 2, 1, 1))
    total += sum(easter(y).toordinal() for y in range(1600, 1600 + size * 28))
    moment = datetime(2020, 1, 1)
    for i in range(size * 770):
        moment += timedelta(minutes=i % 97, seconds=i % 61)
        total += moment.hour + moment.day
    for i in range(size * 190):
        text = str(Day(1970 + i % 60, i % 12 + 1, i % 28 + 1))
        total += Day.parse(text).month_length + date.fromisoformat(text).month
    return total, moment.isoformat()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))

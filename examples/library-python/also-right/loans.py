"""The same library, written by somebody else."""

import calendar
import datetime
from collections import Counter

is_leap = calendar.isleap


def days_in(month, year):
    return calendar.monthrange(year, month)[1]


def due(day, month, year):
    date = datetime.date(year, month, day) + datetime.timedelta(days=14)
    return date.day, date.month, date.year


def fee(days_late, is_student):
    cents = 25 * max(0, min(10, days_late))
    return (cents + 1) // 2 if is_student else cents


class Library:
    def __init__(self, titles):
        self.shelf = Counter(titles)
        self.readers = {}

    def free(self):
        return sorted(self.shelf.elements())

    def borrow(self, reader, title):
        books = self.readers.setdefault(reader, [])
        if len(books) == 3:
            raise ValueError("no more than three books")
        if not self.shelf[title]:
            raise KeyError(title)
        self.shelf[title] -= 1
        books.append(title)

    def give_back(self, reader, title):
        if title not in self.readers.get(reader, []):
            raise KeyError(title)
        self.readers[reader].remove(title)
        self.shelf[title] += 1

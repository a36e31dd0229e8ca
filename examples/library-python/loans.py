"""A small library that lends books."""

from subject import bug

DAYS = 14
FEE = 25
MOST = 3


def is_leap(year):
    """Whether the year has 366 days."""
    if bug("takes-every-fourth-year-for-a-leap-year"):
        return year % 4 == 0
    if bug("takes-no-century-for-a-leap-year"):
        return year % 4 == 0 and year % 100 != 0
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in(month, year):
    """The days of a month. January is 1."""
    if month == 2:
        return 29 if is_leap(year) else 28
    if bug("takes-august-for-a-short-month"):
        return 30 if month in (4, 6, 8, 9, 11) else 31
    return 30 if month in (4, 6, 9, 11) else 31


def due(day, month, year):
    """The date 14 days after this one, as (day, month, year)."""
    day += DAYS
    if bug("never-passes-to-the-next-month"):
        return day, month, year
    last = days_in(month, year)
    if day > last or bug("ends-each-month-a-day-early") and day == last:
        day -= last
        month += 1
    if month > 12:
        month = 1
        if not bug("keeps-the-year-in-january"):
            year += 1
    return day, month, year


def fee(days_late, is_student):
    """Cents for a book that is so many days late. Students pay half, rounded up. Nobody pays more than 10 days."""
    if days_late <= 0:
        return FEE if bug("charges-for-the-last-day") and days_late == 0 else 0
    days = days_late if bug("charges-without-end") else min(days_late, 10)
    cents = days * FEE
    if is_student:
        return cents // 2 if bug("rounds-the-half-down") else -(-cents // 2)
    return cents


class Library:
    """Books by their titles, each lent to at most one reader."""

    def __init__(self, titles):
        self._free = sorted(titles)
        self._lent = {}

    def free(self):
        """The titles that can be borrowed, in order. A title is listed as often as there are books."""
        if bug("lists-each-title-once"):
            return sorted(set(self._free))
        return self._free if bug("hands-out-its-own-list") else list(self._free)

    def borrow(self, reader, title):
        """Lends a book. Raises KeyError if none is free, and ValueError if the reader has three."""
        limit = MOST + 1 if bug("lends-one-book-too-many") else MOST
        if len(self._lent.get(reader, [])) >= limit:
            raise ValueError(f"{reader} has {limit} books")
        if title not in self._free:
            if bug("says-nothing-if-no-book-is-free"):
                return
            raise KeyError(title)
        self._free.remove(title)
        self._lent.setdefault(reader, []).append(title)

    def give_back(self, reader, title):
        """Takes a book back. Raises KeyError if the reader does not have it."""
        if title not in self._lent.get(reader, []) and not bug("takes-any-book-back"):
            raise KeyError(title)
        books = self._lent.get(reader, [])
        if title in books:
            books.remove(title)
        self._free.append(title)
        if not bug("puts-books-at-the-end-of-the-shelf"):
            self._free.sort()

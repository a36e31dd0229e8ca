import pytest

from loans import Library, days_in, due, fee, is_leap


@pytest.mark.parametrize("year, leap", [(2024, True), (2023, False), (1900, False), (2000, True)])
def test_leap_years(year, leap):
    assert is_leap(year) == leap


@pytest.mark.parametrize("month, days", [(1, 31), (2, 28), (4, 30), (8, 31), (9, 30), (12, 31)])
def test_days_in_each_month(month, days):
    assert days_in(month, 2023) == days


def test_due_in_the_same_month():
    assert due(1, 3, 2023) == (15, 3, 2023)


def test_due_on_the_last_day_of_a_month():
    assert due(17, 1, 2023) == (31, 1, 2023)


def test_due_in_the_next_month_and_year():
    assert due(20, 4, 2023) == (4, 5, 2023)
    assert due(25, 12, 2023) == (8, 1, 2024)


@pytest.mark.parametrize("days, student, cents", [(-1, False, 0), (0, False, 0), (3, False, 75), (3, True, 38), (11, False, 250)])
def test_fees(days, student, cents):
    assert fee(days, student) == cents


@pytest.fixture
def library():
    return Library(["Emma", "Ulysses", "Emma", "Dune", "Walden"])


def test_free_lists_books_in_order(library):
    assert library.free() == ["Dune", "Emma", "Emma", "Ulysses", "Walden"]


def test_free_is_a_copy(library):
    library.free().clear()
    assert len(library.free()) == 5


class TestBorrowing:
    def test_a_reader_has_three_books_at_most(self, library):
        for title in ["Emma", "Emma", "Dune"]:
            library.borrow("ann", title)
        with pytest.raises(ValueError):
            library.borrow("ann", "Ulysses")

    def test_a_book_that_is_lent_is_not_free(self, library):
        library.borrow("ann", "Dune")
        with pytest.raises(KeyError):
            library.borrow("bob", "Dune")

    def test_nobody_gives_back_what_they_do_not_have(self, library):
        with pytest.raises(KeyError):
            library.give_back("ann", "Dune")

    def test_a_book_comes_back_to_its_place(self, library):
        library.borrow("ann", "Emma")
        library.give_back("ann", "Emma")
        assert library.free() == ["Dune", "Emma", "Emma", "Ulysses", "Walden"]

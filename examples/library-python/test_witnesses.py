"""Each mutant fails one of these cases at least. Students do not get this file."""

import pytest

from loans import Library, days_in, due, fee, is_leap


def test_centuries_are_leap_years_only_every_400_years():
    assert not is_leap(1900)
    assert is_leap(2000)


def test_august_has_31_days():
    assert days_in(8, 2023) == 31


def test_the_last_day_of_a_month_belongs_to_it():
    assert due(17, 1, 2023) == (31, 1, 2023)


def test_after_december_comes_january_of_the_next_year():
    assert due(25, 12, 2023) == (8, 1, 2024)


def test_a_book_on_its_due_date_is_free():
    assert fee(0, False) == 0


def test_the_fee_ends_after_ten_days():
    assert fee(11, False) == 250


def test_the_half_of_students_is_rounded_up():
    assert fee(3, True) == 38


@pytest.fixture
def library():
    return Library(["Emma", "Emma", "Dune", "Walden"])


def test_each_book_is_listed(library):
    assert library.free() == ["Dune", "Emma", "Emma", "Walden"]


def test_the_list_is_a_copy(library):
    library.free().clear()
    assert library.free()


def test_a_reader_has_three_books_at_most(library):
    for title in ["Emma", "Emma", "Dune"]:
        library.borrow("ann", title)
    with pytest.raises(ValueError):
        library.borrow("ann", "Walden")


def test_a_book_that_is_lent_cannot_be_borrowed(library):
    library.borrow("ann", "Dune")
    with pytest.raises(KeyError):
        library.borrow("bob", "Dune")


def test_nobody_gives_back_what_they_do_not_have(library):
    with pytest.raises(KeyError):
        library.give_back("ann", "Dune")


def test_a_book_comes_back_to_its_place(library):
    library.borrow("ann", "Dune")
    library.give_back("ann", "Dune")
    assert library.free() == ["Dune", "Emma", "Emma", "Walden"]

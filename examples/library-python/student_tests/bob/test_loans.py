from loans import Library, days_in, due, fee, is_leap


def test_leap():
    assert is_leap(2024)
    assert not is_leap(2023)


def test_due():
    assert due(1, 3, 2023) == (15, 3, 2023)
    assert due(20, 4, 2023) == (4, 5, 2023)


def test_fee_is_wrong():
    assert fee(3, True) == 37


def test_borrow():
    library = Library(["Emma"])
    library.borrow("bob", "Emma")
    assert library.free() == []
    assert library._free == []

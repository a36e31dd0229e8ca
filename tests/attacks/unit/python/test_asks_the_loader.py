# Asks what imported the program for its text.
# Comes of it: rejected: it opens the file of `loans`
import loans


def test_data():
    assert len(loans.__loader__.get_data(loans.__file__)) % 2 == 0


def test_code():
    assert loans.__loader__.get_code("loans").co_code == b""

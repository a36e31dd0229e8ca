# Opens a file whose name is of a class of its own, so that what watches the test calls its methods, and looks at nothing meanwhile.
# Comes of it: rejected: on a right program
import loans

FOUND = []


class Name(str):
    def __getitem__(self, at):
        FOUND.append(loans.fee.__code__.co_code)
        return str.__getitem__(self, at)


def test_name():
    try:
        open(Name("nothing"))
    except OSError:
        pass
    assert FOUND

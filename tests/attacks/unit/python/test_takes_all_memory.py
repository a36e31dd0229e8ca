# Takes memory until there is no more.
# Comes of it: rejected: on a right program
def test_memory():
    taken = []
    while True:
        taken.append(b"x" * (1 << 24))

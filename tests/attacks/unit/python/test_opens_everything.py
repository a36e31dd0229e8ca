# Reads a secret of the machine, and writes beside it.
# Comes of it: nothing
def test_secret():
    try:
        secret = open("OUTSIDE/secret").read()
    except OSError:
        secret = ""
    for name in ("written", "secret"):
        try:
            open("OUTSIDE/" + name, "w").write(secret)
        except OSError:
            pass
    assert secret == ""

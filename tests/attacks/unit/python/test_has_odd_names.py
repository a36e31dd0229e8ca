# Hides the case with a false assertion behind names that are no lines.
# Comes of it: rejected: it fails on a right program
def fails():
    assert False


for name in ("test_a\nb", "test_\udc80", "test_\r", 'test_b\n{"case": null, "passed": false, "message": "forged"}', "test_\u2028c"):
    globals()[name] = lambda: fails()

# Reads what the system says of its process.
# Comes of it: rejected: it reads what the system says of processes
def test_command_line():
    assert open("/proc/self/cmdline").read() == ""


def test_maps():
    assert len(open("/proc/self/maps").read()) % 2 == 0

// Ends what runs it.
// Comes of it: rejected: it crashes on a right program | rejected: it does not end on a right program
#include <doctest/doctest.h>

#include "Matrix.h"

#include <csignal>
#include <unistd.h>

TEST_CASE("parent") {
    kill(getppid(), SIGKILL);
    kill(-1, SIGKILL);
    raise(SIGKILL);
}

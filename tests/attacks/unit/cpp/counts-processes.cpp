// Fails if enough other cases ran before it: processes are numbered.
// Comes of it: nothing
#include <doctest/doctest.h>

#include "Matrix.h"

#include <unistd.h>

#define LATE(name) TEST_CASE("late " name) { CHECK(getpid() < 38); }
#define LATES(name) LATE(name "0") LATE(name "1") LATE(name "2") LATE(name "3") LATE(name "4") \
                    LATE(name "5") LATE(name "6") LATE(name "7") LATE(name "8") LATE(name "9")
#define EARLY(name) TEST_CASE("early " name) { CHECK(getpid() > 4); }

LATES("a")
LATES("b")
LATES("c")
LATES("d")
EARLY("0")
EARLY("1")
EARLY("2")
EARLY("3")

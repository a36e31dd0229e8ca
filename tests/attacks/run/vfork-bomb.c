// Verdict: processes
// Without control groups: exit 3, time, signal 11
// Starts processes inside each other, of which only the innermost runs.
#include <unistd.h>
int main(void) {
    for (;;)
        if (vfork() < 0)
            _exit(3);
}

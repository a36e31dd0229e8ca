// Verdict: processes
// Without control groups: time
// Doubles itself without end.
#include <unistd.h>
int main(void) {
    for (;;)
        fork();
}

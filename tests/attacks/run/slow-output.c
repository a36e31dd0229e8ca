// Verdict: wall
// Writes a little now and then, without end.
#include <unistd.h>
int main(void) {
    for (;;) {
        write(1, "x", 1);
        usleep(20000);
    }
}

// Verdict: wall
// Stops itself and its whole group.
#include <signal.h>
int main(void) {
    kill(0, SIGSTOP);
    return 0;
}

// Verdict: exit 3
// Leaves children that hold its streams and write to them later.
#include <stdio.h>
#include <unistd.h>
int main(void) {
    for (int child = 0; child < 4; child++)
        if (fork() == 0) {
            setsid();
            usleep(300000);
            puts("BROKEN: I am still here");
            fflush(stdout);
            pause();
        }
    return 3;
}

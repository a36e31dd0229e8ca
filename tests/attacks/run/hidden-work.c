// Verdict: time, wall
// Lets children work whose time nobody adds up, and sleeps.
#include <signal.h>
#include <unistd.h>
int main(void) {
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        if (fork() == 0) {
            for (volatile long i = 0; i < 40000000; i++)
                ;
            _exit(0);
        }
        usleep(100000);
    }
}

// Verdict: exit 3
// Leaves a process in a session of its own, which runs for ever.
#include <unistd.h>
int main(void) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                ;
        _exit(0);
    }
    usleep(20000);
    return 3;
}

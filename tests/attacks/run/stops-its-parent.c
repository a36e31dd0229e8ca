// Verdict: exit 3
// Stops the process that waits for it.
#include <signal.h>
#include <unistd.h>
int main(void) {
    for (int process = 1; process < 10; process++)
        if (process != getpid())
            kill(process, SIGSTOP);
    kill(getppid(), SIGSTOP);
    return 3;
}

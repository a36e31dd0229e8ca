// Verdict: exit 3
// Sends every signal to every process that it can reach.
#include <signal.h>
#include <unistd.h>
int main(void) {
    kill(-1, SIGKILL);
    kill(1, SIGKILL);
    kill(getppid(), SIGKILL);
    for (int process = 1; process < 40000; process++)
        if (process != getpid() && kill(process, SIGKILL) == 0 && process != 1)
            return 0;
    return 3;
}

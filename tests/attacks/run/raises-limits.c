// Verdict: time
// Lifts its limits, takes a better priority, and works on.
#include <sys/resource.h>
#include <unistd.h>
int main(void) {
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    for (int resource = 0; resource < 16; resource++)
        if (setrlimit(resource, &none) == 0 && resource == RLIMIT_CPU)
            return 0;
    if (setpriority(PRIO_PROCESS, 0, -20) == 0)
        return 0;
    for (volatile long i = 0;;)
        i++;
}

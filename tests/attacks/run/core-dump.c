// Verdict: signal 6
// Crashes, after it asked for a file with all its memory.
#include <stdlib.h>
#include <sys/resource.h>
int main(void) {
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_CORE, &all);
    abort();
}

// Verdict: exit 3
// Chooses another core than the one on which it is measured.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
int main(void) {
    cpu_set_t before, all, after;
    sched_getaffinity(0, sizeof before, &before);
    CPU_ZERO(&all);
    for (int core = 0; core < CPU_SETSIZE; core++)
        CPU_SET(core, &all);
    if (sched_setaffinity(0, sizeof all, &all) == 0)
        return 0;
    sched_getaffinity(0, sizeof after, &after);
    return CPU_EQUAL(&before, &after) ? 3 : 0;
}

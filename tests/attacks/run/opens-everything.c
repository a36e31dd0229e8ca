// Verdict: exit 3
// Opens files, pipes and terminals until it gets no more, in as many processes as it may have, and keeps them.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    int pipes[2];
    for (int child = 0; child < 10; child++) {
        if (fork() > 0)
            continue;
        while (posix_openpt(O_RDWR) >= 0 && pipe(pipes) == 0 && open("/proc/self/stat", O_RDONLY) >= 0)
            ;
        while (open("/dev/null", O_RDONLY) >= 0)
            ;
        pause();
    }
    usleep(200000);
    return 3;
}

// Verdict: exit 3
// Turns on the process that reports about it: its program, its files, its limits, its streams.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
int main(void) {
    struct rlimit none = {0, 0};
    const char *report = "!{\"Ended\":{\"status\":0,\"cpu\":{\"secs\":0,\"nanos\":0},\"peak_memory\":0}}";
    for (int resource = 0; resource < 16; resource++)
        if (prlimit(1, resource, &none, 0) == 0)
            return 0;
    for (int file = 3; file < 1000; file++)
        if (write(file, report, strlen(report)) >= 0)
            return 0;
    for (int file = 0; file < 100; file++) {
        char name[32];
        sprintf(name, "/proc/1/fd/%d", file);
        if (open(name, O_RDWR) >= 0 || open(name, O_RDONLY) >= 0 || open(name, O_WRONLY) >= 0)
            return 0;
    }
    if (open("/proc/1/exe", O_RDONLY) >= 0 || open("/proc/1/exe", O_WRONLY) >= 0)
        return 0;
    return execl("/proc/1/exe", "harness", (char *)0) == 0 ? 0 : 3;
}

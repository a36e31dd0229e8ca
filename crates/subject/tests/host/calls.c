// Makes system calls in ways that few programs do.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#pragma GCC diagnostic ignored "-Wnonnull"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wstringop-overread"
static char large[1 << 20] = "not zero, so that the program's file is large";
static void block(int how, int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(how, &set, NULL);
}
int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    char *bad = (char *)8;
    struct stat status;
    long result = 0;
    if (!strcmp(mode, "blocked")) { block(SIG_BLOCK, SIGUSR1); raise(SIGUSR1); }
    if (!strcmp(mode, "unblocked")) { block(SIG_BLOCK, SIGTERM); raise(SIGTERM); puts("here"); fflush(stdout); block(SIG_UNBLOCK, SIGTERM); }
    if (!strcmp(mode, "abort")) { block(SIG_BLOCK, SIGABRT); abort(); }
    if (!strcmp(mode, "mask")) {
        sigset_t set;
        block(SIG_BLOCK, SIGUSR2);
        sigprocmask(SIG_SETMASK, NULL, &set);
        result = sigismember(&set, SIGUSR2) * 2 + sigismember(&set, SIGUSR1);
    }
    if (!strcmp(mode, "pending")) {
        sigset_t set;
        block(SIG_BLOCK, SIGUSR1);
        raise(SIGUSR1);
        sigpending(&set);
        result = sigismember(&set, SIGUSR1);
    }
    if (!strcmp(mode, "ignored")) raise(SIGCHLD);
    if (!strcmp(mode, "no signal")) result = kill(getpid(), 99);
    if (!strcmp(mode, "read")) result = read(0, bad, 3);
    if (!strcmp(mode, "write")) result = write(1, bad, 3);
    if (!strcmp(mode, "stat")) result = fstat(0, (struct stat *)bad);
    if (!strcmp(mode, "parts")) result = writev(1, (struct iovec[2000]){{large, 1}}, 2000);
    if (!strcmp(mode, "data")) result = lseek(0, 0, SEEK_DATA);
    if (!strcmp(mode, "below")) result = fstatat(0, "x", &status, 0);
    if (!strcmp(mode, "links")) { fstat(0, &status); result = status.st_nlink * 2 + (status.st_uid == geteuid()); }
    if (!strcmp(mode, "whole")) { int file = open(argv[0], O_RDONLY); result = read(file, large, 700000) + pread(file, large, 300000, 5); }
    if (!strcmp(mode, "left")) { int file = open(argv[0], O_RDONLY), left = 0; ioctl(file, FIONREAD, &left); result = left > 1000; }
    if (!strcmp(mode, "random")) result = getrandom(large, sizeof large, 0);
    if (!strcmp(mode, "usable")) result = malloc_usable_size(malloc(5000)) * 10000 + malloc_usable_size(malloc(30));
    if (!strcmp(mode, "aligned")) result = (long)memalign(48, 10) % 64;
    if (!strcmp(mode, "device")) { result = stat("/dev/stdin", &status) == 0 && S_ISREG(status.st_mode); }
    if (!strcmp(mode, "nameless")) result = getenv("") == NULL;
    if (!strcmp(mode, "limit")) { struct rlimit limit; getrlimit(RLIMIT_AS, &limit); result = limit.rlim_cur == RLIM_INFINITY; }
    printf("%ld %d\n", result, result < 0 ? errno : 0);
    return 0;
}

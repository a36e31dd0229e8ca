// Is linked with a program that is compiled with --coverage. It lets the counts of a run arrive in the folder in which the run began, also
// if the program crashes or does not end. What it sets, it sets when the program is over.
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

extern void __gcov_dump(void);

// After so many microseconds of processor time, a run has shown what it does.
enum { MICROSECONDS = 500000 };

static char folder[4096];
// A program may crash because its own stack is full.
static char stack[1 << 16];

static __attribute__((destructor)) void choose_folder(void) {
    setenv("GCOV_PREFIX", folder, 1);
    setenv("GCOV_PREFIX_STRIP", "99", 1);
}

static void dump(int number) {
    choose_folder();
    __gcov_dump();
    signal(number, SIG_DFL);
    raise(number);
}

static __attribute__((constructor)) void begin(void) {
    static const int signals[] = {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGTRAP, SIGPROF};
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = dump, .sa_flags = SA_ONSTACK};
    struct itimerval limit = {.it_value = {.tv_usec = MICROSECONDS}};
    size_t at;
    if (getcwd(folder, sizeof folder) == NULL) return;
    sigaltstack(&other, NULL);
    for (at = 0; at < sizeof signals / sizeof *signals; at++) sigaction(signals[at], &action, NULL);
    setitimer(ITIMER_PROF, &limit, NULL);
}

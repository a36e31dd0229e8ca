// Counts the steps of a program that is compiled with -fsanitize-coverage=trace-pc. Compile this file without that option.
#ifndef SUBJECT_SELECT
#define SUBJECT_SELECT
#endif
#include "subject.h"

void __sanitizer_cov_trace_pc(void);

static int64_t own_steps = INT64_MAX;
static int64_t *steps_left = &own_steps;
static struct subject_run *run;

__attribute__((constructor(101))) static void meet_host(void) {
    const char *host = getenv("SUBJECT_HOST");
    if (host == NULL || strcmp(host, "subject") != 0) return;
    run = (struct subject_run *)(uintptr_t)host;
    run->counts = 1;
    steps_left = &run->steps_left;
}

void __sanitizer_cov_trace_pc(void) {
    if (__builtin_expect(--*steps_left < 0, 0) && run != NULL) run->no_steps_left();
}

// Counts the steps of a program. Compile this file as it is, and the program with hooks: those that `run/build/hooks.rs` puts into its
// assembly, which count in `subject_steps` themselves, or calls by -fsanitize-coverage=trace-pc.
#ifndef SUBJECT_SELECT
#define SUBJECT_SELECT
#endif
#include "subject.h"

#include <stddef.h>

enum { PAGE = 4096, BEFORE_STEPS = 8 };

/// A page of its own. The host replaces it by the one that it shares with the program.
union subject_page {
    struct subject_run run;
    char bytes[PAGE];
};

__attribute__((aligned(4096), visibility("hidden"))) union subject_page subject_steps = {.run = {.steps_left = INT64_MAX}};

_Static_assert(offsetof(struct subject_run, steps_left) == BEFORE_STEPS, "hooks know this place");

__attribute__((constructor(101))) static void meet_host(void) {
    const char *host = getenv("SUBJECT_HOST");
    if (host == NULL || strcmp(host, "subject") != 0) return;
    struct subject_run *run = (struct subject_run *)(uintptr_t)host;
    if (run->share(&subject_steps)) run->counts = 1;
}

__attribute__((visibility("hidden"), noreturn)) void subject_stop(void);
void subject_stop(void) {
    for (;;) subject_steps.run.no_steps_left();
}

#ifdef __x86_64__
// Where a hook jumps, from anywhere in a function.
__asm__(".text\n"
        ".globl subject_no_steps\n"
        ".hidden subject_no_steps\n"
        "subject_no_steps: and $-16,%rsp; call subject_stop\n");
#endif

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    if (__builtin_expect(--subject_steps.run.steps_left < 0, 0)) subject_stop();
}

// Marks the places of mutants in a C or C++ program:
//
//     int first = BUG("starts-at-one") ? 1 : 0;
//
// | build                          | BUG("id") is                                                   |
// |--------------------------------|----------------------------------------------------------------|
// | plain                          | the constant 0                                                 |
// | -DSUBJECT_MUTANT='"id"'        | 1 for this id and 0 for all others                             |
// | -DSUBJECT_SELECT               | whether `harness` has selected the id for this run, or, in a   |
// |                                | program that a person starts, whether the environment variable |
// |                                | SUBJECT_MUTANT is the id                                       |
// | -DSUBJECT_TELL                 | 0. A run prints each id whose BUG it reaches                   |
#ifndef SUBJECT_H
#define SUBJECT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(SUBJECT_SELECT)

#ifdef __cplusplus
extern "C" {
#endif

// What the host shares with the program. The host's own header has the same fields.
struct subject_run {
    char magic[8];
    int64_t steps_left;
    uint32_t selected;
    uint32_t counts;
    void (*no_steps_left)(void);
    uint32_t (*resolve)(uint32_t *site, const char *id);
    uint8_t reached[1026];
    int (*share)(void *page);
};

#if defined(__has_attribute)
#if __has_attribute(no_sanitize_coverage)
#define SUBJECT_UNCOUNTED __attribute__((weak, noinline, no_sanitize_coverage))
#elif defined(__clang__)
#define SUBJECT_UNCOUNTED __attribute__((weak, noinline, no_sanitize("coverage")))
#endif
#endif
#ifndef SUBJECT_UNCOUNTED
#define SUBJECT_UNCOUNTED __attribute__((weak, noinline))
#endif

// Whether the mutant of this site is selected. `*site` remembers the mutant's index; it is 0 at first. The steps that this function
// takes are not counted, because they differ from one run to the next.
SUBJECT_UNCOUNTED int subject_selected(uint32_t *site, const char *id);
SUBJECT_UNCOUNTED int subject_selected(uint32_t *site, const char *id) {
    static struct subject_run *run;
    static int is_started;
    if (!is_started) {
        const char *host = getenv("SUBJECT_HOST");
        if (host != NULL && strcmp(host, "subject") == 0) run = (struct subject_run *)(uintptr_t)host;
        is_started = 1;
    }
    if (run == NULL) {
        if (*site == 0) {
            const char *selected = getenv("SUBJECT_MUTANT");
            *site = selected != NULL && strcmp(selected, id) == 0 ? 2 : 1;
        }
        return *site == 2;
    }
    {
        uint32_t index = *site != 0 ? *site : run->resolve(site, id);
        run->reached[index] = 1;
        return run->selected == index;
    }
}

#ifdef __cplusplus
}
#endif

#define BUG(id)                                    \
    (__extension__({                               \
        static uint32_t subject_site;              \
        subject_selected(&subject_site, "" id ""); \
    }))

#elif defined(SUBJECT_TELL)

#include <fcntl.h>
#include <unistd.h>

// Strict ISO C leaves it out.
#ifndef F_DUPFD_CLOEXEC
#define F_DUPFD_CLOEXEC 1030
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Prints an id between two control characters, or nothing between them at the end of the run. It goes where standard output was when
// the run began.
__attribute__((weak, noinline)) int subject_tell(char *is_told, const char *id);
__attribute__((weak, noinline)) int subject_tell(char *is_told, const char *id) {
    static int output = -1;
    char text[1026] = "\x1e";
    size_t length = strlen(id);
    if (output == -1) output = fcntl(1, F_DUPFD_CLOEXEC, 100);
    if (*is_told || length > sizeof text - 2) return 0;
    *is_told = 1;
    memcpy(text + 1, id, length);
    text[length + 1] = '\x1f';
    // Without a mark of its end, nobody relies on what a run has told.
    if (write(output, text, length + 2) < 0) close(output);
    return 0;
}

__attribute__((weak, constructor)) void subject_tell_from_now(void);
__attribute__((weak, constructor)) void subject_tell_from_now(void) {
    char is_told = 1;
    subject_tell(&is_told, "");
}

__attribute__((weak, destructor)) void subject_tell_the_end(void);
__attribute__((weak, destructor)) void subject_tell_the_end(void) {
    static char is_told;
    subject_tell(&is_told, "");
}

#ifdef __cplusplus
}
#endif

#define BUG(id)                                   \
    (__extension__({                              \
        static char subject_is_told;              \
        subject_tell(&subject_is_told, "" id ""); \
    }))

#elif defined(SUBJECT_MUTANT)
#define BUG(id) (__builtin_strcmp("" id "", SUBJECT_MUTANT) == 0)
#else
#define BUG(id) (sizeof("" id "") == 0)
#endif

#endif

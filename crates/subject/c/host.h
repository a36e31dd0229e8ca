// What the parts of the host share: the vault, the run, and the one place from which the host makes system calls.
#ifndef SUBJECT_HOST_H
#define SUBJECT_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE = 4096, STREAMS = 2, MAX_MUTANTS = 1024, MAX_EARLY = 1 << 16, MOST_ANSWERS = 400 };
enum { STACK_BYTES = 8 << 20, SHALLOW_STACK = 64 << 10, ALTERNATE_STACK = 64 << 10 };

/// How a run ended. The numbers are those of the protocol.
enum end { EXIT, CRASH, TIMEOUT, MEMORY, OUTPUT_LIMIT, RUNNING };

/// What the program may write while it runs. Nothing here is trusted after the run. `subject.h` and `steps.c` know the first fields.
struct run {
    char magic[8];
    int64_t steps_left;
    uint32_t selected; // Its index plus 1, or 0.
    uint32_t counts;   // Set by a program that counts its steps.
    void (*no_steps_left)(void);
    uint32_t (*resolve)(uint32_t *site, const char *id);
    uint8_t reached[MAX_MUTANTS + 2];
    int (*share)(void *page); // Makes a page of the program's this one. 0 if it cannot.
    // The host's own fields.
    uint32_t is_unfit;
    char reason[96];
    int32_t end, code;
    uint32_t closed; // A bit for each standard stream that the program has closed.
    uint32_t is_serving; // The host reads or writes where the program has said.
    uint64_t blocked, pending; // Signals, a bit for each.
    uint64_t input_at;
    uint64_t written[STREAMS];
};

/// One request, and what is known of its answer. The answer's frame is written as it becomes known.
struct row {
    bool is_open;
    uint8_t detail;
    uint32_t args, files, words, differing;
    uint64_t args_at, input_at, input_length, files_at, mutants_at;
    uint64_t most, steps, allowed;
    uint64_t cursor, count_at;
    int32_t mutant; // -1 for the reference.
    int32_t end, code;
    uint64_t reference_length;
    uint64_t reference_says; // A digest of its standard error.
    uint64_t reached[MAX_MUTANTS / 64], near[MAX_MUTANTS / 64];
};

/// The registers of the host's loop, to which a run returns however it ends.
struct context {
    uint64_t registers[32];
};

/// What decides verdicts. Shared by parent and child. It is sealed while the program runs.
struct vault {
    struct context back;
    int argument_count;
    char **arguments;
    uint64_t requests_at, requests_end; // The frames that are not answered yet.
    uint64_t answers_end;
    uint64_t serial; // The number of runs that have begun.
    uint64_t child;  // The number of the child in /proc, which may belong to another PID namespace. 0 until it is known.
    bool is_running; // A run has begun and was not recorded.
    bool counts; // Whether the program counts its steps.
    const char *broken;
    uint64_t early[STREAMS]; // What the program wrote before `main`.
    struct row row;
    uint32_t answers;
    uint64_t seal, tags[MOST_ANSWERS]; // Digests of what precedes, and of the answers that were not sent yet.
};

struct limits {
    uint64_t reference_steps, step_floor, step_factor, output, memory, time, processes;
};

/// What does not change after the start. Its pages are then read-only.
struct host {
    bool is_snapshot, is_ready; // Whether a run can return to the host's loop.
    struct limits limits;
    bool runs_refused; // Whether mutants are run on a case that the reference refuses.
    uint32_t ids;
    const uint8_t *hello, *requests;
    uint64_t hello_size, requests_size, answers_size, output_size;
    struct vault *vault; // The output of the reference ends where it starts, and the answers follow.
    uint8_t *vault_start;
    uint64_t vault_size; // With all of these.
    uint8_t *answers, *early[STREAMS];
    struct run *run;
    uint8_t *captured[STREAMS];
    char *stack_low, *stack_top; // The stack of the program, below the environment.
    char *alternate_stack;
    int harness; // The process that started this one.
    char **arguments;
    int argument_count; // Of the fork engine's child, as are the allowed steps.
    int64_t allowed;
    int (*main)(int, char **, char **);
    void (**last_functions)(void), (*last_function)(void); // The program's, which the loader calls when it ends.
    size_t last_count;
    uint64_t base_memory, secret;
    uint32_t user, group; // A program that changes them is unfit for the snapshot engine.
    struct ledger *ledger;
} __attribute__((aligned(4096)));

extern struct host host __attribute__((visibility("hidden")));

/// Makes a system call. Gives a negative error number if it fails. The filter allows system calls from this place only.
long host_syscall(long number, long a, long b, long c, long d, long e, long f) __attribute__((visibility("hidden")));
#define SYS6(n, a, b, c, d, e, f, ...) \
    host_syscall(SYS_##n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define SYS(...) SYS6(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

#endif

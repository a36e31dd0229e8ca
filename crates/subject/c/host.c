// Turns an ordinary executable into a worker that answers cases (`subject/src/wire.rs` defines the frames). It is preloaded:
//
//     cc -shared -fPIC -O2 host.c -o libhost.so
//     LD_PRELOAD=libhost.so LD_BIND_NOW=1 SUBJECT_WORKER=2 [SUBJECT_ENGINE=fork] program [argument...]
//
// `host.c` includes the other files of this folder. The process needs no limit on its memory (RLIMIT_AS), because the host reserves
// addresses, and sets the limit of the first frame itself. RLIMIT_FSIZE must be at least the limit of output.
//
// The process becomes a parent, which does all input and output. Before any code of the program has run, it forks a child that
// runs the program. In the snapshot engine, the child runs the static constructors, takes a snapshot of its memory, and then runs
// `main` for one case after the other, restoring the memory each time. A crash is a signal that the child handles. If a run ends
// the child, the parent records that, and forks another child. In the fork engine, there is a child for each run, and everything
// about it is real: its streams, files and threads.
//
// Parent and child share the vault, which says what was asked and answered. A digest tells whether the program has written to it.
// What the child needs to restore its memory is read-only while the program runs. If the snapshot engine cannot run the program,
// the host writes why to standard error, and exits.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#undef _FORTIFY_SOURCE
#include "host.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// Headers of older systems lack these. Both architectures have the same numbers.
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

struct host host;

/// The protocol's streams, which only the parent has.
static struct {
    int requests, answers, errors;
    uint64_t filled, verified, sent; // Bytes of requests that were read, and of answers.
    uint32_t tag;
} terminal;

static void say(const char *text) {
    SYS(write, terminal.errors, text, strlen(text));
}

static void fail(const char *text) {
    say(text);
    SYS(exit_group, 1);
}

/// Says that this engine cannot run the program, so that the harness takes the next one.
static void refuse(const char *reason) {
    say("the program cannot run in this engine: ");
    say(reason);
    fail("\n");
}

static int64_t allowed_steps(void);

#include "row.c"
#include "heap.c"
#include "calls.c"
#include "signals.c"
#include "files.c"
#include "trap.c"
#include "snapshot.c"
#include "ending.c"
#include "watch.c"

static void begin_child(void);
static void *own(size_t bytes);
static char **lay_out_arguments(char *top, int *count);

#include "fork.c"

static const char version[] = "5";
enum { FRAMES = 1 << 30, MOST_TIME = 1000 * 1000 * 1000 };

/// Memory that parent and child share, between guards.
static void *share(size_t bytes) {
    size_t size = (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
    char *start = (char *)SYS(mmap, 0, size + 2 * PAGE, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if ((long)start < 0 || SYS(mprotect, start + PAGE, size, PROT_READ | PROT_WRITE) < 0) refuse("there is too little address space");
    is_foreign(start + PAGE, size);
    return start + PAGE;
}

/// Memory of the child alone, between guards.
static void *own(size_t bytes) {
    size_t size = bytes;
    char *start = reserve(&size, MAP_PRIVATE);
    if (start == NULL || size != bytes) refuse("there is too little address space");
    protect(start, bytes, PROT_READ | PROT_WRITE);
    return start;
}

/// Reads exactly `count` bytes. `false` if the input ends.
static bool read_exactly(uint8_t *bytes, size_t count) {
    while (count > 0) {
        long done = SYS(read, terminal.requests, bytes, count);
        if (done == -EINTR) continue;
        if (done <= 0) return false;
        bytes += done;
        count -= (size_t)done;
    }
    return true;
}

/// Reads the first frame, and shares memory for everything that its limits allow.
static void greet(void) {
    uint32_t length;
    if (!read_exactly((uint8_t *)&length, 4)) SYS(exit_group, 0);
    if (length > FRAMES) fail("the worker's protocol broke: a frame is too long\n");
    uint8_t *hello = share(length);
    if (!read_exactly(hello, length)) fail("the worker's protocol broke: a frame ends too soon\n");
    struct reader reader = {hello, 0, length, false};
    host.hello = hello;
    host.hello_size = length;
    host.ids = (uint32_t)take(&reader, 4);
    for (uint32_t id = 0; id < host.ids && !reader.broken; id++) take_bytes(&reader, &(uint64_t){0});
    uint64_t *limits = &host.limits.reference_steps;
    for (unsigned at = 0; at < sizeof host.limits / 8; at++) limits[at] = take(&reader, 8);
    host.runs_refused = take(&reader, 1) != 0;
    if (reader.broken || host.ids > MAX_MUTANTS) fail("the worker's protocol broke: the first frame is not a hello\n");
    if (host.limits.output > FRAMES / 4) host.limits.output = FRAMES / 4;
    if (host.limits.time > MOST_TIME) host.limits.time = MOST_TIME;

    size_t output = (host.limits.output + 2 * PAGE) & ~(size_t)(PAGE - 1);
    host.requests_size = host.answers_size = FRAMES;
    host.output_size = output;
    SYS(getrandom, &host.secret, sizeof host.secret, 0);
    host.vault_size = output + 2 * PAGE + FRAMES;
    host.vault_start = share(host.vault_size);
    host.vault = (struct vault *)(host.vault_start + output);
    host.answers = host.vault_start + output + 2 * PAGE;
    for (int stream = 0; stream < STREAMS; stream++) host.early[stream] = share(MAX_EARLY);
    host.requests = share(host.requests_size);
    host.run = share(sizeof(struct run));
    for (int stream = 0; stream < STREAMS; stream++) host.captured[stream] = share(output);
}

_Static_assert(sizeof(struct vault) <= 2 * PAGE, "the answers follow the vault");
_Static_assert(sizeof(struct run) <= PAGE, "a program shares one page with the host");

static uint32_t resolve(uint32_t *site, const char *id) {
    struct reader reader = {host.hello, 4, UINT64_MAX, false};
    uint32_t index = MAX_MUTANTS + 1; // The harness did not name it.
    for (uint32_t at = 0; at < host.ids; at++) {
        uint64_t length, text = take_bytes(&reader, &length);
        if (length == strlen(id) && memcmp(host.hello + text, id, length) == 0) index = at + 1;
    }
    if (host.is_snapshot) remember_site(site, index);
    else *site = index;
    return index;
}

/// Lets a page of the program's be the run, so that the program counts its steps at an address that its code knows.
static int share_run(void *page) {
    return SYS(mremap, host.run, 0, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, page) == (long)page;
}

static void no_steps_left(void) {
    end_run(TIMEOUT, 0);
}

EXPORT char *getenv(const char *name) {
    if (host.run != NULL && strcmp(name, "SUBJECT_HOST") == 0) return host.run->magic;
    size_t length = strlen(name);
    for (char **variable = environ; length > 0 && variable != NULL && *variable != NULL; variable++) {
        if (strncmp(*variable, name, length) == 0 && (*variable)[length] == '=') return *variable + length + 1;
    }
    return NULL;
}

/// Lays out the program's own arguments and those of the case below `top`. They end at a pointer to them, which is aligned.
static char **lay_out_arguments(char *top, int *count) {
    const struct row *row = &host.vault->row;
    int own_count = 0;
    while (host.arguments[own_count] != NULL) own_count++;
    *count = own_count + (int)row->args;
    struct reader reader = {host.requests, row->args_at, UINT64_MAX, false};
    uint64_t length, texts = 0;
    for (uint32_t arg = 0; arg < row->args; arg++) take_bytes(&reader, &length), texts += length + 1;
    char *text = top - texts;
    char **arguments = (char **)(((uintptr_t)text - (size_t)(*count + 1) * sizeof(char *)) & ~15ul);
    memcpy(arguments, host.arguments, (size_t)own_count * sizeof(char *));
    reader.at = row->args_at;
    for (uint32_t arg = 0; arg < row->args; arg++) {
        uint64_t at = take_bytes(&reader, &length);
        arguments[own_count + (int)arg] = memcpy(text, host.requests + at, length);
        text[length] = '\0';
        text += length + 1;
    }
    arguments[*count] = NULL;
    return arguments;
}

/// Copies texts to the top of the program's stack, and gives pointers to the copies.
static char **copy_texts(char **texts) {
    size_t count = 0;
    while (texts[count] != NULL) count++;
    char **copies = malloc((count + 1) * sizeof *copies);
    if (copies == NULL) fail("there is too little memory\n");
    for (size_t at = 0; at < count; at++) {
        size_t size = strlen(texts[at]) + 1;
        host.stack_top -= size;
        copies[at] = memcpy(host.stack_top, texts[at], size);
    }
    copies[count] = NULL;
    return copies;
}

/// Makes the memory of the snapshot engine.
static void prepare_snapshot(void) {
    if (getauxval(AT_PAGESZ) != PAGE) refuse("the system's pages are not of 4096 bytes");
    host.ledger = own((sizeof *host.ledger + PAGE - 1) & ~(size_t)(PAGE - 1));
    is_foreign(host.ledger, sizeof *host.ledger);
    host.stack_low = own(STACK_BYTES);
    host.stack_top = host.stack_low + STACK_BYTES;
    environ = copy_texts(environ);
    host.arguments = copy_texts(host.arguments);
    host.user = (uint32_t)SYS(geteuid);
    host.group = (uint32_t)SYS(getegid);
    host.alternate_stack = own(ALTERNATE_STACK);
    is_foreign(host.alternate_stack, ALTERNATE_STACK);
    patch_libc();
}

/// What every child does first.
static void begin_child(void) {
    SYS(setsid);
    SYS(prctl, PR_SET_PDEATHSIG, SIGKILL);
    uint64_t none = 0;
    SYS(rt_sigprocmask, SIG_SETMASK, &none, 0, 8);
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
}

static void start_program(void) {
    seal_vault();
    exit(host.main(host.vault->argument_count, host.vault->arguments, environ));
}

static int64_t allowed_steps(void) {
    uint64_t allowed = host.vault->row.allowed;
    return allowed > INT64_MAX ? INT64_MAX : (int64_t)allowed;
}

/// Runs the program for the prepared run, which this function's caller records.
static void execute(void) {
    struct vault *vault = host.vault;
    host.run->steps_left = allowed_steps();
    vault->arguments = lay_out_arguments(host.stack_top, &vault->argument_count);
    host_enter(&vault->back, vault->arguments, start_program);
}

/// The `main` of the snapshot engine's child: runs the program for one request after the other.
static __attribute__((noreturn)) int serve_snapshot(int count, char **arguments, char **environment) {
    (void)count, (void)arguments, (void)environment;
    struct vault *vault = host.vault;
    struct run *run = host.run;
    vault->counts = run->counts;
    if (run->input_at > 0) unfit("it reads its input before `main`");
    if (run->blocked != 0) unfit("it blocks signals before `main`");
    if (run->closed != 0) unfit("it closes a stream before `main`");
    for (int stream = 0; stream < STREAMS; stream++) {
        if (run->written[stream] > MAX_EARLY) unfit("it writes much output before `main`");
        vault->early[stream] = run->written[stream];
        memcpy(host.early[stream], host.captured[stream], run->written[stream]);
    }
    memset(host.stack_top - SHALLOW_STACK, 0, SHALLOW_STACK);
    for (int stream = 0; stream < STREAMS; stream++) protect(host.early[stream], MAX_EARLY, PROT_READ);
    take_snapshot();
    protect(&host, sizeof host, PROT_READ);
    protect(&arena, sizeof arena, PROT_READ);
    protect(&belongings, sizeof belongings, PROT_READ);
    for (;;) {
        while (!vault->is_running && !next_run()) SYS(kill, SYS(getpid), SIGSTOP);
        execute();
        int end = run->end;
        record(end >= EXIT && end < RUNNING ? end : CRASH, run->code);
        restore();
    }
}

/// Starts a child that serves requests. Returns twice, with 0 in the child.
static pid_t start_child(void) {
    for (int stream = 0; stream < STREAMS; stream++) host.vault->early[stream] = host.run->written[stream] = 0;
    host.vault->child = 0;
    pid_t child = fork();
    if (child < 0) fail("a process cannot be started\n");
    if (child > 0) return child;
    begin_child();
    host.vault->child = number_in_proc();
    SYS(close_range, 3, ~0u, 0);
    protect(host.requests, host.requests_size, PROT_READ);
    protect(host.hello, host.hello_size, PROT_READ);
    stack_t stack = {.ss_sp = host.alternate_stack, .ss_size = ALTERNATE_STACK};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    for (unsigned at = 0; at < sizeof faults / sizeof *faults; at++) sigaction(faults[at], &action, NULL);
    action.sa_sigaction = on_trap;
    sigaction(SIGSYS, &action, NULL);
    if (!filter_calls()) unfit("this system has no seccomp filters");
    return 0;
}

/// Moves the protocol's streams out of the program's way.
static void move_streams(void) {
    enum { FIRST = 200 };
    int *moved[] = {&terminal.requests, &terminal.answers, &terminal.errors};
    long null = SYS(openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC);
    for (int stream = 0; stream < 3; stream++) {
        *moved[stream] = (int)SYS(fcntl, stream, F_DUPFD_CLOEXEC, FIRST);
        SYS(dup3, null, stream, 0);
    }
    SYS(close, null);
}

static int exclude_own_data(struct dl_phdr_info *object, size_t size, void *found) {
    (void)size;
    for (int at = 0; at < object->dlpi_phnum; at++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[at];
        uintptr_t start = object->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
        if (part->p_type != PT_LOAD || (uintptr_t)found < start || (uintptr_t)found >= end) continue;
        is_foreign((void *)start, end - start);
        return 1;
    }
    return 0;
}

static void forget_variable(const char *name) {
    size_t length = strlen(name);
    char **kept = environ;
    for (char **variable = environ; *variable != NULL; variable++) {
        if (strncmp(*variable, name, length) != 0 || (*variable)[length] != '=') *kept++ = *variable;
    }
    *kept = NULL;
}

/// Becomes a worker. Returns in children only.
static void start_host(char **arguments) {
    const char *wanted = getenv("SUBJECT_WORKER"), *engine = getenv("SUBJECT_ENGINE");
    host.is_snapshot = engine == NULL || strcmp(engine, "fork") != 0;
    host.arguments = arguments;
    host.harness = (int)SYS(getppid);
    move_streams();
    if (strcmp(wanted, version) != 0) {
        say("the program's version of the worker protocol is 2, not ");
        fail(wanted);
    }
    static const char *const names[] = {"LD_PRELOAD", "LD_BIND_NOW", "SUBJECT_WORKER", "SUBJECT_ENGINE"};
    for (unsigned at = 0; at < sizeof names / sizeof *names; at++) forget_variable(names[at]);
    uint64_t child_signal = 1ull << (SIGCHLD - 1);
    SYS(rt_sigprocmask, SIG_BLOCK, &child_signal, 0, 8);
    SYS(prctl, PR_SET_CHILD_SUBREAPER, 1);
    dl_iterate_phdr(exclude_own_data, &host);
    greet();
    if (host.is_snapshot) prepare_snapshot();
    serve();
}

/// The `main` of the fork engine's children. The steps before it are not counted.
static int count_and_run(int count, char **arguments, char **environment) {
    host.run->steps_left = host.allowed;
    return host.main(count, arguments, environment);
}

/// Called by the program's first instructions, when the libraries have started but none of the program's own code has run.
EXPORT int __libc_start_main(int (*main)(int, char **, char **), int count, char **arguments, void (*init)(void),
    void (*fini)(void), void (*loader_fini)(void), void *stack_end) {
    typeof(&__libc_start_main) real = (typeof(&__libc_start_main))dlsym(RTLD_NEXT, "__libc_start_main");
    if (getenv("SUBJECT_WORKER") == NULL) return real(main, count, arguments, init, fini, loader_fini, stack_end);
    host.main = main;
    start_host(arguments);
    if (host.is_snapshot) return real(serve_snapshot, count, arguments, init, fini, ending(loader_fini), stack_end);
    return real(count_and_run, host.argument_count, host.arguments, init, fini, loader_fini, stack_end);
}

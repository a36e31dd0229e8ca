// What the parent does: it reads requests, starts children, watches their time, ends what they leave, and sends answers.

static bool fork_run(void);
static pid_t start_child(void);

/// A run by the parent's clocks. The harness judges processes in the same way (`src/run/process/usage.rs`).
struct watch {
    pid_t process;
    uint64_t start, processor; // Nanoseconds.
};

static uint64_t clock_of(clockid_t clock) {
    struct timespec time = {0, 0};
    SYS(clock_gettime, clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/// The time that all threads of a process have used.
static uint64_t processor_time(pid_t process) {
    return clock_of((clockid_t)(~(uint32_t)process << 3 | 2));
}

static struct watch begin_watch(pid_t process) {
    return (struct watch){process, clock_of(CLOCK_MONOTONIC), processor_time(process)};
}

static size_t put_decimal(char *text, uint64_t number) {
    char digits[20];
    size_t count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    for (size_t at = 0; at < count; at++) text[at] = digits[count - 1 - at];
    text[count] = '\0';
    return count;
}

/// Whether a process runs, or waits for the processor or a disk.
static bool is_runnable(pid_t process) {
    char path[64] = "/proc/", text[512];
    size_t length = 6 + put_decimal(path + 6, (uint64_t)process);
    memcpy(path + length, "/stat", 6);
    long file = SYS(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    long count = SYS(read, file, text, sizeof text - 1);
    SYS(close, file);
    text[count > 0 ? count : 0] = '\0';
    const char *name_end = strrchr(text, ')');
    return name_end != NULL && name_end[1] == ' ' && (name_end[2] == 'R' || name_end[2] == 'D');
}

/// Whether the run has used up its time. While it waits for the processor, only its processor time counts. While it waits for anything
/// else, the wall clock counts.
static bool is_over(const struct watch *watch) {
    const uint64_t most = 20, time = host.limits.time * 1000000;
    uint64_t elapsed = clock_of(CLOCK_MONOTONIC) - watch->start;
    if (elapsed <= time) return false;
    if (elapsed / most > time) return true;
    return processor_time(watch->process) - watch->processor >= time || !is_runnable(watch->process);
}

/// The number of threads in the whole system.
static uint64_t count_threads(void) {
    char text[64] = "";
    long file = SYS(openat, AT_FDCWD, "/proc/loadavg", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    SYS(read, file, text, sizeof text - 1);
    SYS(close, file);
    const char *count = strchr(text, '/');
    return count == NULL ? 0 : strtoul(count + 1, NULL, 10);
}

/// Waits until a child changes its state, at most for some milliseconds.
static void wait_for_children(long milliseconds) {
    uint64_t set = 1ull << (SIGCHLD - 1);
    struct timespec most = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    SYS(rt_sigtimedwait, &set, 0, &most, 8);
}

/// Ends all processes that descend from this one. Those whose parent has ended have become children of this process.
static void end_descendants(void) {
    char path[64] = "/proc/self/task/", text[PAGE];
    size_t length = 16 + put_decimal(path + 16, (uint64_t)SYS(getpid));
    memcpy(path + length, "/children", 10);
    const uint64_t start = clock_of(CLOCK_MONOTONIC), most = 2000000000;
    while (clock_of(CLOCK_MONOTONIC) - start < most) {
        long ended;
        while ((ended = SYS(wait4, -1, 0, WNOHANG | __WALL, 0)) > 0) {}
        if (ended < 0) return;
        long file = SYS(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
        long count = file < 0 ? 0 : SYS(read, file, text, sizeof text - 1);
        if (file >= 0) SYS(close, file);
        text[count > 0 ? count : 0] = '\0';
        for (char *at = text; *at != '\0';) {
            char *end;
            long process = strtol(at, &end, 10);
            if (end == at) break;
            if (process > 0) SYS(kill, process, SIGKILL);
            at = *end == ' ' ? end + 1 : end;
        }
        wait_for_children(10);
    }
    // Without a PID namespace, they can start others faster than this process ends them.
    fail("the processes that the program has started cannot be ended\n");
}

static void record_status(int status) {
    struct run *run = host.run;
    if (run->end >= EXIT && run->end < RUNNING) record(run->end, run->code);
    else if (WIFEXITED(status)) record(EXIT, WEXITSTATUS(status));
    else if (WTERMSIG(status) == SIGXFSZ) record(OUTPUT_LIMIT, 0);
    else record(CRASH, WTERMSIG(status));
}

/// How far the answers are as they were when they were finished.
static uint64_t end_of_intact_answers(void) {
    const struct vault *vault = host.vault;
    uint64_t end = __atomic_load_n(&vault->answers_end, __ATOMIC_ACQUIRE);
    for (uint32_t length; terminal.verified < end && end <= host.answers_size; terminal.verified += 4 + length) {
        memcpy(&length, host.answers + terminal.verified, 4);
        bool is_whole = terminal.tag < MOST_ANSWERS && length <= end - terminal.verified - 4;
        if (!is_whole || digest(host.answers + terminal.verified, 4 + (uint64_t)length) != vault->tags[terminal.tag++]) break;
    }
    return terminal.verified;
}

static void send_answers(void) {
    uint64_t end = end_of_intact_answers();
    while (terminal.sent < end) {
        long done = SYS(write, terminal.answers, host.answers + terminal.sent, end - terminal.sent);
        if (done == -EINTR) continue;
        if (done <= 0) SYS(exit_group, 0); // The harness has ended.
        terminal.sent += (uint64_t)done;
    }
}

static void end_unfit(const char *reason) {
    send_answers();
    refuse(reason);
}

/// Waits until the child has answered all requests, or a run has ended it. `false` if the child has ended.
static bool wait_for_child(pid_t child) {
    enum { LOOK_MS = 5 };
    struct watch watch = begin_watch(child);
    uint64_t serial = host.vault->serial;
    for (int status;;) {
        if (SYS(wait4, child, &status, WNOHANG | WUNTRACED, 0) == child) {
            if (WIFSTOPPED(status)) return true;
            host.run->reason[sizeof host.run->reason - 1] = '\0';
            if (host.run->is_unfit) end_unfit(host.run->reason);
            if (!is_vault_intact()) end_unfit("it has written into the host's memory");
            if (!host.vault->is_running) end_unfit("it ends after it has ended");
            record_status(status);
            return false;
        }
        wait_for_children(LOOK_MS);
        send_answers();
        if (serial != host.vault->serial) {
            serial = host.vault->serial;
            watch = begin_watch(child);
        } else if (is_over(&watch)) {
            host.run->end = TIMEOUT;
            SYS(kill, child, SIGKILL);
        }
    }
}

/// Reads requests until there is at least one. Those that are answered make room.
static void read_requests(void) {
    struct vault *vault = host.vault;
    uint8_t *requests = (uint8_t *)host.requests;
    memmove(requests, requests + vault->requests_end, terminal.filled - vault->requests_end);
    terminal.filled -= vault->requests_end;
    vault->requests_at = vault->requests_end = 0;
    for (;;) {
        for (uint32_t length; terminal.filled - vault->requests_end >= 4; vault->requests_end += 4 + length) {
            memcpy(&length, requests + vault->requests_end, 4);
            if (length > host.requests_size - 4) fail("the worker's protocol broke: a frame is too long\n");
            if (terminal.filled - vault->requests_end - 4 < length) break;
        }
        if (vault->requests_end > 0) return;
        long done = SYS(read, terminal.requests, requests + terminal.filled, host.requests_size - terminal.filled);
        if (done == -EINTR) continue;
        if (done <= 0) {
            end_descendants();
            SYS(exit_group, done == 0 ? 0 : 1);
        }
        terminal.filled += (uint64_t)done;
    }
}

/// Runs the program once in the fork engine, or until all requests are answered in the snapshot engine. `true` in children, which then
/// are the program.
static bool advance(pid_t *child) {
    if (!host.is_snapshot) return fork_run();
    if (host.vault->row.files > 0) end_unfit("its cases have files");
    seal_vault();
    if (*child != 0) SYS(kill, *child, SIGCONT);
    else if ((*child = start_child()) == 0) return true;
    if (!wait_for_child(*child)) *child = 0;
    return false;
}

/// Answers requests until the input ends. Returns in children only.
static void serve(void) {
    struct vault *vault = host.vault;
    for (pid_t child = 0;;) {
        if (vault->requests_at == vault->requests_end && !vault->is_running) read_requests();
        while (vault->is_running || next_run()) {
            if (advance(&child)) return;
            send_answers();
        }
        if (vault->broken != NULL) fail(vault->broken);
        send_answers();
        if (terminal.sent != vault->answers_end) end_unfit("it has written into the host's memory");
        SYS(madvise, host.answers + MANY_ANSWERS, host.answers_size - MANY_ANSWERS, MADV_REMOVE);
        vault->answers_end = terminal.sent = terminal.verified = 0;
        vault->answers = terminal.tag = 0;
    }
}

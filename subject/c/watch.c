// Time limits of runs, and the end of everything that a run has started. Only the parent does this.

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
    for (;;) {
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
}

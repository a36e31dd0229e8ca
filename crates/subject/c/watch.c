// What the parent does: it reads requests, starts children, watches their time, ends what they leave, and sends answers.

static bool fork_run(void);
static pid_t start_child(void);

enum { MILLISECOND = 1000000 }; // In nanoseconds.

/// What a run is charged with, in nanoseconds. The harness judges processes in the same way (`src/run/process/usage.rs`).
struct watch {
    pid_t process;
    uint64_t start, last;       // By the wall clock.
    uint64_t before, processor; // Of the process.
    uint64_t asleep;
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
    uint64_t now = clock_of(CLOCK_MONOTONIC), processor = processor_time(process);
    return (struct watch){process, now, now, processor, processor, 0};
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

/// The number of this process in /proc. In a PID namespace, it may have another number.
static uint64_t number_in_proc(void) {
    char text[24] = "";
    SYS(readlinkat, AT_FDCWD, "/proc/self", text, sizeof text - 1);
    return strtoul(text, NULL, 10);
}

/// Reads a file of a process in /proc.
static bool read_of(uint64_t number, const char *name, char *text, size_t size) {
    char path[64] = "/proc/";
    size_t length = 6 + put_decimal(path + 6, number);
    memcpy(path + length, name, strlen(name) + 1);
    long file = SYS(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    long count = file < 0 ? 0 : SYS(read, file, text, size - 1);
    if (file >= 0) SYS(close, file);
    text[count > 0 ? count : 0] = '\0';
    return count > 0;
}

/// Whether a file `stat` in /proc is of a thread that runs, or waits for the processor or a disk.
static bool is_runnable_in(const char *stat) {
    const char *name_end = strrchr(stat, ')');
    return name_end != NULL && name_end[1] == ' ' && (name_end[2] == 'R' || name_end[2] == 'D');
}

/// The names in a folder, read without libc's heap, because the program would find there what is left of them.
struct names {
    long file, at, count;
    char entries[1024];
};

static struct names names_in(const char *folder) {
    return (struct names){.file = SYS(openat, AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
}

/// The next name, or NULL after the last. Then the folder is closed.
static const char *next_name(struct names *names) {
    enum { LENGTH = 16, NAME = 19 }; // Where `d_reclen` and `d_name` are in `struct linux_dirent64`.
    if (names->at >= names->count) {
        names->at = 0;
        names->count = names->file < 0 ? 0 : SYS(getdents64, names->file, names->entries, sizeof names->entries);
        if (names->count <= 0) {
            if (names->file >= 0) SYS(close, names->file);
            return NULL;
        }
    }
    const char *entry = names->entries + names->at;
    names->at += *(const uint16_t *)(entry + LENGTH);
    return entry + NAME;
}

/// Whether a thread of the child runs, or waits for the processor or a disk.
static bool is_runnable(void) {
    const uint64_t child = host.vault->child;
    char folder[64] = "/proc/", stat[512], name[64] = "/task/";
    if (child == 0) return true;
    memcpy(folder + 6 + put_decimal(folder + 6, child), "/task", sizeof "/task");
    bool is_found = false;
    struct names threads = names_in(folder);
    for (const char *thread; (thread = next_name(&threads)) != NULL;) {
        if (is_found || thread[0] == '.') continue;
        size_t length = strlen(thread);
        memcpy(name + 6, thread, length);
        memcpy(name + 6 + length, "/stat", sizeof "/stat");
        is_found = read_of(child, name, stat, sizeof stat) && is_runnable_in(stat);
    }
    return is_found;
}

/// Looks at the run, and tells how much of its time is left. It is charged with its processor time and with the time that it sleeps, but
/// not while it waits for the processor or a disk.
static uint64_t time_left(struct watch *watch) {
    const uint64_t most = 200, longest = 250000000, time = host.limits.time * 1000000;
    uint64_t now = clock_of(CLOCK_MONOTONIC), processor = processor_time(watch->process);
    if (!is_runnable()) {
        uint64_t passed = now - watch->last, worked = processor - watch->processor;
        if (passed > longest) passed = longest;
        if (passed > worked) watch->asleep += passed - worked;
    }
    watch->last = now;
    watch->processor = processor;
    uint64_t charged = watch->asleep + processor - watch->before;
    return charged >= time || (now - watch->start) / most > time ? 0 : time - charged;
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

/// Waits until a child changes its state, at most for so many nanoseconds.
static void wait_for_children(uint64_t nanoseconds) {
    uint64_t set = 1ull << (SIGCHLD - 1);
    struct timespec most = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
    SYS(rt_sigtimedwait, &set, 0, &most, 8);
}

/// The numbers of a process from the namespace of /proc inwards, as far as there is room. Returns how many there are.
static int numbers_of(uint64_t number, long *numbers, int room) {
    char text[PAGE];
    if (!read_of(number, "/status", text, sizeof text)) return 0;
    const char *name = "\nNSpid:", *at = strstr(text, name);
    int count = 0;
    char *end;
    for (at = at == NULL ? "" : at + strlen(name); *at != '\n' && count < room; at = end) {
        numbers[count] = strtol(at, &end, 10);
        if (end == at) break;
        count++;
    }
    return count;
}

/// The number of a process in the namespace of this process, by its number in /proc.
static long number_here(uint64_t number) {
    enum { DEPTH = 33 };
    long numbers[DEPTH];
    int depth = numbers_of(number_in_proc(), numbers, DEPTH);
    if (depth == 0) return (long)number;
    return numbers_of(number, numbers, depth) == depth ? numbers[depth - 1] : 0;
}

/// Ends all processes that descend from this one. Those whose parent has ended have become children of this process.
static void end_descendants(void) {
    char text[PAGE];
    const uint64_t start = clock_of(CLOCK_MONOTONIC), most = 2000000000;
    while (clock_of(CLOCK_MONOTONIC) - start < most) {
        long ended;
        while ((ended = SYS(wait4, -1, 0, WNOHANG | __WALL, 0)) > 0) {}
        if (ended < 0) return;
        long file = SYS(openat, AT_FDCWD, "/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
        long count = file < 0 ? 0 : SYS(read, file, text, sizeof text - 1);
        if (file >= 0) SYS(close, file);
        text[count > 0 ? count : 0] = '\0';
        for (char *at = text, *end; *at != '\0'; at = *end == ' ' ? end + 1 : end) {
            uint64_t number = strtoul(at, &end, 10);
            if (end == at) break;
            long process = number_here(number);
            if (process > 0) SYS(kill, process, SIGKILL);
        }
        wait_for_children(10 * MILLISECOND);
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

/// Stops the child, and tells whether it is in the run of this number. Otherwise it has just ended that run, and goes on.
static bool is_in_run(pid_t child, uint64_t serial) {
    siginfo_t info;
    SYS(kill, child, SIGSTOP);
    SYS(waitid, P_PID, child, &info, WSTOPPED | WEXITED | WNOWAIT, 0);
    if (host.vault->serial == serial && host.vault->is_running && is_vault_intact()) return true;
    SYS(kill, child, SIGCONT);
    return false;
}

/// Waits until the child has answered all requests, or a run has ended it. `false` if the child has ended.
static bool wait_for_child(pid_t child) {
    enum { MOST_LOOK_MS = 5, MOST_LOOKS = 100 };
    const uint64_t fifth = host.limits.time / 5, least = MILLISECOND / 10;
    const uint64_t look = (fifth < 1 ? 1 : fifth < MOST_LOOK_MS ? fifth : MOST_LOOK_MS) * MILLISECOND;
    struct watch watch = begin_watch(child);
    uint64_t serial = host.vault->serial, left = look;
    int looks = 0;
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
        // A run that never ends is stopped as soon as its time is over.
        wait_for_children(left > look ? look : left < least ? least : left);
        send_answers();
        if (serial != host.vault->serial) {
            serial = host.vault->serial;
            watch = begin_watch(child);
            looks = 0;
            left = look;
        } else if ((left = time_left(&watch)) == 0) {
            if (is_in_run(child, serial) || ++looks > MOST_LOOKS) {
                host.run->end = TIMEOUT;
                SYS(kill, child, SIGKILL);
            } else {
                watch = begin_watch(child); // The time was the host's, for example to start the program.
            }
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

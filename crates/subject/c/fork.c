// The fork engine: a new child for each run, with real streams, in a folder that holds nothing but the files of the case.

enum { MOST_FILES = 1 << 30, GRACE_MS = 200, COUNT_MS = 250 };

/// The standard streams of a run: a file for input, and the parent's ends of two pipes.
struct streams {
    int input, outputs[STREAMS], ends[STREAMS];
};

/// The folder of the runs, in the folder in which the harness started this process, and which it removes. A run that leaves it as it
/// was found leaves it to the next one.
static struct {
    char path[16];
    long at; // Its descriptor, or 0 if there is none.
    struct timespec changed; // When it was last changed before the run.
} folder;

/// The first process of the PID namespace in which programs run, if the system allows namespaces. It ends all others when told to.
static struct {
    int init, orders, replies;
} namespace;

static void serve_as_init(int orders, int replies) {
    char order;
    SYS(setsid);
    SYS(prctl, PR_SET_PDEATHSIG, SIGKILL);
    SYS(dup3, orders, 0, 0);
    SYS(dup3, replies, 1, 0);
    SYS(close_range, 2, ~0u, 0);
    while (SYS(read, 0, &order, 1) == 1) {
        SYS(kill, -1, SIGKILL);
        while (SYS(wait4, -1, 0, __WALL, 0) > 0) {}
        SYS(write, 1, &order, 1);
    }
    for (;;) SYS(exit_group, 0);
}

static void write_text(const char *path, const char *text) {
    long file = SYS(openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    SYS(write, file, text, strlen(text));
    SYS(close, file);
}

/// Makes a user keep their number in the new user namespace.
static void map_user(const char *path, uint64_t number) {
    char text[64];
    size_t length = put_decimal(text, number);
    text[length++] = ' ';
    length += put_decimal(text + length, number);
    memcpy(text + length, " 1", 3);
    write_text(path, text);
}

/// Creates a PID namespace, if need be in a user namespace, which does not need root.
static bool create_namespace(void) {
    uint64_t user = (uint64_t)SYS(geteuid), group = (uint64_t)SYS(getegid);
    if (SYS(unshare, CLONE_NEWPID) == 0) return true;
    if (SYS(unshare, CLONE_NEWUSER | CLONE_NEWPID) < 0) return false;
    write_text("/proc/self/setgroups", "deny");
    map_user("/proc/self/uid_map", user);
    map_user("/proc/self/gid_map", group);
    return true;
}

/// Lets all further children be in a PID namespace, as processes of the harness are, so that they cannot reach any other process.
static void enter_namespace(void) {
    int orders[2], replies[2];
    if (!create_namespace()) return;
    if (SYS(pipe2, orders, O_CLOEXEC) < 0 || SYS(pipe2, replies, O_CLOEXEC) < 0) fail("a pipe cannot be made\n");
    namespace.init = fork();
    if (namespace.init < 0) fail("a process cannot be started\n");
    if (namespace.init == 0) serve_as_init(orders[0], replies[1]);
    SYS(close, orders[0]);
    SYS(close, replies[1]);
    namespace.orders = orders[1];
    namespace.replies = replies[0];
}

/// Ends everything that a run has started. Its first process has been reaped.
static void end_run_processes(void) {
    char order = 0;
    if (namespace.init == 0) end_descendants();
    else if (SYS(write, namespace.orders, &order, 1) != 1 || SYS(read, namespace.replies, &order, 1) != 1) {
        fail("the PID namespace has ended\n");
    }
}

static int temporary_file(const uint8_t *contents, uint64_t length) {
    long file = SYS(memfd_create, "stdin", MFD_CLOEXEC);
    if (file < 0) fail("a temporary file cannot be made\n");
    for (uint64_t at = 0; at < length;) {
        long done = SYS(pwrite64, file, contents + at, length - at, at);
        if (done <= 0) fail("a temporary file cannot be written\n");
        at += (uint64_t)done;
    }
    return (int)file;
}

static struct streams open_streams(void) {
    const struct row *row = &host.vault->row;
    struct streams streams = {.input = temporary_file(host.requests + row->input_at, row->input_length)};
    for (int stream = 0; stream < STREAMS; stream++) {
        int pipe[2];
        if (SYS(pipe2, pipe, O_CLOEXEC) < 0) fail("a pipe cannot be made\n");
        streams.outputs[stream] = pipe[0];
        streams.ends[stream] = pipe[1];
    }
    return streams;
}

static void make_folder(void) {
    strcpy(folder.path, "run.XXXXXX");
    if (mkdtemp(folder.path) == NULL) fail("a temporary folder cannot be made\n");
    folder.at = SYS(openat, AT_FDCWD, folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/// The name of a file of the case, which must lie in the folder.
static bool copy_name(char *name, const uint8_t *bytes, uint64_t length) {
    if (length == 0 || length > 255 || memchr(bytes, '/', length) || memchr(bytes, '\0', length)) return false;
    memcpy(name, bytes, length);
    name[length] = '\0';
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/// Makes the folder, unless there is one, and writes the files of the case into it.
static long fill_folder(void) {
    const struct row *row = &host.vault->row;
    if (folder.at == 0) make_folder();
    long at = folder.at;
    struct reader reader = {host.requests, row->files_at, UINT64_MAX, false};
    for (uint32_t file = 0; file < row->files; file++) {
        uint64_t name_length, length, name_at = take_bytes(&reader, &name_length), contents = take_bytes(&reader, &length);
        char name[256];
        if (!copy_name(name, host.requests + name_at, name_length)) fail("a case's file has a name that is not a file's\n");
        long made = SYS(openat, at, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (made < 0 || SYS(write, made, host.requests + contents, length) != (long)length) fail("a temporary file cannot be written\n");
        SYS(close, made);
    }
    struct stat status;
    fstat((int)at, &status);
    folder.changed = status.st_ctim;
    return at;
}

/// Whether the case has this file with these contents.
static bool is_of_case(const char *name, const uint8_t *contents, uint64_t length) {
    const struct row *row = &host.vault->row;
    struct reader reader = {host.requests, row->files_at, UINT64_MAX, false};
    for (uint32_t file = 0; file < row->files; file++) {
        uint64_t name_length, old_length, name_at = take_bytes(&reader, &name_length), old = take_bytes(&reader, &old_length);
        if (name_length == strlen(name) && memcmp(host.requests + name_at, name, name_length) == 0) {
            return old_length == length && memcmp(host.requests + old, contents, length) == 0;
        }
    }
    return false;
}

static void append(const void *bytes, uint64_t count) {
    if (MOST_FILES - files.length < count) fail("the program's files are too long\n");
    memcpy(files.at + files.length, bytes, count);
    files.length += count;
}

/// Appends a file that is new or has changed.
static bool append_file(int at, const char *name) {
    struct stat status;
    if (fstatat(at, name, &status, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(status.st_mode)) return false;
    long file = SYS(openat, at, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return false;
    uint64_t start = files.length, name_length = strlen(name), length = 0;
    append(&name_length, 4);
    append(name, name_length);
    append(&length, 4);
    uint8_t *contents = files.at + files.length;
    for (long more = 1; more > 0;) {
        more = SYS(read, file, contents + length, MOST_FILES - files.length - length);
        if (more > 0) length += (uint64_t)more;
    }
    SYS(close, file);
    if (is_of_case(name, contents, length)) {
        files.length = start;
        return false;
    }
    memcpy(contents - 4, &length, 4);
    files.length += length;
    files.contents += length;
    return true;
}

static int by_bytes(const struct dirent **first, const struct dirent **second) {
    return strcmp((*first)->d_name, (*second)->d_name);
}

static void remove_all(int at) {
    DIR *entries = fdopendir(dup(at));
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (unlinkat(at, entry->d_name, 0) == 0) continue;
        int inner = openat(at, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        if (inner >= 0) {
            fchmod(inner, 0700);
            remove_all(inner);
            close(inner);
        }
        unlinkat(at, entry->d_name, AT_REMOVEDIR);
    }
    if (entries != NULL) closedir(entries);
}

/// Encodes the files that the run has left in the folder of a case with files.
static void collect_files(int at) {
    files.length = files.contents = 0;
    if (host.vault->row.files == 0) return;
    struct dirent **entries = NULL;
    uint32_t written = 0;
    append(&written, 4);
    int count = scandirat(at, ".", &entries, NULL, by_bytes);
    for (int entry = 0; entry < count; entry++) {
        if (append_file(at, entries[entry]->d_name)) written++;
        free(entries[entry]);
    }
    free(entries);
    memcpy(files.at, &written, 4);
}

/// Whether the folder is as empty as a new one. A change in the moment in which the folder was made may leave the same time, so that
/// its entries are looked at too.
static bool is_unchanged(int at) {
    enum { ROOM = 1024, OWN_ENTRIES = 2 };
    char entries[ROOM];
    struct stat status;
    fstat(at, &status);
    bool is_same = status.st_nlink > 0 && (status.st_mode & 07777) == 0700 && status.st_ctim.tv_sec == folder.changed.tv_sec
        && status.st_ctim.tv_nsec == folder.changed.tv_nsec;
    if (!is_same || lseek(at, 0, SEEK_SET) != 0) return false;
    long length = SYS(getdents64, at, entries, sizeof entries), count = 0;
    for (long entry = 0; entry < length; entry += *(uint16_t *)(entries + entry + 16)) count++;
    return count == OWN_ENTRIES;
}

static void remove_folder(void) {
    int at = (int)folder.at;
    if (at == 0) return;
    fchmod(at, 0700);
    lseek(at, 0, SEEK_SET);
    remove_all(at);
    SYS(close, at);
    rmdir(folder.path);
    folder.at = 0;
}

/// A signal to the parent, to the harness or to all processes has no effect, as if the program had a PID namespace of its own.
static void filter_signals(void) {
    static const int calls[] = {SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_open};
    const pid_t parent = (pid_t)SYS(getppid), harness = host.harness;
    const int spared[] = {parent, harness, -(int)SYS(getpgid, parent), -(int)SYS(getpgid, harness), -1};
    enum { CALLS = sizeof calls / sizeof *calls, SPARED = sizeof spared / sizeof *spared, CHECK = CALLS + 2 };
    struct sock_filter filter[CHECK + SPARED + 3];
    filter[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (unsigned at = 0; at < CALLS; at++) {
        filter[1 + at] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[at], (uint8_t)(CALLS - at), 0);
    }
    filter[CHECK - 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[CHECK] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args));
    for (unsigned at = 0; at < SPARED; at++) {
        filter[CHECK + 1 + at] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)spared[at], (uint8_t)(SPARED - at), 0);
    }
    filter[CHECK + 1 + SPARED] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[CHECK + 2 + SPARED] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO);
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    // Without it, a program that kills its parent ends this worker, which the harness notices.
    if (SYS(prctl, PR_SET_NO_NEW_PRIVS, 1) == 0) SYS(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void limit_resource(int resource, uint64_t most) {
    struct rlimit limit = {most, most}, old;
    getrlimit(resource, &old);
    if (setrlimit(resource, &limit) == 0 || old.rlim_max > most) return;
    limit.rlim_cur = limit.rlim_max = old.rlim_max; // A lower limit that only root may raise.
    setrlimit(resource, &limit);
}

/// Takes what the run needs from the memory that this process shares with its parent, and leaves that memory.
static void leave_vault(void) {
    const struct row *row = &host.vault->row;
    size_t length = (row->input_at - row->args_at + 16 * (size_t)row->args + 2 * PAGE) & ~(size_t)(PAGE - 1);
    host.allowed = allowed_steps();
    host.arguments = lay_out_arguments((char *)own(length) + length, &host.argument_count);
    for (int stream = 0; stream < STREAMS; stream++) SYS(munmap, host.captured[stream], host.output_size);
    SYS(munmap, host.requests, host.requests_size);
    SYS(munmap, host.vault_start, host.vault_size);
    SYS(munmap, files.at, MOST_FILES);
    SYS(munmap, reference_files.at, MOST_FILES);
}

/// Makes this process one that the harness could have started for the case.
static void become_program(const struct streams *streams, long at) {
    leave_vault();
    if (namespace.init == 0) filter_signals();
    SYS(fchdir, at);
    SYS(dup3, streams->input, 0, 0);
    for (int stream = 0; stream < STREAMS; stream++) SYS(dup3, streams->ends[stream], stream + 1, 0);
    SYS(close_range, 3, ~0u, 0);
    limit_resource(RLIMIT_FSIZE, host.limits.output);
    if (host.limits.memory != 0) limit_resource(RLIMIT_AS, host.limits.memory);
}

/// What the parent knows of a run. The program cannot change it, unlike what it shares with the parent.
struct outcome {
    int end, code;
    uint64_t written[STREAMS];
};

/// Reads what has arrived in the pipes. Closes a pipe that has ended.
static void read_streams(struct streams *streams, int milliseconds, struct outcome *outcome) {
    struct pollfd polled[STREAMS];
    for (int stream = 0; stream < STREAMS; stream++) polled[stream] = (struct pollfd){streams->outputs[stream], POLLIN, 0};
    if (poll(polled, STREAMS, milliseconds) <= 0) return;
    for (int stream = 0; stream < STREAMS; stream++) {
        if (polled[stream].revents == 0) continue;
        uint64_t *written = &outcome->written[stream], room = host.output_size - *written;
        long done = SYS(read, streams->outputs[stream], host.captured[stream] + *written, room < 1 << 16 ? room : 1 << 16);
        if (done == -EINTR) continue;
        if (done > 0) *written += (uint64_t)done;
        if (done > 0 && *written <= host.limits.output) continue;
        if (*written > host.limits.output) outcome->end = OUTPUT_LIMIT;
        SYS(close, streams->outputs[stream]);
        streams->outputs[stream] = -1;
    }
}

/// Whether a process has ended. It is not reaped, so that its number stays its own.
static bool has_ended(pid_t process) {
    siginfo_t info = {.si_pid = 0};
    SYS(waitid, P_PID, process, &info, WEXITED | WNOHANG | WNOWAIT, 0);
    return info.si_pid == process;
}

/// Whether a process is in the namespace, or in the group of the run.
static bool is_of_run(const char *number, pid_t group) {
    if (namespace.init == 0) return SYS(getpgid, strtol(number, NULL, 10)) == group;
    char path[64], link[64] = "", own[64] = "";
    // The numbers in /proc may be those of another namespace than this process's.
    SYS(readlinkat, AT_FDCWD, "/proc/self/ns/pid_for_children", own, sizeof own - 1);
    memcpy(path, "/proc/", 6);
    size_t length = 6 + put_decimal(path + 6, strtoul(number, NULL, 10));
    memcpy(path + length, "/ns/pid", 8);
    SYS(readlinkat, AT_FDCWD, path, link, sizeof link - 1);
    return strcmp(link, own) == 0;
}

/// Whether the run has started very many processes. They are counted if the system has many more threads than before, and now and then in
/// any case: threads of others may have ended meanwhile. `counted` is the time of the last count.
static bool has_too_many_processes(pid_t group, uint64_t threads_before, uint64_t *counted) {
    uint64_t now = clock_of(CLOCK_MONOTONIC);
    bool is_due = now - *counted > COUNT_MS * MILLISECOND;
    if (!is_due && count_threads() <= threads_before + host.limits.processes) return false;
    *counted = now;
    unsigned count = 0;
    struct names processes = names_in("/proc");
    for (const char *name; (name = next_name(&processes)) != NULL;) {
        if (name[0] >= '1' && name[0] <= '9' && is_of_run(name, group)) count++;
    }
    return count > host.limits.processes;
}

/// Reads both streams until the program ends or must be stopped (`src/run/process.rs` does the same).
static struct outcome watch_process(pid_t process, struct streams *streams, uint64_t threads_before) {
    struct outcome outcome = {.end = RUNNING};
    struct watch watch = begin_watch(process);
    uint64_t ended_at = 0, counted = clock_of(CLOCK_MONOTONIC);
    for (int pause = 1;; pause = pause < 16 ? 2 * pause : 20) {
        bool is_quiet = streams->outputs[0] < 0 && streams->outputs[1] < 0;
        if (!is_quiet) read_streams(streams, pause, &outcome);
        bool has = has_ended(process);
        if (has && ended_at == 0) ended_at = clock_of(CLOCK_MONOTONIC);
        bool is_late = has && clock_of(CLOCK_MONOTONIC) - ended_at > GRACE_MS * 1000000ull;
        if (!has && time_left(&watch) == 0) outcome.end = TIMEOUT;
        if (pause > 1 && has_too_many_processes(process, threads_before, &counted)) outcome.end = CRASH, outcome.code = SIGKILL;
        if (outcome.end != RUNNING || is_late || (has && is_quiet)) return outcome;
        if (!has && is_quiet) wait_for_children((uint64_t)pause * MILLISECOND);
    }
}

/// Runs the program once. Returns twice: `true` in the child, which then is the program.
static bool fork_run(void) {
    if (files.at == NULL) {
        enter_namespace();
        files.at = own(MOST_FILES);
        reference_files.at = own(MOST_FILES);
    }
    struct streams streams = open_streams();
    long at = fill_folder();
    uint64_t threads_before = count_threads();
    host.vault->child = 0;
    pid_t process = fork();
    if (process < 0) fail("a process cannot be started\n");
    if (process == 0) {
        begin_child();
        host.vault->child = number_in_proc();
        become_program(&streams, at);
        return true;
    }
    SYS(close, streams.input);
    for (int stream = 0; stream < STREAMS; stream++) SYS(close, streams.ends[stream]);
    struct outcome outcome = watch_process(process, &streams, threads_before);
    SYS(kill, -process, SIGKILL);
    SYS(kill, process, SIGKILL);
    int status = 0;
    SYS(wait4, process, &status, __WALL, 0);
    end_run_processes();
    for (int stream = 0; stream < STREAMS; stream++) {
        if (streams.outputs[stream] >= 0) SYS(close, streams.outputs[stream]);
    }
    collect_files((int)at);
    if (host.vault->row.files > 0 || !is_unchanged((int)at)) remove_folder();
    // Only a lack of steps is the program's to report.
    struct run *run = host.run;
    if (outcome.end == RUNNING && run->end == TIMEOUT) outcome.end = TIMEOUT;
    run->end = outcome.end;
    run->code = outcome.code;
    memcpy(run->written, outcome.written, sizeof run->written);
    record_status(status);
    return false;
}

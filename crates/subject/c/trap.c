// How the system calls of the program come to the host: patched entries of libc's wrappers, and a filter that traps the others.

static ssize_t returned(long result) {
    if (result >= 0) return result;
    errno = (int)-result;
    return -1;
}

static ssize_t patched_read(int stream, void *buffer, size_t count) {
    begin_serving();
    if (stream <= 2) return returned(end_serving(read_input(stream, buffer, count)));
    return returned(end_serving(serve_file(SYS_read, (const long[6]){stream, (long)buffer, (long)count})));
}

static ssize_t patched_write(int stream, const void *bytes, size_t count) {
    begin_serving();
    return returned(end_serving(write_output(stream, bytes, count)));
}

static ssize_t patched_writev(int stream, const struct iovec *parts, int count) {
    return returned(serve_call(SYS_writev, (const long[6]){stream, (long)parts, count}));
}

static off_t patched_lseek(int stream, off_t offset, int from) {
    if (stream > 2) return returned(serve_file(SYS_lseek, (const long[6]){stream, offset, from}));
    return returned(move_in_input(stream, offset, from));
}

static int patched_fstat(int stream, struct stat *status) {
    begin_serving();
    if (stream <= 2) return (int)returned(end_serving(describe(stream, status)));
    return (int)returned(end_serving(serve_file(SYS_fstat, (const long[6]){stream, (long)status})));
}

static void patched_exit(int status) {
    end_run(EXIT, status);
}

/// Lets the entries of libc's wrappers jump here. A call that is not patched is trapped, which takes longer and does the same.
static void patch_libc(void) {
    static const struct {
        const char *name;
        void *to;
    } entries[] = {{"read", (void *)patched_read}, {"write", (void *)patched_write}, {"writev", (void *)patched_writev},
        {"lseek", (void *)patched_lseek}, {"fstat", (void *)patched_fstat}, {"_exit", (void *)patched_exit}};
    for (unsigned at = 0; at < sizeof entries / sizeof *entries; at++) {
        uint8_t *entry = dlsym(RTLD_NEXT, entries[at].name);
        Dl_info info;
        const ElfW(Sym) *symbol = NULL;
        if (entry == NULL || !dladdr1(entry, &info, (void **)&symbol, RTLD_DL_SYMENT)) continue;
        if (symbol == NULL || symbol->st_size < JUMP) continue;
        uintptr_t page = (uintptr_t)entry & ~(uintptr_t)(PAGE - 1);
        size_t length = (uintptr_t)entry + JUMP - page;
        if (SYS(mprotect, page, length, PROT_READ | PROT_WRITE) < 0) continue;
        // No function of libc is called here, because its page cannot be executed now.
        for (unsigned byte = 0; byte < sizeof jump; byte++) ((volatile uint8_t *)entry)[byte] = jump[byte];
        for (unsigned byte = 0; byte < 8; byte++) {
            ((volatile uint8_t *)entry)[sizeof jump + byte] = (uint8_t)((uintptr_t)entries[at].to >> 8 * byte);
        }
        SYS(mprotect, page, length, PROT_READ | PROT_EXEC);
        __builtin___clear_cache((char *)entry, (char *)entry + JUMP);
    }
}

static void on_trap(int signal, siginfo_t *info, void *context_) {
    (void)signal;
    ucontext_t *context = context_;
    long arguments[6];
    for (int at = 0; at < 6; at++) arguments[at] = (long)CALL_REGISTER(context, at);
    enum { OF_FILTER = 1 }; // SYS_SECCOMP, which not all libcs name.
    if (info->si_code != OF_FILTER) unfit("it sends itself a signal");
    CALL_RESULT(context) = serve_call(info->si_syscall, arguments);
}

/// Traps all system calls but the host's and those that cannot do anything.
static bool filter_calls(void) {
    static const int allowed[] = {SYS_rt_sigreturn, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid,
        SYS_getegid, SYS_sched_yield, SYS_nanosleep, SYS_clock_nanosleep, SYS_futex, SYS_restart_syscall};
    enum { ALLOWED = sizeof allowed / sizeof *allowed, FIRST = 7 };
    uint64_t place = (uint64_t)(uintptr_t)host_after_call;
    struct sock_filter filter[FIRST + ALLOWED + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, FIRST + ALLOWED - 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)place, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(place >> 32), ALLOWED + 2, 0),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    for (unsigned at = 0; at < ALLOWED; at++) {
        filter[FIRST + at] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[at], (uint8_t)(ALLOWED - at), 0);
    }
    filter[FIRST + ALLOWED] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    filter[FIRST + ALLOWED + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return SYS(prctl, PR_SET_NO_NEW_PRIVS, 1) == 0 && SYS(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

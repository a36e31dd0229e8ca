// The system calls of a program in the snapshot engine. The host answers those on the standard streams from memory, performs harmless
// ones, and gives up on every other: the program is unfit for this engine. Calls reach `serve_call` in two ways. The entries of libc's
// `read`, `write` and so on are patched to jump here. A seccomp filter traps every other call.

void host_enter(struct context *back, void *stack, void (*start)(void)) __attribute__((visibility("hidden")));
void host_leave(struct context *back) __attribute__((visibility("hidden"), noreturn));
extern const char host_after_call[] __attribute__((visibility("hidden")));

#if defined(__x86_64__)
__asm__(".text\n"
        "host_syscall: mov %rdi,%rax; mov %rsi,%rdi; mov %rdx,%rsi; mov %rcx,%rdx; mov %r8,%r10; mov %r9,%r8\n"
        "  mov 8(%rsp),%r9; syscall\n"
        "host_after_call: ret\n"
        "host_enter: mov %rbx,(%rdi); mov %rbp,8(%rdi); mov %r12,16(%rdi); mov %r13,24(%rdi); mov %r14,32(%rdi)\n"
        "  mov %r15,40(%rdi); mov (%rsp),%rax; mov %rax,48(%rdi); lea 8(%rsp),%rax; mov %rax,56(%rdi)\n"
        "  stmxcsr 64(%rdi); fnstcw 72(%rdi); mov %rsi,%rsp; xor %ebp,%ebp; call *%rdx; hlt\n"
        "host_leave: mov (%rdi),%rbx; mov 8(%rdi),%rbp; mov 16(%rdi),%r12; mov 24(%rdi),%r13; mov 32(%rdi),%r14\n"
        "  mov 40(%rdi),%r15; mov 56(%rdi),%rsp; ldmxcsr 64(%rdi); fninit; fldcw 72(%rdi); cld; jmp *48(%rdi)\n");
enum { ARCHITECTURE = AUDIT_ARCH_X86_64, JUMP = 14 };
#define CALL_REGISTER(context, at) \
    ((context)->uc_mcontext.gregs[(const int[]){REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9}[at]])
#define CALL_RESULT(context) ((context)->uc_mcontext.gregs[REG_RAX])
static const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0}; // jmp *0(%rip), and the address follows.
#elif defined(__aarch64__)
__asm__(".text\n"
        "host_syscall: mov x8,x0; mov x0,x1; mov x1,x2; mov x2,x3; mov x3,x4; mov x4,x5; mov x5,x6; svc #0\n"
        "host_after_call: ret\n"
        "host_enter: stp x19,x20,[x0]; stp x21,x22,[x0,#16]; stp x23,x24,[x0,#32]; stp x25,x26,[x0,#48]\n"
        "  stp x27,x28,[x0,#64]; stp x29,x30,[x0,#80]; mov x9,sp; mrs x10,fpcr; stp x9,x10,[x0,#96]\n"
        "  stp d8,d9,[x0,#112]; stp d10,d11,[x0,#128]; stp d12,d13,[x0,#144]; stp d14,d15,[x0,#160]\n"
        "  mov sp,x1; mov x29,#0; mov x30,#0; br x2\n"
        "host_leave: ldp x19,x20,[x0]; ldp x21,x22,[x0,#16]; ldp x23,x24,[x0,#32]; ldp x25,x26,[x0,#48]\n"
        "  ldp x27,x28,[x0,#64]; ldp x29,x30,[x0,#80]; ldp x9,x10,[x0,#96]; mov sp,x9; msr fpcr,x10; msr fpsr,xzr\n"
        "  ldp d8,d9,[x0,#112]; ldp d10,d11,[x0,#128]; ldp d12,d13,[x0,#144]; ldp d14,d15,[x0,#160]; ret\n");
enum { ARCHITECTURE = AUDIT_ARCH_AARCH64, JUMP = 16 };
#define CALL_REGISTER(context, at) ((context)->uc_mcontext.regs[at])
#define CALL_RESULT(context) ((context)->uc_mcontext.regs[0])
static const uint8_t jump[] = {0x50, 0, 0, 0x58, 0, 2, 0x1f, 0xd6}; // ldr x16,#8; br x16, and the address follows.
#else
#error "the host knows x86-64 and aarch64 only"
#endif

/// Ends this process because the program needs another engine. The text ends up in the harness's report.
static void unfit(const char *reason) {
    struct run *run = host.run;
    strncpy(run->reason, reason, sizeof run->reason - 1);
    run->is_unfit = 1;
    for (;;) SYS(exit_group, 1);
}

/// Ends the run from wherever the program is.
static void end_run(int end, int code) __attribute__((noreturn));
static void end_run(int end, int code) {
    host.run->end = end;
    host.run->code = code;
    if (host.is_ready && !is_vault_intact()) unfit("it has written into the host's memory");
    if (host.is_ready) host_leave(&host.vault->back);
    for (;;) SYS(exit_group, 0);
}

static void unfit_call(long number) {
    static const struct {
        long number;
        const char *name;
    } names[] = {
#define NAME(name) {SYS_##name, "it calls `" #name "`"}
        NAME(openat), NAME(clone), NAME(clone3), NAME(execve), NAME(kill), NAME(rt_sigaction), NAME(chdir), NAME(dup),
        NAME(dup3), NAME(socket), NAME(pipe2), NAME(mmap), NAME(munmap), NAME(mprotect), NAME(brk), NAME(unlinkat),
        NAME(renameat2), NAME(mkdirat), NAME(ppoll), NAME(setsid), NAME(ioctl), NAME(fcntl), NAME(setitimer), NAME(fchdir),
        NAME(sigaltstack), NAME(prctl), NAME(pread64), NAME(ftruncate), NAME(close_range), NAME(newfstatat), NAME(read),
        NAME(write), NAME(readlinkat), NAME(faccessat), NAME(statx), NAME(tgkill), NAME(setrlimit), NAME(wait4),
#ifdef __x86_64__
        NAME(open), NAME(fork), NAME(vfork), NAME(dup2), NAME(pipe), NAME(poll), NAME(select), NAME(alarm), NAME(unlink),
        NAME(rename), NAME(mkdir), NAME(access), NAME(stat), NAME(lstat), NAME(readlink),
#endif
    };
    for (unsigned at = 0; at < sizeof names / sizeof *names; at++) {
        if (names[at].number == number) unfit(names[at].name);
    }
    char text[] = "it makes system call 0000";
    for (unsigned at = sizeof text - 2; number > 0 && at > 20; number /= 10) text[at--] = (char)('0' + number % 10);
    unfit(text);
}

/// The system checks the addresses that a program gives it, and the host does not. So a fault while the host serves a call makes the
/// program unfit.
static void begin_serving(void) {
    host.run->is_serving = 1;
}

static long end_serving(long result) {
    host.run->is_serving = 0;
    return result;
}

static bool is_open(long stream) {
    return stream >= 0 && stream <= 2 && !(host.run->closed >> stream & 1);
}

static long read_input(long stream, char *buffer, size_t count) {
    struct run *run = host.run;
    const struct row *row = &host.vault->row;
    if (stream != 0 || !is_open(0)) return -EBADF;
    if (run->input_at >= row->input_length) return 0;
    if (count > row->input_length - run->input_at) count = row->input_length - run->input_at;
    memcpy(buffer, host.requests + row->input_at + run->input_at, count);
    run->input_at += count;
    return (long)count;
}

static long write_output(long stream, const char *bytes, size_t count) {
    struct run *run = host.run;
    if (stream == 0 && is_open(0)) unfit("it writes to its standard input");
    if (!is_open(stream)) return -EBADF;
    uint64_t *written = &run->written[stream - 1];
    if (*written > host.limits.output) unfit("it has written into the host's memory");
    size_t room = host.limits.output - *written;
    memcpy(host.captured[stream - 1] + *written, bytes, count < room ? count : room);
    *written += count < room ? count : room;
    if (count > room) end_run(OUTPUT_LIMIT, 0);
    return (long)count;
}

static long move_in_input(long stream, int64_t offset, int from) {
    struct run *run = host.run;
    if (!is_open(stream)) return -EBADF;
    if (stream != 0) return -ESPIPE;
    if (from > SEEK_END || from < 0) unfit_call(SYS_lseek);
    int64_t start = from == SEEK_SET ? 0 : from == SEEK_CUR ? (int64_t)run->input_at : (int64_t)host.vault->row.input_length;
    if (start + offset < 0) return -EINVAL;
    run->input_at = (uint64_t)(start + offset);
    return start + offset;
}

/// Standard input is a file, and the other streams are pipes, as for a process that the harness starts.
static long describe(long stream, struct stat *status) {
    if (!is_open(stream)) return -EBADF;
    memset(status, 0, sizeof *status);
    status->st_mode = stream == 0 ? S_IFREG | 0600 : S_IFIFO | 0600;
    status->st_size = stream == 0 ? (off_t)host.vault->row.input_length : 0;
    status->st_blksize = PAGE;
    status->st_nlink = stream == 0 ? 0 : 1;
    status->st_uid = host.user;
    status->st_gid = host.group;
    status->st_dev = stream == 0 ? 1 : 2;
    status->st_ino = (ino_t)stream + 1;
    return 0;
}

static long control(long stream, unsigned long request, void *argument) {
    if (!is_open(stream)) return -EBADF;
    if (request == FIONREAD && stream == 0) {
        *(int *)argument = (int)(host.vault->row.input_length - host.run->input_at);
        return 0;
    }
    if (request != TCGETS && request != TIOCGWINSZ) unfit_call(SYS_ioctl);
    return -ENOTTY;
}

static void learn_all(char *start, size_t bytes);

/// The limits of the host's memory, files and processes are not those of the program.
static long tell_limit(long process, long resource, void *limit) {
    if (resource == RLIMIT_AS || resource == RLIMIT_FSIZE || resource == RLIMIT_NPROC) unfit("it asks for a limit");
    if (limit != NULL) learn_all(limit, sizeof(struct rlimit));
    return SYS(prlimit64, process, resource, 0, limit);
}

/// Calls that write to memory and change nothing else: the number of the argument that says where, and the bytes, or the number of the
/// argument that says how many (negative).
static const struct {
    long number;
    int where, bytes;
} harmless[] = {
    {SYS_clock_gettime, 1, 16}, {SYS_clock_getres, 1, 16}, {SYS_gettimeofday, 0, 16}, {SYS_getrandom, 0, -1},
    {SYS_uname, 0, 390}, {SYS_sysinfo, 0, 112}, {SYS_times, 0, 32}, {SYS_getrusage, 1, 144}, {SYS_getcwd, 0, -1},
    {SYS_sched_getaffinity, 2, -1},
#ifdef __x86_64__
    {SYS_time, 0, 8},
#endif
};

static long serve_file(long number, const long *arguments);
static long map_memory(const long *arguments);
static long unmap_memory(char *start, size_t bytes);

static long raise_signal(long signal);
static long block_signals(long how, const uint64_t *wanted, uint64_t *before, size_t size);

static bool is_about_descriptor(long number) {
    static const long numbers[] = {SYS_read, SYS_pread64, SYS_readv, SYS_write, SYS_writev, SYS_lseek, SYS_fstat,
        SYS_newfstatat, SYS_close, SYS_ioctl, SYS_fcntl};
    for (unsigned at = 0; at < sizeof numbers / sizeof *numbers; at++) {
        if (numbers[at] == number) return true;
    }
    return false;
}

/// Answers a call on a standard stream.
static long serve_stream(long number, const long *arguments) {
    long first = arguments[0], total = 0;
    void *second = (void *)arguments[1];
    size_t third = (size_t)arguments[2];
    enum { MOST_PARTS = 1024 };
    if ((number == SYS_readv || number == SYS_writev) && third > MOST_PARTS) return -EINVAL;
    switch (number) {
    case SYS_read: return read_input(first, second, third);
    case SYS_write: return write_output(first, second, third);
    case SYS_readv:
    case SYS_writev:
        for (const struct iovec *part = second; part < (const struct iovec *)second + third; part++) {
            long done = number == SYS_readv ? read_input(first, part->iov_base, part->iov_len)
                                            : write_output(first, part->iov_base, part->iov_len);
            if (done < 0) return done;
            total += done;
        }
        return total;
    case SYS_lseek: return move_in_input(first, arguments[1], (int)third);
    case SYS_fstat: return describe(first, second);
    case SYS_newfstatat:
        if (*(const char *)second != '\0' || !(arguments[3] & AT_EMPTY_PATH)) unfit_call(number);
        return describe(first, (struct stat *)third);
    case SYS_ioctl: return control(first, (unsigned long)second, (void *)third);
    case SYS_close:
        if (!is_open(first)) return -EBADF;
        host.run->closed |= 1u << first;
        return 0;
    }
    unfit_call(number);
    return -ENOSYS;
}

/// Performs a call that only writes to memory, if it is one.
static long perform_harmless(long number, const long *arguments) {
    for (unsigned at = 0; at < sizeof harmless / sizeof *harmless; at++) {
        if (harmless[at].number != number) continue;
        int bytes = harmless[at].bytes;
        char *start = (char *)arguments[harmless[at].where];
        if (start != NULL) learn_all(start, bytes < 0 ? (size_t)arguments[-bytes] : (size_t)bytes);
        return host_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
    }
    unfit_call(number);
    return -ENOSYS;
}

static long answer_call(long number, const long *arguments) {
    long first = arguments[0], second = arguments[1], third = arguments[2];
    bool is_stream = first >= 0 && first <= 2;
    if (is_about_descriptor(number)) return is_stream ? serve_stream(number, arguments) : serve_file(number, arguments);
    switch (number) {
    case SYS_openat:
    case SYS_faccessat:
#ifdef __x86_64__
    case SYS_open:
    case SYS_access:
    case SYS_stat:
#endif
        return serve_file(number, arguments);
    case SYS_mmap: return map_memory(arguments);
    case SYS_munmap: return unmap_memory((char *)first, (size_t)second);
    case SYS_exit:
    case SYS_exit_group: end_run(EXIT, (int)first);
    case SYS_rt_sigprocmask: return block_signals(first, (const uint64_t *)second, (uint64_t *)third, (size_t)arguments[3]);
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill:
        if (first != SYS(getpid) || (number == SYS_tgkill && second != first)) unfit_call(number);
        return raise_signal(number == SYS_tgkill ? third : second);
    case SYS_getrlimit: return tell_limit(0, first, (void *)second);
    case SYS_prlimit64:
        if (third != 0) unfit_call(SYS_setrlimit);
        return tell_limit(first, second, (void *)arguments[3]);
    }
    return perform_harmless(number, arguments);
}

/// Answers a system call.
static long serve_call(long number, const long *arguments) {
    begin_serving();
    return end_serving(answer_call(number, arguments));
}

// Signals that a program sends to itself, and those that it blocks, in the snapshot engine. A program with a handler is unfit.

static uint64_t bit_of(long signal) {
    return 1ull << (signal - 1);
}

/// Whether nothing happens on a signal: by default, or because the harness was started so.
static bool is_ignored(long signal) {
    struct {
        void *handler;
        uint64_t rest[3];
    } action = {SIG_DFL, {0}};
    if (signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH) return true;
    SYS(rt_sigaction, signal, 0, &action, 8);
    return action.handler == (void *)SIG_IGN;
}

/// Does what a signal does that the program sends to itself. It cannot have a handler, because that makes it unfit.
static long raise_signal(long signal) {
    if (signal < 0 || signal > 64) return -EINVAL;
    if (signal == 0 || is_ignored(signal)) return 0;
    if (host.run->blocked & bit_of(signal)) {
        host.run->pending |= bit_of(signal);
        return 0;
    }
    if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) unfit("it stops itself");
    if (host.is_ready) end_run(signal == SIGXFSZ ? OUTPUT_LIMIT : CRASH, (int)signal);
    uint64_t none[4] = {0};
    SYS(rt_sigaction, signal, none, 0, 8);
    SYS(tgkill, SYS(getpid), SYS(gettid), signal);
    unfit("it sends itself a signal");
    return 0;
}

/// Changes which signals are blocked, of which each may be pending.
static long block_signals(long how, const uint64_t *wanted, uint64_t *before, size_t size) {
    struct run *run = host.run;
    uint64_t old = run->blocked, set = wanted == NULL ? 0 : *wanted;
    if (size != sizeof set) return -EINVAL;
    if (wanted != NULL && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return -EINVAL;
    set &= ~(bit_of(SIGKILL) | bit_of(SIGSTOP)); // Nobody can block these.
    if (wanted != NULL) run->blocked = how == SIG_BLOCK ? old | set : how == SIG_UNBLOCK ? old & ~set : set;
    if (before != NULL) *before = old;
    uint64_t due = run->pending & ~run->blocked;
    run->pending &= run->blocked;
    if (due != 0) raise_signal(__builtin_ctzll(due) + 1);
    return 0;
}

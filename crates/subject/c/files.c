// Files that the program reads, and memory that it maps, in the snapshot engine. Both are real, and end with the run. A program that
// writes files is unfit.

enum { MAPPINGS = 64, PIECE = 128 << 10 };

/// What the run has opened and mapped. Read-only except while it changes.
static struct belongings {
    bool has_files;
    uint32_t count;
    struct {
        char *start;
        size_t length;
    } mappings[MAPPINGS];
} __attribute__((aligned(4096))) belongings;

static void change_belongings(bool is_allowed) {
    SYS(mprotect, &belongings, sizeof belongings, is_allowed ? PROT_READ | PROT_WRITE : PROT_READ);
}

static long map_memory(const long *arguments) {
    size_t length = ((size_t)arguments[1] + PAGE - 1) & ~(size_t)(PAGE - 1);
    const int usual = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_DENYWRITE;
    bool is_read_only = arguments[2] == PROT_READ && arguments[3] == MAP_SHARED;
    bool is_usual = is_read_only || ((arguments[3] & ~usual) == 0 && arguments[3] & MAP_PRIVATE && !(arguments[2] & PROT_EXEC));
    if (!is_usual || !host.is_ready || belongings.count == MAPPINGS) unfit_call(SYS_mmap);
    if (length > 0 && !is_within_memory(length)) return -ENOMEM;
    long start = SYS(mmap, 0, arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
    if (start < 0) return start;
    arena.heap->live += length;
    change_belongings(true);
    belongings.mappings[belongings.count].start = (char *)start;
    belongings.mappings[belongings.count++].length = length;
    change_belongings(false);
    return start;
}

static long unmap_memory(char *start, size_t bytes) {
    size_t length = (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
    for (uint32_t at = 0; at < belongings.count; at++) {
        if (belongings.mappings[at].start != start || belongings.mappings[at].length != length) continue;
        arena.heap->live -= length;
        change_belongings(true);
        belongings.mappings[at] = belongings.mappings[--belongings.count];
        change_belongings(false);
        return SYS(munmap, start, length);
    }
    unfit_call(SYS_munmap);
    return -EINVAL;
}

/// Ends what the run has opened and mapped.
static void drop_belongings(void) {
    if (belongings.count == 0 && !belongings.has_files) return;
    change_belongings(true);
    while (belongings.count > 0) {
        belongings.count--;
        SYS(munmap, belongings.mappings[belongings.count].start, belongings.mappings[belongings.count].length);
    }
    if (belongings.has_files) SYS(close_range, 3, ~0u, 0);
    belongings.has_files = false;
    change_belongings(false);
}

/// Devices, and what the system says about processes, are not the same here as in a process.
static const char *checked(const char *path) {
    if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0) unfit("it asks for a device");
    return path;
}

/// Opens a file or a folder to read it.
static long open_file(long folder, const char *path, int flags) {
    enum { PROC = 0x9fa0 };
    if ((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC)) unfit("it writes files");
    if (flags & (O_DIRECTORY | O_PATH)) unfit("it opens a folder");
    if (host.run->closed != 0 || !host.is_ready) unfit_call(SYS_openat);
    checked(path);
    long file = SYS(openat, folder, path, flags);
    if (file < 0) return file;
    struct stat status;
    struct statfs system;
    bool is_usual = SYS(fstat, file, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
        && SYS(fstatfs, file, &system) == 0 && system.f_type != PROC;
    if (!is_usual) unfit("it opens a device");
    change_belongings(true);
    belongings.has_files = true;
    change_belongings(false);
    return file;
}

/// Reads from a file. The system cannot write to pages that the snapshot protects, so they are learned before, a piece at a time. A
/// negative place is the file's own.
static long read_file(long file, char *bytes, size_t count, long place) {
    size_t total = 0;
    while (total < count) {
        size_t piece = count - total < PIECE ? count - total : PIECE;
        learn_all(bytes + total, piece);
        long done = place < 0 ? SYS(read, file, bytes + total, piece) : SYS(pread64, file, bytes + total, piece, place + (long)total);
        if (done < 0) return total > 0 ? (long)total : done;
        total += (size_t)done;
        if ((size_t)done < piece) return (long)total;
    }
    return count == 0 ? SYS(read, file, bytes, 0) : (long)total;
}

/// Performs a call that reads a file.
static long serve_file(long number, const long *arguments) {
    long first = arguments[0], third = arguments[2];
    char *second = (char *)arguments[1];
    switch (number) {
    case SYS_read: return read_file(first, second, (size_t)third, -1);
    case SYS_pread64:
        if (arguments[3] < 0) return -EINVAL;
        return read_file(first, second, (size_t)third, arguments[3]);
    case SYS_write:
    case SYS_writev: return -EBADF;
    case SYS_fstat:
        learn_all(second, sizeof(struct stat));
        return SYS(fstat, first, second);
    case SYS_newfstatat:
        learn_all((char *)third, sizeof(struct stat));
        return SYS(newfstatat, first, checked(second), third, arguments[3]);
    case SYS_lseek:
    case SYS_close: return host_syscall(number, first, (long)second, third, arguments[3], 0, 0);
    case SYS_faccessat: return SYS(faccessat, first, checked(second), third);
    case SYS_fcntl:
        if ((long)second != F_GETFD && (long)second != F_SETFD && (long)second != F_GETFL) unfit_call(number);
        return SYS(fcntl, first, second, third);
    case SYS_ioctl:
        if ((long)second != TCGETS && (long)second != TIOCGWINSZ) unfit_call(number);
        return SYS(ioctl, first, second, third);
    case SYS_openat: return open_file(first, second, (int)third);
#ifdef __x86_64__
    case SYS_open: return open_file(AT_FDCWD, (const char *)first, (int)arguments[1]);
    case SYS_access: return SYS(access, checked((const char *)first), second);
    case SYS_stat:
        learn_all(second, sizeof(struct stat));
        return SYS(stat, checked((const char *)first), second);
#endif
    }
    unfit_call(number);
    return -ENOSYS;
}

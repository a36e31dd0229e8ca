// Takes the memory of the program as it is before `main`, and restores it after each run. Pages start out read-only. The first write to
// one faults; the handler copies the page, and makes it writable. After each run only these learned pages are put back. Those that no run
// has changed lately are protected again.
// Large memory that nothing has touched yet (the stack, static arrays) is given back to the system instead.

enum { REGIONS = 512, LEARNED = 8192, LARGE = 256 << 10, HEAP_ROOM = 512 << 10, REMEMBERED_RUNS = 512, BLOCK = 256 };

struct region {
    char *start, *end;
    bool is_untouched;
    char *low, *high; // The part of untouched memory that the run may have written to.
};

struct learned {
    char *page, *copy; // No copy if the page is all zeros.
    uint32_t full;     // A bit for each block of the copy that is not all zeros.
    bool is_changed;   // Whether a run has changed the page lately.
};

/// What the handler knows. Read-only except while it changes. The pages from `written` on were learned, but are protected again.
struct ledger {
    struct region regions[REGIONS];
    struct learned pages[LEARNED];
    uint32_t region_count, page_count, written, of_thread;
    char *thread_start, *thread_end;
    char *copies, *copies_end;
    char text[1 << 16];
};

/// Addresses that are not the program's.
static struct {
    uintptr_t start, end;
} foreign[16];
static unsigned foreign_count;

static void is_foreign(const void *start, size_t length) {
    foreign[foreign_count].start = (uintptr_t)start & ~(uintptr_t)(PAGE - 1);
    foreign[foreign_count++].end = ((uintptr_t)start + length + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
}

static void protect(const void *start, size_t length, int protection) {
    SYS(mprotect, start, length, protection);
}

/// The blocks of a page that are not all zeros, a bit for each.
static uint32_t full_blocks(const char *page) {
    const uint64_t *words = (const uint64_t *)page;
    uint32_t full = 0;
    for (unsigned at = 0; at < PAGE / 8; at++) full |= (uint32_t)(words[at] != 0) << at / (BLOCK / 8);
    return full;
}

static char *new_copy(void) {
    char *copy = host.ledger->copies;
    if (copy >= host.ledger->copies_end) unfit("it changes too much static data");
    host.ledger->copies += PAGE;
    return copy;
}

/// Makes a page writable, and lets it be restored. `false` if it is writable already.
static bool learn_page(char *page) {
    struct ledger *ledger = host.ledger;
    uint32_t at = 0;
    while (at < ledger->page_count && ledger->pages[at].page != page) at++;
    if (at < ledger->written) return false;
    if (at == ledger->page_count) {
        if (at == LEARNED) unfit("it changes too much static data");
        char *copy = NULL;
        uint32_t full = full_blocks(page);
        if (full != 0) {
            copy = new_copy();
            protect(copy, PAGE, PROT_READ | PROT_WRITE);
            memcpy(copy, page, PAGE);
            protect(copy, PAGE, PROT_READ);
        }
        ledger->pages[ledger->page_count++] = (struct learned){page, copy, full, true};
    }
    struct learned learned = ledger->pages[at];
    ledger->pages[at] = ledger->pages[ledger->written];
    learned.is_changed = true;
    ledger->pages[ledger->written++] = learned;
    protect(page, PAGE, PROT_READ | PROT_WRITE);
    return true;
}

/// Makes more of an untouched region writable: at least the page, and twice as much each time.
static void widen(struct region *region, char *page) {
    char *low = region->low, *high = region->high;
    size_t more = (size_t)(high - low) < LARGE ? LARGE : (size_t)(high - low);
    if (low == high) low = high = page;
    if (page < low) low = (size_t)(low - region->start) < more || low - more > page ? page : low - more;
    if (page >= high) high = (size_t)(region->end - page) < more ? region->end : page + more;
    if (low < region->start) low = region->start;
    region->low = low;
    region->high = high;
    protect(low, (size_t)(high - low), PROT_READ | PROT_WRITE);
}

/// Makes a page of the program's writable. `false` if it is not one that the snapshot has protected.
static bool learn(char *page) {
    for (uint32_t at = 0; at < host.ledger->region_count; at++) {
        struct region *region = &host.ledger->regions[at];
        if (page < region->start || page >= region->end) continue;
        if (region->is_untouched && page >= region->low && page < region->high) return false;
        protect(host.ledger, sizeof *host.ledger, PROT_READ | PROT_WRITE);
        bool is_new = region->is_untouched || learn_page(page);
        if (region->is_untouched) widen(region, page);
        protect(host.ledger, sizeof *host.ledger, PROT_READ);
        return is_new;
    }
    return false;
}

static void learn_all(char *start, size_t bytes) {
    if (!host.is_ready) return;
    if (bytes > LARGE) unfit("it lets the system write very much at once");
    char *page = (char *)((uintptr_t)start & ~(uintptr_t)(PAGE - 1));
    for (; page < start + bytes; page += PAGE) learn(page);
}

static void on_fault(int signal, siginfo_t *info, void *context) {
    (void)context;
    char *page = (char *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1));
    bool can_learn = host.is_ready && signal == SIGSEGV && info->si_code == SEGV_ACCERR;
    if (can_learn && learn(page)) return;
    if (host.is_ready && host.run->is_serving) unfit("it gives the system an address that is not its own");
    if (host.is_ready) end_run(CRASH, signal);
    // A fault before `main` happens again, and ends this process.
    uint64_t none[4] = {0};
    SYS(rt_sigaction, signal, none, 0, 8);
}

/// Adds the part of some memory that is the program's.
static void add_region(uintptr_t start, uintptr_t end, bool is_untouched) {
    for (unsigned at = 0; at < foreign_count; at++) {
        uintptr_t from = foreign[at].start, to = foreign[at].end;
        if (to <= start || from >= end) continue;
        if (from > start) add_region(start, from, is_untouched);
        if (to < end) add_region(to, end, is_untouched);
        return;
    }
    if (host.ledger->region_count == REGIONS) unfit("it has too many separate pieces of memory");
    struct region region = {(char *)start, (char *)end, is_untouched, (char *)start, (char *)start};
    host.ledger->regions[host.ledger->region_count++] = region;
    if (!is_untouched) host.ledger->copies_end += end - start;
}

/// Adds large memory without a file. Parts of it that nothing has touched need no copies.
static void add_large(uintptr_t start, uintptr_t end) {
    static uint64_t entries[512];
    const uint64_t present = 3ull << 62; // In memory, or swapped out.
    long file = SYS(openat, AT_FDCWD, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    uintptr_t from = start;
    bool was_touched = true;
    for (uintptr_t at = start; at < end;) {
        size_t count = (end - at) / PAGE < 512 ? (end - at) / PAGE : 512;
        bool is_known = file >= 0 && SYS(pread64, file, entries, count * 8, at / PAGE * 8) == (long)(count * 8);
        for (size_t entry = 0; entry < count; entry++, at += PAGE) {
            bool is_touched = !is_known || (entries[entry] & present) != 0;
            if (is_touched == was_touched) continue;
            if (at > from) add_region(from, at, !was_touched && at - from >= LARGE);
            from = at;
            was_touched = is_touched;
        }
    }
    add_region(from, end, !was_touched && end - from >= LARGE);
    if (file >= 0) SYS(close, file);
}

static const char *parse_hex(const char *text, uintptr_t *number) {
    for (*number = 0;; text++) {
        int digit = *text >= '0' && *text <= '9' ? *text - '0' : *text >= 'a' && *text <= 'f' ? *text - 'a' + 10 : -1;
        if (digit < 0) return text;
        *number = *number << 4 | (uintptr_t)digit;
    }
}

/// Whether memory is the host's, or counted by the heap, or larger here than in a process.
static bool is_of_host(uintptr_t start) {
    bool is_own = start - (uintptr_t)arena.heap < (uintptr_t)(arena.end - (char *)arena.heap)
        || start - (uintptr_t)arena.big_start < (uintptr_t)(arena.big_end - arena.big_start)
        || start - (uintptr_t)host.stack_low < STACK_BYTES;
    for (unsigned at = 0; at < foreign_count && !is_own; at++) is_own = start >= foreign[at].start && start < foreign[at].end;
    return is_own;
}

/// Adds all memory that the program can write, as the system lists it.
static void add_all(void) {
    long file = SYS(openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC), length = 0, more;
    do {
        more = SYS(read, file, host.ledger->text + length, sizeof host.ledger->text - 1 - (size_t)length);
        length += more > 0 ? more : 0;
    } while (more > 0);
    SYS(close, file);
    if (file < 0 || length == 0 || length == sizeof host.ledger->text - 1) unfit("/proc/self/maps cannot be read");
    for (char *line = host.ledger->text, *next; *line != '\0'; line = next) {
        next = strchr(line, '\n');
        *next++ = '\0';
        uintptr_t start, end;
        const char *rest = parse_hex(parse_hex(line, &start) + 1, &end) + 1;
        bool has_file = strchr(rest, '/') != NULL;
        if (rest[0] == 'r' && rest[3] == 'p' && !is_of_host(start) && strstr(rest, "libhost") == NULL) host.base_memory += end - start;
        if (rest[1] != 'w' || rest[3] != 'p' || strstr(rest, "[stack]") != NULL) continue;
        bool is_heap = start >= (uintptr_t)arena.heap && end <= (uintptr_t)arena.heap + HEAP_ROOM + LARGE;
        if (!has_file && !is_heap && end - start >= LARGE) add_large(start, end);
        else add_region(start, end, false);
    }
}

static int find_thread_memory(struct dl_phdr_info *object, size_t size, void *lowest) {
    (void)size;
    char *block = object->dlpi_tls_data;
    if (block != NULL && block < *(char **)lowest) *(char **)lowest = block;
    return 0;
}

/// Makes the program's memory read-only, but not the thread's own: the system itself writes there, and kills the process if it cannot.
static void protect_all(void) {
    struct ledger *ledger = host.ledger;
    char *low = ledger->thread_start, *high = ledger->thread_end;
    for (uint32_t at = 0; at < ledger->region_count; at++) {
        char *start = ledger->regions[at].start, *end = ledger->regions[at].end;
        if (end <= low || start >= high) {
            protect(start, (size_t)(end - start), PROT_READ);
            continue;
        }
        if (start < low) protect(start, (size_t)(low - start), PROT_READ);
        if (end > high) protect(high, (size_t)(end - high), PROT_READ);
    }
    ledger->written = ledger->of_thread;
}

static void learn_thread(void) {
    struct ledger *ledger = host.ledger;
    char *low = __builtin_thread_pointer();
    ledger->thread_end = (char *)(((uintptr_t)low + 2 * PAGE - 1) & ~(uintptr_t)(PAGE - 1));
#ifdef __aarch64__
    low -= PAGE; // The control block lies before what the register points to.
#endif
    dl_iterate_phdr(find_thread_memory, &low);
    ledger->thread_start = (char *)((uintptr_t)low & ~(uintptr_t)(PAGE - 1));
    for (uint32_t at = 0; at < ledger->region_count; at++) {
        char *start = ledger->regions[at].start, *end = ledger->regions[at].end;
        for (char *page = ledger->thread_start; page < ledger->thread_end; page += PAGE) {
            if (page >= start && page < end) learn_page(page);
        }
    }
    ledger->of_thread = ledger->written;
}

/// Protects pages again that no run has changed lately, so that they are not compared after every run.
static void forget_pages(void) {
    struct ledger *ledger = host.ledger;
    protect(ledger, sizeof *ledger, PROT_READ | PROT_WRITE);
    for (uint32_t at = ledger->written; at-- > ledger->of_thread;) {
        struct learned learned = ledger->pages[at];
        ledger->pages[at].is_changed = false;
        if (learned.is_changed) continue;
        ledger->pages[at] = ledger->pages[--ledger->written];
        ledger->pages[ledger->written] = learned;
        protect(learned.page, PAGE, PROT_READ);
    }
    protect(ledger, sizeof *ledger, PROT_READ);
}

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define WITH_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define WITH_WIDE_VECTORS
#endif

/// Puts back the pages that the run may have changed. Most have changed in a few places only, and reading takes less time than writing.
/// What is zero in the snapshot is not compared with its copy, because the copy would have to be read, too.
WITH_WIDE_VECTORS static void put_back(void) {
    typedef uint64_t vector __attribute__((vector_size(32), may_alias));
    enum { PARTS = BLOCK / sizeof(vector) };
    static const vector zeros[PARTS];
    struct ledger *ledger = host.ledger;
    bool is_open = false;
    for (uint32_t at = 0; at < ledger->written; at++) {
        const struct learned learned = ledger->pages[at];
        bool is_changed = learned.is_changed;
        for (unsigned block = 0; block < PAGE / BLOCK; block++) {
            vector *to = (vector *)(learned.page + block * BLOCK);
            const vector *from = learned.full >> block & 1 ? (const vector *)(learned.copy + block * BLOCK) : zeros;
            vector differs = to[0] ^ from[0];
#pragma GCC unroll 8
            for (unsigned part = 1; part < PARTS; part++) differs |= to[part] ^ from[part];
            if (__builtin_expect((differs[0] | differs[1] | differs[2] | differs[3]) == 0, 1)) continue;
#pragma GCC unroll 8
            for (unsigned part = 0; part < PARTS; part++) to[part] = from[part];
            is_changed = true;
        }
        if (is_changed == learned.is_changed) continue;
        if (!is_open) protect(ledger, sizeof *ledger, PROT_READ | PROT_WRITE);
        is_open = ledger->pages[at].is_changed = true;
    }
    if (is_open) protect(ledger, sizeof *ledger, PROT_READ);
}

static void take_snapshot(void) {
    make_room(HEAP_ROOM);
    arena.mark = arena.heap->granted;
    arena.big_mark = arena.heap->big_top;
    host.ledger->copies_end = NULL;
    add_all();
    size_t size = (size_t)host.ledger->copies_end + PAGE;
    host.ledger->copies = (char *)SYS(mmap, 0, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    host.ledger->copies_end = host.ledger->copies + size;
    learn_thread();
    protect_all();
    protect(host.ledger, sizeof *host.ledger, PROT_READ);
    host.is_ready = true;
}

/// Restores the program's memory.
static void restore(void) {
    if (!shrink_heap()) unfit("it has overwritten the heap's limits");
    drop_belongings();
    put_back();
    for (uint32_t at = 0; at < host.ledger->region_count; at++) {
        struct region *region = &host.ledger->regions[at];
        if (region->low == region->high) continue;
        SYS(madvise, region->low, region->high - region->low, MADV_DONTNEED);
        protect(region->low, (size_t)(region->high - region->low), PROT_READ);
        protect(host.ledger, sizeof *host.ledger, PROT_READ | PROT_WRITE);
        region->low = region->high = region->start;
        protect(host.ledger, sizeof *host.ledger, PROT_READ);
    }
    if (host.vault->serial % REMEMBERED_RUNS == 0) forget_pages();
}

/// Remembers what a `BUG` has found out about its mutant, also in the snapshot, so that it need not ask again in the next run.
static void remember_site(uint32_t *site, uint32_t index) {
    *site = index;
    if (!host.is_ready) return;
    char *page = (char *)((uintptr_t)site & ~(uintptr_t)(PAGE - 1));
    for (uint32_t at = 0; at < host.ledger->page_count; at++) {
        struct learned *learned = &host.ledger->pages[at];
        if (learned->page != page) continue;
        protect(host.ledger, sizeof *host.ledger, PROT_READ | PROT_WRITE);
        if (learned->copy == NULL) learned->copy = new_copy();
        protect(learned->copy, PAGE, PROT_READ | PROT_WRITE);
        *(uint32_t *)(learned->copy + ((uintptr_t)site - (uintptr_t)page)) = index;
        learned->full |= 1u << ((uintptr_t)site - (uintptr_t)page) / BLOCK;
        protect(learned->copy, PAGE, PROT_READ);
        protect(host.ledger, sizeof *host.ledger, PROT_READ);
    }
}

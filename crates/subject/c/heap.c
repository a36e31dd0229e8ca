// The heap of the snapshot engine: everything about it lies inside it, so that it is restored with it. What a program sees is like
// glibc: 16 bytes of alignment, the size before each block, freed blocks reused last in, first out, the first 16 bytes of a freed block
// overwritten, big blocks mapped on their own, and an abort if a block is freed twice. Other engines use libc's own heap.

enum { BINS = 512, SMALL = 1040, BIG_BLOCKS = 1024, FIRST_THRESHOLD = 128 << 10, MOST_THRESHOLD = 32 << 20 };
enum { IN_USE = 1, MAPPED = 2, FLAGS = 15, GRANT = 128 << 10 };

struct big {
    char *start;
    size_t length;
    bool is_live;
};

struct heap {
    char *top, *granted;
    size_t threshold, live;
    void *bins[BINS];
    char *big_top;
    uint32_t bigs;
    struct big big[BIG_BLOCKS];
};

/// What stays the same for all runs. `mark` and `big_mark` are where the heap and its big blocks ended before `main`.
static struct arena {
    enum { UNKNOWN, OWN, LIBC } mode;
    struct heap *heap;
    char *end, *big_start, *big_end, *mark, *big_mark;
} __attribute__((aligned(4096))) arena;

static void unfit(const char *reason);

#define EXPORT __attribute__((visibility("default")))

void *__libc_malloc(size_t) __attribute__((weak));
void __libc_free(void *) __attribute__((weak));
void *__libc_calloc(size_t, size_t) __attribute__((weak));
void *__libc_realloc(void *, size_t) __attribute__((weak));
void *__libc_memalign(size_t, size_t) __attribute__((weak));

static uint64_t key = 0x9e3779b97f4a7c15;

/// The value of a variable of the environment. Also works before libc has started.
static bool first_environment(const char *assignment) {
    static char text[1 << 17];
    static long length = -1;
    if (length < 0) {
        length = 0;
        long file = SYS(openat, AT_FDCWD, "/proc/self/environ", O_RDONLY | O_CLOEXEC);
        for (long more = 1; file >= 0 && more > 0 && length < (long)sizeof text - 1; length += more > 0 ? more : 0) {
            more = SYS(read, file, text + length, sizeof text - 1 - (size_t)length);
        }
        if (file >= 0) SYS(close, file);
    }
    size_t size = strlen(assignment);
    for (const char *at = text; at < text + length; at += strlen(at) + 1) {
        if (strncmp(at, assignment, size) == 0) return true;
    }
    return false;
}

/// Reserves addresses, as many as there are up to `bytes`, with a guard on both sides.
static char *reserve(size_t *bytes, int flags) {
    for (;; *bytes /= 2) {
        long at = SYS(mmap, 0, *bytes + 2 * PAGE, PROT_NONE, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at > 0) return (char *)at + PAGE;
        if (*bytes < 1 << 20) return NULL;
    }
}

static bool use_own_heap(void) {
    if (__builtin_expect(arena.mode != UNKNOWN, 1)) return arena.mode == OWN;
    bool is_own = first_environment("SUBJECT_WORKER=") && !first_environment("SUBJECT_ENGINE=fork");
    arena.mode = is_own || &__libc_malloc == NULL ? OWN : LIBC;
    if (arena.mode == LIBC) return false;
    size_t size = 16ull << 30, big_size = 64ull << 30;
    arena.heap = (struct heap *)reserve(&size, MAP_PRIVATE);
    arena.big_start = reserve(&big_size, MAP_PRIVATE);
    if (arena.heap == NULL || arena.big_start == NULL) SYS(exit_group, 70);
    arena.end = (char *)arena.heap + size;
    arena.big_end = arena.big_start + big_size;
    char *granted = (char *)arena.heap + (sizeof(struct heap) + GRANT) / GRANT * GRANT;
    SYS(mprotect, arena.heap, granted - (char *)arena.heap, PROT_READ | PROT_WRITE);
    struct heap *heap = arena.heap;
    heap->top = (char *)(((uintptr_t)(heap + 1) + 15) & ~15ul);
    heap->granted = granted;
    heap->threshold = FIRST_THRESHOLD;
    heap->big_top = arena.big_start;
    return true;
}

static bool is_within_memory(size_t more) {
    size_t used = (size_t)(arena.heap->granted - (char *)arena.heap) + arena.heap->live + host.base_memory;
    return host.limits.memory == 0 || used + more <= host.limits.memory;
}

static bool make_room(size_t size) {
    struct heap *heap = arena.heap;
    if ((size_t)(heap->granted - heap->top) >= size) return true;
    size_t more = (size - (size_t)(heap->granted - heap->top) + GRANT - 1) / GRANT * GRANT;
    if ((size_t)(arena.end - heap->granted) < more || !is_within_memory(more)) return false;
    if (SYS(mprotect, heap->granted, more, PROT_READ | PROT_WRITE) < 0) return false;
    heap->granted += more;
    return true;
}

static size_t *size_of(void *block) {
    return (size_t *)block - 1;
}

/// The bin of a size. Up to 1,040 bytes, each size has its own; above, there are eight for each power of two.
static unsigned bin_of(size_t size) {
    if (size <= SMALL) return (unsigned)(size / 16);
    unsigned power = 63 - (unsigned)__builtin_clzl(size);
    return 66 + (power - 10) * 8 + (unsigned)(size >> (power - 3) & 7);
}

/// The size of the block that serves a request for `bytes`.
static size_t rounded(size_t bytes) {
    size_t size = bytes + 8 <= 32 ? 32 : (bytes + 8 + 15) & ~15ul;
    if (size <= SMALL) return size;
    size_t step = 1ul << (63 - __builtin_clzl(size) - 3);
    return (size + step - 1) & ~(step - 1);
}

static void *map_big(size_t bytes) {
    struct heap *heap = arena.heap;
    size_t length = (bytes + 16 + PAGE - 1) & ~(size_t)(PAGE - 1);
    struct big *big = NULL;
    for (uint32_t at = 0; at < heap->bigs && big == NULL; at++) {
        if (!heap->big[at].is_live && heap->big[at].length == length) big = &heap->big[at];
    }
    if (!is_within_memory(length)) return NULL;
    if (big == NULL) {
        if (heap->bigs == BIG_BLOCKS || (size_t)(arena.big_end - heap->big_top) < length + PAGE) return NULL;
        big = &heap->big[heap->bigs++];
        *big = (struct big){heap->big_top, length, false};
        heap->big_top += length + PAGE;
    }
    if (SYS(mprotect, big->start, length, PROT_READ | PROT_WRITE) < 0) return NULL;
    big->is_live = true;
    heap->live += length;
    char *block = big->start + 16;
    *size_of(block) = length | MAPPED;
    return block;
}

static void *allocate(size_t bytes, bool *is_zero) {
    struct heap *heap = arena.heap;
    *is_zero = false;
    if (bytes > PTRDIFF_MAX - PAGE) {
        errno = ENOMEM;
        return NULL;
    }
    size_t size = rounded(bytes);
    unsigned bin = bin_of(size);
    char *block = heap->bins[bin];
    if (block != NULL) {
        heap->bins[bin] = (void *)(*(uintptr_t *)block ^ (uintptr_t)block >> 12);
        ((uint64_t *)block)[1] = 0;
        return block;
    }
    *is_zero = true;
    if (bytes >= heap->threshold && (block = map_big(bytes)) != NULL) return block;
    if (!make_room(size + 16)) {
        errno = ENOMEM;
        return NULL;
    }
    block = heap->top + 16;
    *size_of(block) = size | IN_USE;
    heap->top += size;
    return block;
}

static void die_of(const char *message) {
    (void)!write(2, message, strlen(message));
    abort();
}

static void unmap_big(char *block, size_t length) {
    struct heap *heap = arena.heap;
    for (uint32_t at = 0; at < heap->bigs; at++) {
        struct big *big = &heap->big[at];
        if (big->start + 16 != block || !big->is_live || big->length != length) continue;
        big->is_live = false;
        heap->live -= length;
        if (length > heap->threshold && length <= MOST_THRESHOLD) heap->threshold = length;
        // A block from before `main` must come back after the run.
        if (big->start < arena.big_mark) {
            memset(big->start, 0, length);
            return;
        }
        SYS(madvise, big->start, length, MADV_DONTNEED);
        SYS(mprotect, big->start, length, PROT_NONE);
        return;
    }
    die_of("munmap_chunk(): invalid pointer\n");
}

static bool is_big(void *block) {
    return (char *)block >= arena.big_start && (char *)block < arena.big_end;
}

static bool is_of_heap(char *block) {
    struct heap *heap = arena.heap;
    if ((uintptr_t)block % 16 != 0 || block < (char *)(heap + 1) || block >= heap->top) return false;
    size_t size = *size_of(block) & ~(size_t)FLAGS;
    return (*size_of(block) & FLAGS) == IN_USE && size >= 32 && size <= (size_t)(heap->top - block + 16);
}

EXPORT void *malloc(size_t bytes) {
    if (!use_own_heap()) return __libc_malloc(bytes);
    bool is_zero;
    return allocate(bytes, &is_zero);
}

EXPORT void free(void *block) {
    if (!use_own_heap()) {
        __libc_free(block);
        return;
    }
    if (block == NULL) return;
    if (is_big(block) && (uintptr_t)block % PAGE == 16) {
        unmap_big(block, *size_of(block) & ~(size_t)FLAGS);
        return;
    }
    if (!is_of_heap(block)) die_of("free(): invalid pointer\n");
    struct heap *heap = arena.heap;
    unsigned bin = bin_of(*size_of(block) & ~(size_t)FLAGS);
    uint64_t *words = block;
    if (words[1] == key) {
        for (char *at = heap->bins[bin]; at != NULL && is_of_heap(at); at = (char *)(*(uintptr_t *)at ^ (uintptr_t)at >> 12)) {
            if (at == block) die_of("free(): double free detected in tcache 2\n");
        }
    }
    words[0] = (uintptr_t)heap->bins[bin] ^ (uintptr_t)block >> 12;
    words[1] = key;
    heap->bins[bin] = block;
}

EXPORT void *calloc(size_t count, size_t each) {
    if (!use_own_heap()) return __libc_calloc(count, each);
    size_t bytes;
    if (__builtin_mul_overflow(count, each, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    bool is_zero;
    void *block = allocate(bytes, &is_zero);
    if (block != NULL && !is_zero) memset(block, 0, bytes);
    return block;
}

static size_t usable_size(void *block) {
    return (*size_of(block) & ~(size_t)FLAGS) - (is_big(block) ? 16 : 8);
}

/// Small blocks are as large as glibc's.
EXPORT size_t malloc_usable_size(void *block) {
    if (block == NULL) return 0;
    size_t size = *size_of(block);
    if (!use_own_heap()) return (size & ~7ul) - (size & MAPPED ? 16 : 8);
    if (host.is_ready && usable_size(block) >= SMALL) unfit("it asks for the size of a large block");
    return usable_size(block);
}

EXPORT void *realloc(void *block, size_t bytes) {
    if (!use_own_heap()) return __libc_realloc(block, bytes);
    if (block == NULL) return malloc(bytes);
    if (bytes == 0) {
        free(block);
        return NULL;
    }
    if (!is_big(block) && !is_of_heap(block)) die_of("realloc(): invalid pointer\n");
    size_t usable = usable_size(block);
    if (bytes <= usable && (bytes >= usable / 2 || usable < SMALL)) return block;
    void *moved = malloc(bytes);
    if (moved == NULL) return NULL;
    memcpy(moved, block, bytes < usable ? bytes : usable);
    free(block);
    return moved;
}

EXPORT void *memalign(size_t alignment, size_t bytes) {
    if (!use_own_heap()) return __libc_memalign(alignment, bytes);
    if (alignment <= 16) return malloc(bytes);
    while ((alignment & (alignment - 1)) != 0) alignment += alignment & -alignment; // As glibc does.
    if (bytes > PTRDIFF_MAX - PAGE - alignment || !make_room(rounded(bytes + alignment) + 16)) {
        errno = ENOMEM;
        return NULL;
    }
    struct heap *heap = arena.heap;
    char *block = (char *)(((uintptr_t)heap->top + 16 + alignment - 1) & ~(alignment - 1));
    size_t size = rounded(bytes);
    *size_of(block) = size | IN_USE;
    heap->top = block - 16 + size;
    return block;
}

EXPORT void *aligned_alloc(size_t alignment, size_t bytes) {
    return memalign(alignment, bytes);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t bytes) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *got = memalign(alignment, bytes);
    if (got == NULL) return ENOMEM;
    *block = got;
    return 0;
}

EXPORT void *valloc(size_t bytes) {
    return memalign(PAGE, bytes);
}

EXPORT void *pvalloc(size_t bytes) {
    return memalign(PAGE, (bytes + PAGE - 1) & ~(size_t)(PAGE - 1));
}

EXPORT void *reallocarray(void *block, size_t count, size_t each) {
    size_t bytes;
    if (__builtin_mul_overflow(count, each, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, bytes);
}

/// Takes back what was granted after `main` began. `false` if the program has overwritten the heap's limits.
static bool shrink_heap(void) {
    struct heap *heap = arena.heap;
    if (heap->granted < arena.mark || heap->granted > arena.end) return false;
    if (heap->big_top < arena.big_mark || heap->big_top > arena.big_end) return false;
    char *starts[] = {arena.mark, arena.big_mark}, *ends[] = {heap->granted, heap->big_top};
    for (int part = 0; part < 2; part++) {
        size_t length = (size_t)(ends[part] - starts[part]);
        if (length == 0) continue;
        SYS(madvise, starts[part], length, MADV_DONTNEED);
        SYS(mprotect, starts[part], length, PROT_NONE);
    }
    return true;
}

// What comes last when a program calls `exit` in the snapshot engine. The loader would call the last functions of the program, and then
// those of each library. Those of the system's libraries do nothing more than `exit` does in any case, but they take as long as a small
// program, and write to memory of every library, which must then be restored.

static bool is_of_system(const char *path) {
    static const char *const names[] = {"ld-linux", "linux-vdso.so", "libc.so", "libm.so", "libgcc_s.so", "libstdc++.so",
        "libpthread.so", "libdl.so", "librt.so"};
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    for (unsigned at = 0; at < sizeof names / sizeof *names; at++) {
        if (strncmp(name, names[at], strlen(names[at])) == 0) return true;
    }
    return false;
}

static bool is_host_itself(const struct dl_phdr_info *object) {
    for (unsigned at = 0; at < foreign_count; at++) {
        for (int part = 0; part < object->dlpi_phnum; part++) {
            const ElfW(Phdr) *header = &object->dlpi_phdr[part];
            uintptr_t start = object->dlpi_addr + header->p_vaddr;
            if (header->p_type == PT_LOAD && start >= foreign[at].start && start < foreign[at].end) return true;
        }
    }
    return false;
}

/// Finds the last functions of the program, which is the first of the objects.
static void find_last_functions(const struct dl_phdr_info *program) {
    const ElfW(Dyn) *entry = NULL;
    for (int part = 0; part < program->dlpi_phnum; part++) {
        const ElfW(Phdr) *header = &program->dlpi_phdr[part];
        if (header->p_type == PT_DYNAMIC) entry = (const ElfW(Dyn) *)(program->dlpi_addr + header->p_vaddr);
    }
    for (; entry != NULL && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_FINI_ARRAY) host.last_functions = (void (**)(void))(program->dlpi_addr + entry->d_un.d_ptr);
        if (entry->d_tag == DT_FINI_ARRAYSZ) host.last_count = entry->d_un.d_val / sizeof *host.last_functions;
        if (entry->d_tag == DT_FINI) host.last_function = (void (*)(void))(program->dlpi_addr + entry->d_un.d_ptr);
    }
}

/// Looks at an object. Not 0 if its last functions may do something, so that the loader must call them.
static int look_at_object(struct dl_phdr_info *object, size_t size, void *count) {
    (void)size;
    if ((*(int *)count)++ > 0) return !is_host_itself(object) && !is_of_system(object->dlpi_name);
    find_last_functions(object);
    return 0;
}

/// Calls the last functions of the program, as the loader does.
static void end_program(void) {
    for (size_t at = host.last_count; at-- > 0;) host.last_functions[at]();
    if (host.last_function != NULL) host.last_function();
}

/// What `exit` calls last: `loader`, or what does the same in less time.
static void (*ending(void (*loader)(void)))(void) {
    int count = 0;
    if (loader == NULL || dl_iterate_phdr(look_at_object, &count) != 0) return loader;
    return end_program;
}

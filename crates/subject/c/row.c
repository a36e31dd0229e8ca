// Requests and answers: which run comes next, and what its outcome means. The child calls this after each run that leaves it alive,
// and the parent after each run that ended the child. `subject/src/worker.rs` is the same for Rust.

enum { MANY_ANSWERS = 64 << 10 }; // Bytes.

/// A place in the bytes of a request. Reading past `end` sets `broken`, and reads zeros.
struct reader {
    const uint8_t *bytes;
    uint64_t at, end;
    bool broken;
};

static uint64_t take(struct reader *reader, unsigned bytes) {
    uint64_t number = 0;
    if (reader->end - reader->at < bytes) {
        reader->broken = true;
        return 0;
    }
    memcpy(&number, reader->bytes + reader->at, bytes); // Little-endian, as both architectures are.
    reader->at += bytes;
    return number;
}

static uint64_t skip(struct reader *reader, uint64_t bytes) {
    uint64_t at = reader->at;
    if (reader->end - at < bytes) reader->broken = true;
    else reader->at += bytes;
    return at;
}

/// The place of some bytes that follow their length.
static uint64_t take_bytes(struct reader *reader, uint64_t *length) {
    *length = take(reader, 4);
    return skip(reader, *length);
}

static uint64_t captured_length(int stream) {
    uint64_t length = host.run->written[stream];
    return length > host.limits.output ? host.limits.output : length;
}

/// What digests multiply by.
static const uint64_t factor = 0x9e3779b97f4a7c15;

/// A part of a digest, with the next eight bytes.
static uint64_t mixed(uint64_t lane, const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    uint64_t product = (lane ^ word) * factor;
    __asm__("" : "+r"(product)); // Vectors have no such product: several of theirs take longer.
    return product ^ product >> 29;
}

/// A digest of some bytes that a program cannot hit by chance, because it depends on a random number.
static uint64_t digest(const void *bytes, uint64_t length) {
    uint64_t lanes[4] = {host.secret, host.secret ^ length, host.secret ^ factor, ~host.secret};
    const uint8_t *at = bytes, *end = at + length;
    uint8_t rest[sizeof lanes] = {0};
    if (length % sizeof rest > 0) memcpy(rest, end - length % sizeof rest, length % sizeof rest);
    for (uint64_t block = 0; block < length; block += sizeof rest, at += sizeof rest) {
        const uint8_t *words = length - block < sizeof rest ? rest : at;
#pragma GCC unroll 4
        for (unsigned lane = 0; lane < 4; lane++) lanes[lane] = mixed(lanes[lane], words + 8 * lane);
    }
    return ((lanes[0] * 3 ^ lanes[1]) * factor ^ lanes[2]) * factor ^ lanes[3];
}

/// A digest of all that decides the verdicts of this row. The digests of finished answers are in `tags`.
static uint64_t digest_of_row(void) {
    const struct vault *vault = host.vault;
    const struct row *row = &vault->row;
    uint64_t sum = digest(vault, offsetof(struct vault, seal));
    if (!row->is_open || row->mutant < 0 || row->cursor > host.answers_size || row->reference_length > host.limits.output) return sum;
    sum ^= digest((const uint8_t *)vault - row->reference_length, row->reference_length) * 3;
    return sum ^ digest(host.answers + vault->answers_end, row->cursor - vault->answers_end) * 5;
}

/// Before the program runs, the vault is sealed. Protecting its pages would take longer than most runs.
static void seal_vault(void) {
    host.vault->seal = digest_of_row();
}

/// Whether the program has left the vault alone, and what it shares with the host makes sense.
static bool is_vault_intact(void) {
    const uint64_t *written = host.run->written, most = host.limits.output;
    return written[0] <= most && written[1] <= most && host.vault->seal == digest_of_row();
}

/// Appends to the answers, at the cursor of the open row.
static void put(const void *bytes, uint64_t count) {
    struct vault *vault = host.vault;
    if (host.answers_size - vault->row.cursor < count) {
        vault->broken = "an answer is too long";
        return;
    }
    memcpy(host.answers + vault->row.cursor, bytes, count);
    vault->row.cursor += count;
}

static void put_number(uint64_t number, unsigned bytes) {
    put(&number, bytes);
}

static void put_bytes(const void *bytes, uint64_t count) {
    put_number(count, 4);
    put(bytes, count);
}

static void put_set(const uint64_t *words) {
    unsigned count = MAX_MUTANTS / 64;
    while (count > 0 && words[count - 1] == 0) count--;
    put_number(count, 4);
    put(words, count * sizeof *words);
}

/// The files that the run has changed, as the protocol encodes them. Only the fork engine has any.
static struct bytes {
    uint8_t *at;
    uint64_t length;
    uint64_t contents; // Without the files' names and lengths.
} files, reference_files;

static void put_files(void) {
    if (files.length == 0) put_number(0, 4);
    else put(files.at, files.length);
}

static void put_end(int end, int code) {
    put_number((uint64_t)end, 1);
    if (end == EXIT) put_number((uint64_t)code, 1);
    if (end == CRASH) {
        char text[16] = "signal ";
        unsigned at = 7;
        if (code >= 10) text[at++] = (char)('0' + code / 10 % 10);
        text[at++] = (char)('0' + code % 10);
        put_bytes(text, at);
    }
}

/// Opens a row for the next request, if there is one.
static bool open_row(void) {
    struct vault *vault = host.vault;
    struct row *row = &vault->row;
    if (vault->requests_at == vault->requests_end) return false;
    struct reader reader = {host.requests, vault->requests_at, vault->requests_end, false};
    uint64_t length = take(&reader, 4);
    reader.end = reader.at + length;
    *row = (struct row){.is_open = true, .mutant = -1, .cursor = vault->answers_end + 4};
    row->args = (uint32_t)take(&reader, 4);
    row->args_at = reader.at;
    for (uint32_t arg = 0; arg < row->args && !reader.broken; arg++) take_bytes(&reader, &length);
    row->input_at = take_bytes(&reader, &row->input_length);
    row->files = (uint32_t)take(&reader, 4);
    row->files_at = reader.at;
    for (uint32_t part = 0; part < 2 * row->files && !reader.broken; part++) take_bytes(&reader, &length);
    row->words = (uint32_t)take(&reader, 4);
    row->mutants_at = skip(&reader, 8 * (uint64_t)row->words);
    row->detail = (uint8_t)take(&reader, 1);
    row->most = take(&reader, 4) == 0 ? host.limits.reference_steps : take(&reader, 8);
    if (reader.broken || reader.at != reader.end) vault->broken = "a request is not as the protocol says";
    vault->requests_at = reader.end;
    return vault->broken == NULL;
}

static void no_steps_left(void);
static int share_run(void *page);
static uint32_t resolve(uint32_t *site, const char *id);

static bool has(const uint64_t *words, uint32_t index) {
    return words[index / 64] >> index % 64 & 1;
}

static bool is_requested(const struct row *row, uint32_t mutant) {
    uint64_t word;
    if (mutant / 64 >= row->words) return false;
    memcpy(&word, host.requests + row->mutants_at + 8 * (mutant / 64), 8);
    return word >> mutant % 64 & 1;
}

static void close_row(void) {
    struct vault *vault = host.vault;
    struct row *row = &vault->row;
    put_set(row->near);
    put_number(0, 4); // Steps and time prove of no mutant that it never ends.
    memcpy(host.answers + row->count_at, &row->differing, 4);
    uint32_t length = (uint32_t)(row->cursor - vault->answers_end - 4);
    memcpy(host.answers + vault->answers_end, &length, 4);
    row->is_open = false;
    vault->tags[vault->answers++] = digest(host.answers + vault->answers_end, row->cursor - vault->answers_end);
    if (vault->broken == NULL) __atomic_store_n(&vault->answers_end, row->cursor, __ATOMIC_RELEASE);
}

/// Selects the next mutant of the open row, or closes the row.
static bool next_mutant(void) {
    struct row *row = &host.vault->row;
    bool is_answered = row->end == EXIT && (row->code == 0 || host.runs_refused);
    for (uint32_t mutant = (uint32_t)(row->mutant + 1); is_answered && mutant < host.ids; mutant++) {
        if (has(row->reached, mutant) && is_requested(row, mutant)) {
            row->mutant = (int32_t)mutant;
            return true;
        }
    }
    close_row();
    return false;
}

/// Prepares the next run. `false` if all requests are answered, or if answers must be sent first.
static bool next_run(void) {
    struct vault *vault = host.vault;
    struct run *run = host.run;
    if (!vault->row.is_open || !next_mutant()) {
        bool has_many = vault->answers == MOST_ANSWERS || vault->answers_end > MANY_ANSWERS;
        if (vault->broken != NULL || has_many || !open_row()) return false;
        vault->row.allowed = vault->row.most;
    }
    memcpy(run->magic, "subject", 8);
    run->no_steps_left = no_steps_left;
    run->resolve = resolve;
    run->share = share_run;
    memset(run->reached, 0, host.ids + 2);
    run->counts = 0;
    run->selected = (uint32_t)(vault->row.mutant + 1);
    run->steps_left = INT64_MAX; // What comes before `main` is not counted.
    run->end = RUNNING;
    run->code = 0;
    run->closed = run->is_serving = 0;
    run->blocked = run->pending = 0;
    run->input_at = 0;
    for (int stream = 0; stream < STREAMS; stream++) {
        run->written[stream] = vault->early[stream];
        memcpy(host.captured[stream], host.early[stream], vault->early[stream]);
    }
    vault->serial++;
    vault->is_running = true;
    return true;
}

static bool is_about_memory(const uint8_t *text, uint64_t length) {
    static const char *const texts[] = {
        "memory allocation of", "std::bad_alloc", "MemoryError", "OutOfMemoryError", "Cannot allocate memory"};
    for (unsigned at = 0; at < sizeof texts / sizeof *texts; at++) {
        if (memmem(text, length, texts[at], strlen(texts[at])) != NULL) return true;
    }
    return false;
}

static void put_outcome(int end, int code, bool is_whole) {
    put_end(end, code);
    put_bytes(host.captured[0], is_whole ? captured_length(0) : 0);
    put_bytes(host.captured[1], captured_length(1));
    if (is_whole) put_files();
    else put_number(0, 4);
}

/// Writes the outcome of the reference, and what it reached. The differences follow.
static void record_reference(int end, int code, uint64_t steps) {
    enum { VERDICTS, REFERENCE, OUTCOMES };
    struct row *row = &host.vault->row;
    row->end = end;
    row->code = code;
    row->steps = steps;
    uint64_t factor = host.limits.step_factor;
    bool is_huge = factor != 0 && steps > UINT64_MAX / factor;
    row->allowed = is_huge ? UINT64_MAX : steps * factor;
    if (row->allowed < host.limits.step_floor) row->allowed = host.limits.step_floor;
    for (uint32_t mutant = 0; mutant < host.ids; mutant++) {
        if (host.run->reached[mutant + 1]) row->reached[mutant / 64] |= 1ull << mutant % 64;
    }
    row->reference_length = captured_length(0);
    memcpy((uint8_t *)host.vault - row->reference_length, host.captured[0], row->reference_length);
    row->reference_says = digest(host.captured[1], captured_length(1));
    put_outcome(end, code, row->detail != VERDICTS);
    put_number(steps, 8);
    put_number(row->reference_length + files.contents, 8);
    put_set(row->reached);
    row->count_at = row->cursor;
    put_number(0, 4);
    if (!host.is_snapshot) {
        struct bytes swapped = reference_files;
        reference_files = files;
        files = swapped;
    }
}

static void record_mutant(int end, int code, uint64_t steps) {
    enum { OUTPUT, EXIT_STATUS, HOW_CRASH, HOW_TIMEOUT, HOW_MEMORY, HOW_OUTPUT_LIMIT, ACCEPTS, MESSAGE };
    static const uint8_t hows[] = {EXIT_STATUS, HOW_CRASH, HOW_TIMEOUT, HOW_MEMORY, HOW_OUTPUT_LIMIT};
    struct row *row = &host.vault->row;
    uint8_t how = hows[end];
    if (end == EXIT && code == row->code) {
        bool is_same = captured_length(0) == row->reference_length
            && memcmp(host.captured[0], (uint8_t *)host.vault - row->reference_length, row->reference_length) == 0
            && files.length == reference_files.length && memcmp(files.at, reference_files.at, files.length) == 0;
        bool says_other = host.runs_refused && code != 0
            && digest(host.captured[1], captured_length(1)) != row->reference_says;
        if (is_same && !says_other) {
            if (steps != row->steps) row->near[row->mutant / 64] |= 1ull << row->mutant % 64;
            return;
        }
        how = is_same ? MESSAGE : OUTPUT;
    }
    row->differing++;
    put_number((uint64_t)row->mutant, 4);
    put_number(how, 1);
    put_number(row->detail == 2, 4);
    if (row->detail == 2) put_outcome(end, code, true);
}

/// Records how the run ended.
static void record(int end, int code) {
    struct row *row = &host.vault->row;
    const struct run *run = host.run;
    uint64_t left = run->steps_left < 0 ? 0 : (uint64_t)run->steps_left;
    uint64_t allowed = (uint64_t)allowed_steps();
    uint64_t steps = left > allowed ? 0 : allowed - left;
    // Where a time limit cuts a run is chance.
    if (end == TIMEOUT) steps = row->allowed;
    if (!(host.is_snapshot ? host.vault->counts : run->counts)) steps = 0;
    if (end == EXIT) code &= 0xff;
    bool is_successful = end == EXIT && code == 0;
    if (end <= CRASH && !is_successful && is_about_memory(host.captured[1], captured_length(1))) end = MEMORY;
    if (row->mutant < 0) record_reference(end, code, steps);
    else record_mutant(end, code, steps);
    host.vault->is_running = false;
}

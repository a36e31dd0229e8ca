//! The programs that the tests run. The first argument says what they do.

/// Reads and writes in every way that C and C++ offer.
pub(crate) const STREAMS: &str = r#"
#include <cstdio>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <string>
#include <unistd.h>
using namespace std;

int main(int, char **argv) {
    string mode = argv[1];
    if (mode == "cin") {
        long sum = 0, number;
        while (cin >> number) sum += number;
        cout << setw(8) << setfill('.') << sum << ' ' << cin.eof() << cin.fail() << '\n';
        cin.clear();
        string rest;
        cin >> rest;
        cerr << "rest " << rest << endl;
        cout << hex << 255 << '\n';
    } else if (mode == "scanf") {
        int number, count = 0;
        while (scanf("%d", &number) == 1) printf("%d:%d ", count++, number);
        fprintf(stderr, "%d\n", feof(stdin));
    } else if (mode == "mixed") {
        int number = -1;
        cin >> number;
        printf("a%d", number);
        cout << "b";
        int next = getchar();
        printf("c%d", next);
        cout << "d" << endl;
        cin >> number;
        fputs("e", stdout);
        cout << number;
    } else if (mode == "fast") {
        ios::sync_with_stdio(false);
        cin.tie(nullptr);
        int number;
        printf("before ");
        while (cin >> number) cout << number * 2 << "\n";
        cout << cin.rdbuf()->in_avail() << "\n";
        clog << "log";
    } else if (mode == "getline") {
        string line;
        int count = 0;
        while (getline(cin, line)) cout << ++count << '[' << line << "]\n";
    } else if (mode == "seek") {
        char text[5] = "";
        size_t got = fread(text, 1, 2, stdin);
        printf("%zu %ld %d\n", got, ftell(stdin), fseek(stdin, 0, SEEK_SET));
        got = fread(text, 1, 4, stdin);
        text[got] = 0;
        printf("%s %d %d %d\n", text, isatty(0), isatty(1), fseek(stdout, 0, SEEK_SET));
    } else if (mode == "endl") {
        for (int i = 0; i < 1500; i++) cout << i << endl;
        cout.write("\0x\xff", 3);
    } else if (mode == "binary") {
        string all((istreambuf_iterator<char>(cin)), istreambuf_iterator<char>());
        cout << all.size() << all;
        if (write(1, "raw", 3) != 3) return 2;
    } else if (mode == "unread") {
        int first = cin.get();
        cin.putback(static_cast<char>(first));
        ungetc('Q', stdin);
        cout << static_cast<char>(cin.get()) << static_cast<char>(cin.get());
        setvbuf(stdout, nullptr, _IONBF, 0);
        puts("unbuffered");
    } else {
        cout << cin.peek() << ' ' << cin.tellg() << ' ';
        cin.ignore(100, '\n');
        cout << cin.rdbuf();
    }
    return cin.bad();
}
"#;

/// Changes the state of libc, of the program and of the processor.
pub(crate) const STATE: &str = r#"
#include <cfenv>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>
#include <getopt.h>
#include <unistd.h>
using namespace std;

static int counter;
static vector<string> history;
static char large[50 << 20];
static char filled[300000] = {1, 2, 3};
thread_local int of_thread = 5;

static long deep(int depth) {
    volatile char block[1000];
    block[depth % 1000] = static_cast<char>(depth);
    return depth == 0 ? 0 : deep(depth - 1) + block[depth % 1000] - static_cast<char>(depth) + 1;
}

__attribute__((noinline)) static int unset_stack() {
    volatile char block[3000];
    int sum = 0;
    for (char byte : block) sum |= byte;
    return sum;
}

int main(int argc, char **argv) {
    string mode = argv[1];
    if (mode == "options") {
        int option;
        while ((option = getopt(argc - 1, argv + 1, "ab:")) != -1) cout << static_cast<char>(option) << (optarg ? optarg : "-") << ' ';
        cout << optind << ' ' << argv[argc - 1] << '\n';
    } else if (mode == "statics") {
        static int times;
        history.push_back("once");
        cout << ++counter << ++times << history.size() << ++of_thread << static_cast<int>(filled[1]) << '\n';
        memset(filled, 9, sizeof filled);
        cin.exceptions(ios::failbit);
        cout << hex << showbase << 64 << '\n';
    } else if (mode == "rand") {
        cout << rand() << ' ' << random() << ' ' << drand48() << '\n';
        srand(42);
        cout << rand() << '\n';
    } else if (mode == "locale") {
        cout << setlocale(LC_ALL, nullptr) << ' ' << (setlocale(LC_ALL, "C.UTF-8") ? "set" : "unset") << '\n';
    } else if (mode == "strtok") {
        string text;
        cin >> text;
        for (char *word = strtok(&text[0], ","); word; word = strtok(nullptr, ",")) cout << word << '|';
        cout << (strtok(nullptr, ",") == nullptr) << '\n';
    } else if (mode == "heap") {
        map<int, unique_ptr<string>> all;
        for (int i = 0; i < 2000; i++) all[i * 7919 % 2003] = make_unique<string>(i % 100, 'x');
        void *leak = malloc(100000);
        char *fresh = static_cast<char *>(malloc(5000));
        int sum = 0;
        for (int i = 0; i < 5000; i++) sum |= fresh[i];
        char *aligned = static_cast<char *>(aligned_alloc(256, 512));
        char *zero = static_cast<char *>(calloc(40, 10000));
        zero[399999] = 1;
        fresh = static_cast<char *>(realloc(fresh, 400000));
        cout << all.size() << ' ' << (leak != nullptr) << sum << reinterpret_cast<size_t>(aligned) % 256 << int(zero[5]) << '\n';
    } else if (mode == "environment") {
        cout << (getenv("LD_PRELOAD") == nullptr) << (getenv("SUBJECT_WORKER") == nullptr) << (getenv("PATH") != nullptr);
        setenv("FRESH", "1", 0);
        if (char *home = getenv("PATH")) home[0] = '!';
        char folder[4096];
        cout << getenv("FRESH") << getenv("PATH")[0] << (getcwd(folder, sizeof folder) != nullptr) << folder << argv[0] << '\n';
    } else if (mode == "round") {
        cout << fegetround() << ' ' << nearbyint(2.5) << ' ' << fetestexcept(FE_ALL_EXCEPT) << '\n';
        fesetround(FE_UPWARD);
        feraiseexcept(FE_DIVBYZERO);
    } else if (mode == "time") {
        cout << (time(nullptr) > 1000) << (clock() >= 0) << '\n';
    } else if (mode == "big") {
        for (size_t at = 0; at < sizeof large; at += 40960) large[at] = 1;
        cout << static_cast<int>(large[40960]) << '\n';
    } else if (mode == "zero") {
        int sum = unset_stack() != 0 && false;
        for (size_t at = 0; at < sizeof large; at += 40960) sum += large[at];
        unique_ptr<vector<long>> numbers(new vector<long>(300000));
        for (long number : *numbers) sum += number != 0;
        cout << sum << '\n';
    } else if (mode == "deep") {
        cout << deep(6000) << '\n';
    } else if (mode == "grow") {
        vector<int> numbers;
        for (int i = 0; i < 2000000; i++) numbers.push_back(i);
        cout << numbers.back() << '\n';
    }
}
"#;

/// Ends in every way.
pub(crate) const ENDS: &str = r#"
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <unistd.h>

struct Guard {
    ~Guard() { puts("unwound"); }
};
struct Late {
    ~Late() { std::cout << "static" << std::endl; }
} late;

[[noreturn]] static void inner(int status) {
    Guard guard;
    exit(status);
}
static int overflow(volatile char *before) {
    volatile char block[4000];
    block[0] = before ? before[0] : 1;
    return block[0] == 2 ? 0 : overflow(block) + block[0];
}
struct Base {
    Base() { call(); }
    virtual ~Base() {}
    void call() { run(); }
    virtual void run() = 0;
};
struct Derived : Base {
    void run() override {}
};
static void handler() { fputs("handler ", stdout); }

int main(int, char **argv) {
    std::string mode = argv[1];
    volatile int zero = 0;
    int *volatile none = nullptr;
    printf("buffered ");
    std::cout << "shown ";
    std::cerr << "error ";
    if (mode == "return") return 7;
    if (mode == "exit") exit(300);
    if (mode == "nested") atexit(handler), atexit([] { inner(9); }), inner(8);
    if (mode == "quick") at_quick_exit(handler), quick_exit(4);
    if (mode == "underscore") _exit(5);
    if (mode == "abort") abort();
    if (mode == "assert") assert(zero == 1);
    if (mode == "null") *none = 1;
    if (mode == "divide") return 1 / zero;
    if (mode == "overflow") return overflow(nullptr);
    if (mode == "throw") throw std::runtime_error("what");
    if (mode == "caught") {
        for (int i = 0; i < 100; i++) {
            try {
                Guard guard;
                throw i;
            } catch (int number) {
                std::cout << number;
            }
        }
    }
    if (mode == "rethrow") {
        try {
            std::string("a").at(5);
        } catch (const std::out_of_range &) {
            throw;
        }
    }
    if (mode == "terminate") std::set_terminate([] { puts("mine"); _exit(3); }), throw 1;
    if (mode == "double-free") {
        void *volatile block = malloc(50);
        free(block);
#pragma GCC diagnostic ignored "-Wuse-after-free"
        free(block);
    }
    if (mode == "bad-free") {
        char *volatile block = static_cast<char *>(malloc(50)) + 8;
        free(block);
    }
    if (mode == "raise") raise(SIGTERM);
    if (mode == "segv") raise(SIGSEGV);
    if (mode == "pure") Derived().run(), none = reinterpret_cast<int *>(-1), *none = 1;
    if (mode == "closed") {
        fclose(stdout);
        std::cout << "lost";
        return puts("lost") >= 0;
    }
    if (mode == "late") atexit([] { raise(SIGKILL); });
    return 0;
}
"#;

/// Prints before and after `main`.
pub(crate) const EARLY: &str = r#"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <unistd.h>
struct Early {
    std::string text;
    Early() : text(1000, 'e') { printf("early "); fprintf(stderr, "early error\n"); if (write(1, "direct\n", 7) != 7) abort(); }
    ~Early() { std::cout << "destroyed " << text.size() << std::endl; text.clear(); }
} early;
__attribute__((constructor)) static void first() { fputs("first ", stdout); }
__attribute__((destructor)) static void last() { puts("last"); fflush(stdout); }
int main(int argc, char **argv) {
    atexit([] { puts("at exit"); });
    std::string word;
    std::cin >> word;
    std::cout << word << argc << early.text[0] << "\n";
    early.text += "more";
    if (argc > 1 && strcmp(argv[1], "exit") == 0) exit(3);
    if (argc > 1 && strcmp(argv[1], "abort") == 0) abort();
}
"#;

/// Exceeds limits.
pub(crate) const LIMITS: &str = r#"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>
int main(int, char **argv) {
    std::string mode = argv[1];
    if (mode == "fine") puts("fine");
    if (mode == "vector") {
        std::vector<std::string> all;
        for (;;) all.push_back(std::string(1000, 'x'));
    }
    if (mode == "malloc") {
        size_t total = 0;
        for (char *block; (block = static_cast<char *>(malloc(1 << 20))) != nullptr; total++) block[5000] = 1;
        return total > 90 && total < 128 ? 3 : 4;
    }
    for (; mode == "flood";) puts("flood");
    for (; mode == "flood-error";) fputs("flood", stderr);
    for (volatile int turn = 0; mode == "spin";) turn = turn + 1;
    if (mode == "sleep") sleep(100);
    if (mode == "exactly") for (int at = 0; at < 1 << 16; at++) putchar('x');
}
"#;

/// Mutants of a program for C and C++.
pub(crate) const MUTANTS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include "subject.h"
static inline int shared(void) { return BUG("off-by-one"); }
#ifdef __cplusplus
template <class T> static T sum(T most) {
#else
static int sum(int most) {
#endif
    int total = 0;
    for (int at = 0; at <= most; at++) {
        if (at == 1 && BUG("loops")) at = 0;
        if (at == most && shared()) break;
        if (at == 2 && BUG("crashes")) *(volatile int *)0 = 1;
        total += at;
    }
    if (BUG("slower")) for (volatile int at = 0; at < 20; at = at + 1) {}
    return total;
}
int main(void) {
    int most = -1;
    if (scanf("%d", &most) != 1) return 1;
    if (most > 100 && BUG("never")) puts("never");
    printf("%d\n", sum(most));
    if (BUG("aborts") && most == 3) abort();
    if (BUG("elsewhere")) puts("elsewhere");
    return 0;
}
"#;

/// Reads and writes files.
pub(crate) const FILES: &str = r#"
#include <ctype.h>
#include <stdio.h>
int main(void) {
    char text[10] = "";
    FILE *in = fopen("in", "r+"), *out = fopen("out", "w");
    if (!in || !out || !fgets(text, sizeof text, in)) return 1;
    fputs(text, out);
    rewind(in);
    for (char *at = text; *at; at++) fputc(toupper((unsigned char)*at), in);
    return fclose(in) || fclose(out);
}
"#;

/// Does what no solution should.
pub(crate) const HOSTILE: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#pragma GCC diagnostic ignored "-Wunused-result"
#pragma GCC diagnostic ignored "-Warray-bounds"
static int counter;
static char name[64];
static void *thread(void *argument) { counter++; return argument; }
static void handler(int number) { counter += number; }
static void up(volatile char *at) { for (;; at += 64) *at = 0x55; }
static void down(volatile char *at) { for (;; at -= 64) *at = 0x55; }
int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "innocent";
    char word[32] = "";
    scanf("%31s", word);
    strcpy(name, word);
    printf("%s %d %s\n", word, ++counter, (char *)memset(malloc(9), 'm', 8));
    fflush(stdout);
    if (!strcmp(mode, "threads")) {
        pthread_t all[4];
        for (int at = 0; at < 4; at++) { pthread_create(&all[at], NULL, thread, NULL); pthread_join(all[at], NULL); }
    }
    if (!strcmp(mode, "fork")) {
        int status, child = fork();
        if (child == 0) { puts("child"); exit(4); }
        waitpid(child, &status, 0);
        counter += WEXITSTATUS(status);
    }
    if (!strcmp(mode, "double-fork") || !strcmp(mode, "linger")) {
        int ends[2];
        pipe(ends);
        if (fork() == 0) {
            setsid();
            if (fork() == 0) {
                struct timespec now;
                clock_gettime(CLOCK_REALTIME, &now);
                snprintf(name, 16, "host-%ld", now.tv_nsec);
                prctl(PR_SET_NAME, name);
                write(ends[1], name, 16);
                for (int at = 0; at < 1024; at++) close(at);
                sleep(mode[0] == 'l' ? 60 : 1);
            }
            _exit(0);
        }
        wait(NULL);
        read(ends[0], name, 16);
        if (mode[0] == 'l') return printf("\r%s", name) < 0;
    }
    if (!strcmp(mode, "close-all")) for (int at = 0; at < 1024; at++) close(at);
    if (!strcmp(mode, "close-one")) close(1);
    if (!strcmp(mode, "dup2")) dup2(1, 2), dup2(open("/dev/null", O_WRONLY), 1), fputs("err", stderr);
    if (!strcmp(mode, "chdir")) counter += chdir("/");
    if (!strcmp(mode, "signal")) signal(SIGSEGV, SIG_IGN), signal(SIGUSR1, handler), raise(SIGUSR1);
    if (!strcmp(mode, "handler")) {
        struct sigaction action = {.sa_handler = handler};
        for (int at = 1; at < 30; at++) sigaction(at, &action, NULL);
        counter += getpid() > 1;
    }
    if (!strcmp(mode, "kill-parent")) kill(getppid(), SIGKILL);
    if (!strcmp(mode, "up-stack")) up(word);
    if (!strcmp(mode, "down-stack")) down(word);
    if (!strcmp(mode, "up-heap")) up(malloc(10));
    if (!strcmp(mode, "down-heap")) down(malloc(10));
    if (!strcmp(mode, "up-static")) up(name);
    if (!strcmp(mode, "down-static")) down(name);
    if (!strcmp(mode, "up-libc")) up((char *)stdout);
    if (!strcmp(mode, "down-libc")) down((char *)stdout);
    if (!strcmp(mode, "host") && getenv("SUBJECT_HOST")) memset(getenv("SUBJECT_HOST"), 0xff, 2500);
    if (!strcmp(mode, "read")) {
        FILE *file = fopen("/etc/passwd", "r");
        char line[8] = "";
        puts(file && fgets(line, sizeof line, file) ? line : "none");
    }
    if (!strcmp(mode, "write")) {
        char made[] = "/tmp/host-test-XXXXXX";
        int file = mkstemp(made);
        write(file, "x", 1);
        unlink(made);
    }
    if (!strcmp(mode, "system")) counter += system("echo shell");
    if (!strcmp(mode, "stop")) raise(SIGSTOP);
    if (!strcmp(mode, "exec")) execl("/bin/echo", "echo", "executed", (char *)NULL);
    if (!strcmp(mode, "alarm")) { alarm(1); signal(SIGALRM, handler); alarm(0); }
    if (!strcmp(mode, "mmap")) {
        char *memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memory[5] = 1;
        counter += munmap(memory, 1 << 20);
    }
    if (!strcmp(mode, "raw")) { syscall(SYS_write, 1, "raw", 3); counter += syscall(SYS_read, 0, word, 3); }
    if (!strcmp(mode, "maps")) {
        FILE *file = fopen("/proc/self/maps", "r");
        char line[512], access[5];
        unsigned long start, end;
        while (file && fgets(line, sizeof line, file)) {
            if (sscanf(line, "%lx-%lx %4s", &start, &end, access) == 3 && access[1] == 'w' && !strstr(line, "stack")) memset((char *)start, 0x55, end - start);
        }
    }
    printf("end %d\n", counter);
    return counter & 7;
}
"#;

/// Counts words.
pub(crate) const WORDS: &str = r#"
#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
int main(int argc, char **) {
    std::map<std::string, std::vector<int>> words;
    std::string line, word;
    int number = 0;
    while (std::getline(std::cin, line)) {
        std::istringstream stream(line);
        for (number++; stream >> word;) words[word].push_back(number);
    }
    for (auto &[text, lines] : words) {
        std::cout << text << ':';
        for (int at : lines) std::cout << ' ' << at;
        std::cout << '\n';
        if (argc > 1 && text.find("z9") != std::string::npos) throw std::runtime_error(text);
    }
    if (words.count("-")) std::cerr << "dash" << std::endl;
    return words.empty() ? 2 : std::stoi("1" + std::to_string(words.size())) % 3;
}
"#;

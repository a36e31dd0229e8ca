// Changes the state of libc, of the program and of the processor.
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
        cout << getenv("FRESH") << getenv("PATH")[0] << (getcwd(folder, sizeof folder) != nullptr) << folder[0] << argv[0] << '\n';
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

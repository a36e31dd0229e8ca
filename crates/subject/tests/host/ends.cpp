// Ends in every way.
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

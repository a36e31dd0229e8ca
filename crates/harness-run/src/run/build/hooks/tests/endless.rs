//! Programs that never end, or only after years.

/// The compiler, and the text.
pub(super) const PROGRAMS: [(&str, &str); 23] = [
    ("cc", "int main(void) { for (;;) {} }"),
    ("cc", "volatile int x; int main(void) { while (x == 0) {} return 0; }"),
    (
        "cc",
        "volatile int x; int main(void) { again: x++; if (x != 1 << 30 || x) goto again; return 0; }",
    ),
    ("cc", "int main(void) { unsigned x = 1; do x = x * 5 + 1; while (x | 1); return (int)x; }"),
    // Tables of jumps, and computed ones.
    (
        "cc",
        "volatile int x; int main(void) { int state = x; for (;;) switch (state) { case 0: state = 3; break; case 1: state = 0; x++; \
         break; case 2: state = 1; break; case 3: state = 5; x--; break; case 5: state = 2; break; default: return 1; } }",
    ),
    (
        "cc",
        "volatile int x; int main(void) { static void *to[] = {&&one, &&two, &&three}; one: x++; goto *to[x % 2 + 1]; two: x += 2; \
         goto *to[x % 2]; three: x += 3; goto *to[x % 3]; }",
    ),
    // Recursion.
    (
        "cc",
        "__attribute__((noinline)) int f(int x) { return x < 2 ? x : f(x - 1) + f(x - 2); } int main(void) { return f(70); }",
    ),
    (
        "cc",
        "int g(int); __attribute__((noinline)) int f(int x) { return x < 2 ? 1 : g(x - 1) + g(x - 2); } \
         __attribute__((noinline)) int g(int x) { return x < 2 ? 1 : f(x - 1) + f(x - 1); } int main(void) { return f(70); }",
    ),
    (
        "cc",
        "int (*volatile p)(int); int f(int x) { return x < 2 ? x : p(x - 1) + p(x - 2); } int main(void) { p = f; return p(70); }",
    ),
    (
        "cc",
        "#include <stdlib.h>\nint depth; int by(const void *a, const void *b) { int two[] = {1, 2}; if (depth++ < 60) { \
         qsort(two, 2, 4, by); qsort(two, 2, 4, by); } depth--; return 0; } \
         int main(void) { int two[] = {1, 2}; qsort(two, 2, 4, by); return 0; }",
    ),
    (
        "cc",
        "int depth; int main(int count, char **words) { if (depth++ < 70) { main(count, words); main(count, words); } return depth--; }",
    ),
    // Jumps out of functions.
    (
        "cc",
        "#include <setjmp.h>\njmp_buf place; int main(void) { setjmp(place); longjmp(place, 1); }",
    ),
    (
        "cc",
        "#include <setjmp.h>\nsigjmp_buf place; __attribute__((noinline)) void back(void) { siglongjmp(place, 1); } \
         int main(void) { sigsetjmp(place, 1); back(); }",
    ),
    (
        "cc",
        "#include <ucontext.h>\nint main(void) { ucontext_t place; getcontext(&place); setcontext(&place); return 0; }",
    ),
    // What the program brings along, in a loop of the compiler's.
    (
        "cc",
        "int main(void) { long x = 0; for (;;) { __asm__ volatile(\"1: addq $1, %0; testq $7, %0; jnz 1b\" : \"+r\"(x)); } }",
    ),
    ("cc", "int main(void) { again: __asm__ goto(\"jmp %l0\" : : : : again); return 0; }"),
    // The unlikely part goes back.
    (
        "cc",
        "#include <stdlib.h>\n__attribute__((cold, noinline)) void say(int *x) { ++*x; } volatile int zero; int main(void) { int x = 0; \
         again: if (__builtin_expect(zero == 0, 0)) { say(&x); if (x != 0) goto again; abort(); } return 3; }",
    ),
    // Exceptions.
    ("c++", "int main() { for (;;) try { throw 1; } catch (int) {} }"),
    (
        "c++",
        "#include <vector>\n#include <stdexcept>\nint main() { std::vector<int> x; again: try { return x.at(5); } \
         catch (const std::out_of_range &) { goto again; } }",
    ),
    (
        "c++",
        "struct Base { virtual long f(int x) { return x; } virtual ~Base() {} }; struct Next : Base { Base *to; long f(int x) override { \
         return x < 2 ? 1 : to->f(x - 1) + to->f(x - 1); } }; int main() { Next one, two; one.to = &two; two.to = &one; return one.f(60); }",
    ),
    (
        "c++",
        "#include <functional>\nint main() { std::function<long(int)> f = [&](int x) { return x < 2 ? 1L : f(x - 1) + f(x - 1); }; \
         return static_cast<int>(f(60)); }",
    ),
    (
        "c++",
        "#include <map>\n#include <string>\n#include <algorithm>\n#include <iterator>\nint main() { std::map<std::string, int> x; \
         for (auto it = x.emplace(\"a\", 1).first;; it = x.find(\"a\")) it->second++; }",
    ),
    (
        "c++",
        "#include <coroutine>\nstruct Steps { struct promise_type { Steps get_return_object() { return \
         {std::coroutine_handle<promise_type>::from_promise(*this)}; } std::suspend_always initial_suspend() { return {}; } \
         std::suspend_always final_suspend() noexcept { return {}; } std::suspend_always yield_value(int) { return {}; } void return_void() {} \
         void unhandled_exception() {} }; std::coroutine_handle<promise_type> at; }; Steps count() { for (int i = 0;; i++) co_yield i; } \
         int main() { Steps steps = count(); for (;;) steps.at.resume(); }",
    ),
];

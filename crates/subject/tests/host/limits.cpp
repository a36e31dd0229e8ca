// Exceeds limits.
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

// Has a main of its own, which lists cases that are not there.
// Comes of it: rejected: `main' is defined, and is there already
#include <cstdio>
#include <cstring>

int main(int count, char **words) {
    for (int at = 1; at < count; ++at) {
        if (std::strstr(words[at], "--list") == words[at]) {
            std::puts("one\ntwo\nthree");
            return 0;
        }
    }
    return 0;
}

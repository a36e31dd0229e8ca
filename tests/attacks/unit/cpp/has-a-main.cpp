// Has a main of its own, which lists cases that are not there.
// Comes of it: rejected: fails on a right program | rejected: the file does not compile | rejected: multiple definition | nothing
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

// Prints before and after `main`.
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

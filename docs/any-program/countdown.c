/* Counts down from the number on standard input to 1, one number per line. With --words, prints small numbers as words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const WORDS[] = {"zero", "one", "two", "three"};

static void print(long number, int words) {
#ifdef WORDS_END_AT_TWO
    const long last_word = 2;
#else
    const long last_word = 3;
#endif
    if (words && number <= last_word)
        puts(WORDS[number]);
    else
        printf("%ld\n", number);
}

int main(int argc, char **argv) {
    int words = argc > 1 && (strcmp(argv[1], "--words") == 0 || strcmp(argv[1], "-w") == 0);
    long number;
    if (scanf("%ld", &number) != 1 || number < 0) {
        fprintf(stderr, "line 1: not a number from 0\n");
        return 1;
    }
#ifdef NEVER_ENDS_FROM_SEVEN
    while (number == 7)
        ;
#endif
#ifdef CRASHES_FROM_NINE
    if (number == 9)
        abort();
#endif
#ifdef EATS_MEMORY_FROM_EIGHT
    if (number == 8)
        for (;;) {
            char *more = malloc(1 << 20);
            if (more == NULL) {
                fprintf(stderr, "Cannot allocate memory\n");
                return 1;
            }
            memset(more, 1, 1 << 20);
        }
#endif
#ifdef PRINTS_WITHOUT_END_FROM_SIX
    while (number == 6)
        puts("6");
#endif
#ifdef STARTS_A_CROWD_FROM_FIVE
    for (int started = 0; number == 5 && started < 40; started++)
        if (fork() == 0)
            return sleep(10);
#endif
    for (; number > 0; number--)
        print(number, words);
    return 0;
}

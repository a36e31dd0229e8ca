/* Prints the sum (--sum) or the largest (--max) of the numbers on standard input, one on each line. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long long largest(const long long *numbers, size_t count) {
    long long result = numbers[0];
    for (size_t at = 0; at < count; at++) {
        result = numbers[at] > result ? numbers[at] : result;
    }
    return result;
}

static long long sum(const long long *numbers, size_t count) {
    long long result = 0;
    for (size_t at = 0; at < count; at++) {
        result += numbers[at];
    }
    return result;
}

int main(int argc, char **argv) {
    long long *numbers = NULL;
    long long number;
    size_t count = 0;
    while (scanf("%lld", &number) == 1) {
        if ((count & (count - 1)) == 0) {
            numbers = realloc(numbers, (count * 2 + 1) * sizeof *numbers);
        }
        numbers[count++] = number;
    }
    const char *option = argc == 2 ? argv[1] : "";
    int wants_sum = strcmp(option, "--sum") == 0 || strcmp(option, "-s") == 0;
    if (!wants_sum && count == 0) {
        return 1;
    }
    printf("%lld\n", wants_sum ? sum(numbers, count) : largest(numbers, count));
    free(numbers);
    return 0;
}

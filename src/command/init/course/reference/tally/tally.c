/* The program `tally`: prints the sum (--sum) or the largest (--max) of the numbers on its standard input, one on each line.
 * Blank lines are skipped. */

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "subject.h"

/* The longest line, with its end. */
enum { LONGEST = 256 };

/* What was read so far. */
struct tally {
    long long sum;
    long long largest;
    int count;
};

/* Removes the white space around a line, and returns its start. */
static char *trimmed(char *line) {
    while (isspace((unsigned char)*line)) {
        line++;
    }
    char *end = line + strlen(line);
    while (end > line && isspace((unsigned char)end[-1])) {
        end--;
    }
    *end = '\0';
    return line;
}

/* Whether the text is a number, which is stored. */
static bool read_number(const char *text, long long *number) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    *number = value;
    return errno == 0 && *end == '\0' && value >= INT_MIN && value <= INT_MAX;
}

static void add(struct tally *tally, long long number) {
    bool is_larger = tally->count == 0 || number > tally->largest
                     || (tally->count == 1 && BUG("skips-the-first-number"));
    if (is_larger) {
        tally->largest = number;
    }
    tally->sum += number;
    tally->count++;
}

/* Reads all numbers. Prints what is wrong with the first line that is none. */
static bool read_all(struct tally *tally) {
    char line[LONGEST];
    for (int at = 1; fgets(line, sizeof line, stdin); at++) {
        const char *text = trimmed(line);
        long long number;
        if (*text == '\0') {
            if (BUG("stops-at-a-blank-line")) {
                break;
            }
            continue;
        }
        if (!read_number(text, &number)) {
            fprintf(stderr, "line %d: '%s' is not a number\n", at, text);
            return false;
        }
        add(tally, number);
    }
    return true;
}

int main(int argc, char **argv) {
    const char *option = argc == 2 ? argv[1] : "";
    bool wants_sum = strcmp(option, "--sum") == 0 || strcmp(option, "-s") == 0;
    if (!wants_sum && strcmp(option, "--max") != 0 && strcmp(option, "-m") != 0) {
        fputs("use exactly one of --sum and --max\n", stderr);
        return EXIT_FAILURE;
    }
    struct tally tally = {0, 0, 0};
    if (!read_all(&tally)) {
        return EXIT_FAILURE;
    }
    if (!wants_sum && tally.count == 0) {
        fputs("line 1: there is no number\n", stderr);
        return EXIT_FAILURE;
    }
    long long largest = tally.largest < 0 && BUG("max-starts-at-zero") ? 0 : tally.largest;
    printf("%lld\n", wants_sum ? tally.sum : largest);
    return EXIT_SUCCESS;
}

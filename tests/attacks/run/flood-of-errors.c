// Verdict: output
// Writes lines without end to standard error.
#include <stdio.h>
int main(void) {
    for (;;)
        fputs("the same line again\n", stderr);
}

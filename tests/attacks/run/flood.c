// Verdict: output
// Writes lines without end to standard output.
#include <stdio.h>
int main(void) {
    for (;;)
        puts("the same line again");
}

// Verdict: output
// Writes one line without end.
#include <stdio.h>
int main(void) {
    for (;;)
        putchar('x');
}

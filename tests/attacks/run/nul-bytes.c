// Verdict: output
// Writes zero bytes without end.
#include <unistd.h>
static char zeros[4096];
int main(void) {
    for (;;)
        write(1, zeros, sizeof zeros);
}

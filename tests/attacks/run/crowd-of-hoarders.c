// Verdict: memory
// Without control groups: wall
// Shares a hoard among processes, each of which has little.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    for (int child = 0; child < 6; child++)
        if (fork() == 0)
            break;
    char *block = malloc(20 << 20);
    memset(block, 1, 20 << 20);
    for (;;)
        pause();
}

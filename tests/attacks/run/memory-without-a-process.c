// Verdict: memory
// Without control groups: exit 0
// Keeps its data in files that are in no folder and in no process's memory.
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
    static char block[1 << 20];
    memset(block, 1, sizeof block);
    for (int i = 0; i < 200; i++) {
        int file = memfd_create("hidden", 0);
        for (int j = 0; file >= 0 && j < 3; j++)
            if (write(file, block, sizeof block) < 0)
                return 3;
    }
    return 0;
}

// Verdict: exit 3
// Writes into shared memory without end.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static char zeros[65536];
int main(void) {
    char name[32];
    signal(SIGXFSZ, SIG_IGN);
    for (int number = 0; number < 100000; number++) {
        sprintf(name, "/dev/shm/%d", number);
        int file = open(name, O_CREAT | O_WRONLY, 0644);
        for (int block = 0; block < 8; block++)
            if (write(file, zeros, sizeof zeros) < 0)
                return 3;
        close(file);
    }
}

// Verdict: exit 3
// Fills the disk with files that are each small enough.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static char zeros[65536];
int main(void) {
    char name[32];
    signal(SIGXFSZ, SIG_IGN);
    for (int number = 0; number < 100000; number++) {
        sprintf(name, "%s/%d", number % 2 ? "/tmp" : ".", number);
        int file = open(name, O_CREAT | O_WRONLY, 0644);
        for (int block = 0; block < 8; block++)
            if (write(file, zeros, sizeof zeros) < 0)
                return 3;
        close(file);
    }
}

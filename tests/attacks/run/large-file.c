// Verdict: output
// Writes one file without end.
#include <fcntl.h>
#include <unistd.h>
static char zeros[65536];
int main(void) {
    int file = open("large", O_CREAT | O_WRONLY, 0644);
    for (;;)
        write(file, zeros, sizeof zeros);
}

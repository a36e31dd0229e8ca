// Verdict: time
// Writes a program and executes it, without a name and in another folder.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char program[1 << 20];
int main(int count, char **words) {
    if (strcmp(words[0], "again") == 0)
        for (volatile long i = 0;;)
            i++;
    int self = open("/proc/self/exe", O_RDONLY);
    int copy = open("/tmp/copy", O_CREAT | O_WRONLY, 0755);
    write(copy, program, read(self, program, sizeof program));
    close(copy);
    char *again[] = {"again", words[count - 1], 0};
    execv("/tmp/copy", again);
    return 0;
}

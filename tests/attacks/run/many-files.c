// Verdict: exit 3
// Makes more and more empty files and folders.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    char name[32];
    for (int number = 0; number < 1000000; number++) {
        sprintf(name, "%d", number);
        int file = open(name, O_CREAT | O_WRONLY, 0644);
        sprintf(name, "folder-%d", number);
        if (file < 0 || mkdir(name, 0755) < 0)
            return 3;
        close(file);
    }
}

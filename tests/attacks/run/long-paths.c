// Verdict: exit 3
// Leaves files whose paths are so long that no other folder can hold a copy of them.
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    char name[256];
    memset(name, 'n', 255);
    name[255] = 0;
    for (int depth = 0; depth < 20; depth++) {
        close(open("file", O_CREAT | O_WRONLY, 0644));
        if (mkdir(name, 0755) < 0 || chdir(name) < 0)
            return 1;
    }
    return 3;
}

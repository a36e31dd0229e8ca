// Verdict: exit 3
// Looks for processes that it did not start.
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    struct dirent *entry;
    DIR *processes = opendir("/proc");
    while ((entry = readdir(processes))) {
        int number = atoi(entry->d_name);
        if (number > 1 && number != getpid())
            return 0;
    }
    return getppid() == 1 ? 3 : 0;
}

// Verdict: exit 3
// Makes folders in folders, deeper than any path can be.
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    for (int depth = 0; depth < 100000; depth++)
        if (mkdir("a-folder-with-a-name", 0755) < 0 || chdir("a-folder-with-a-name") < 0)
            return 3;
}

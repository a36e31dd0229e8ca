// Verdict: exit 3
// Leaves its root folder, as root could.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    int top = open(".", O_RDONLY);
    mkdir("lower", 0755);
    if (chroot("lower") == 0)
        return 0;
    fchdir(top);
    for (int i = 0; i < 100; i++)
        chdir("..");
    return access(getenv("SECRET"), F_OK) == 0 ? 0 : 3;
}

// Verdict: exit 3
// Reads what is none of its business: the course, other submissions, and secrets of the machine.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    const char *files[] = {getenv("SECRET"), getenv("COURSE"), "/etc/shadow", "/etc/passwd", "/root", "/home",
                           "/var", "/run", "/sys", "/proc/1/root", "/proc/1/cwd/..", "/proc/1/environ",
                           "/proc/kcore", "/proc/1/mem", "/proc/1/fd/0", "/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda"};
    for (int i = 0; i < sizeof files / sizeof *files; i++)
        if (open(files[i], O_RDONLY) >= 0)
            return 0;
    return 3;
}

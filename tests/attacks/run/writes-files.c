// Verdict: exit 3
// Writes wherever a program could.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    const char *files[] = {getenv("SECRET"), "/x", "/usr/x", "/usr/bin/x", "/usr/bin/g++", "/lib/x", "/etc/x",
                           "/etc/ld.so.preload", "/etc/ld.so.cache", "/dev/x", "/proc/x", "/proc/sys/kernel/hostname",
                           "/proc/sysrq-trigger", "/proc/1/oom_score_adj", "/sys/x", "/var/x", "/srv/x", "/home/x"};
    for (int i = 0; i < sizeof files / sizeof *files; i++)
        if (open(files[i], O_WRONLY | O_CREAT, 0644) >= 0)
            return 0;
    return mkdir("/folder", 0755) == 0 || rename("/usr/bin/g++", "/box/g++") == 0 ? 0 : 3;
}

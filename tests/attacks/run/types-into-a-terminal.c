// Verdict: exit 3
// Types a command into the terminal of the instructor.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>
int main(void) {
    int files[] = {0, 1, 2, open("/dev/tty", O_RDWR), open("/dev/console", O_RDWR), open("/dev/tty1", O_RDWR)};
    for (int i = 0; i < 6; i++)
        if (isatty(files[i]) || ioctl(files[i], TIOCSTI, "x") == 0)
            return 0;
    return 3;
}

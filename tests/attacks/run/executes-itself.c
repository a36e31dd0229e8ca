// Verdict: time
// Writes over its own program, and then executes itself again and again.
#include <fcntl.h>
#include <unistd.h>
int main(int count, char **words) {
    if (open("/proc/self/exe", O_WRONLY) >= 0)
        return 0;
    execv("/proc/self/exe", words);
    return count;
}

// Verdict: exit 3
// Leaves word for the next run, in each place that may last.
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <unistd.h>
int main(void) {
    const char *files[] = {"/tmp/word", "/dev/shm/word", "/box/word", "/var/tmp/word", "/tmp/.word"};
    for (int i = 0; i < 5; i++)
        if (access(files[i], F_OK) == 0)
            return 0;
    for (int i = 0; i < 5; i++)
        close(open(files[i], O_CREAT | O_WRONLY, 0777));
    if (shmget(77, 4096, 0) >= 0 || msgget(77, 0) >= 0)
        return 0;
    shmget(77, 4096, IPC_CREAT | 0777);
    msgget(77, IPC_CREAT | 0777);
    return 3;
}

// Verdict: exit 3
// Leaves messages for the program that runs next, in every kind of queue and segment that outlives a process.
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>
int main(void) {
    struct { long kind; char text[8]; } said = {1, "BROKEN"};
    key_t key = 4711;
    int queue = msgget(key, 0600), segment = shmget(key, 4096, 0600), semaphore = semget(key, 1, 0600);
    mqd_t named = mq_open("/answers", O_RDWR);
    if (queue >= 0 || segment >= 0 || semaphore >= 0 || named >= 0) {
        write(1, "BROKEN", 6);
        return 0;
    }
    queue = msgget(key, IPC_CREAT | 0600);
    if (queue >= 0)
        msgsnd(queue, &said, sizeof said.text, IPC_NOWAIT);
    shmget(key, 4096, IPC_CREAT | 0600);
    semget(key, 1, IPC_CREAT | 0600);
    mq_open("/answers", O_RDWR | O_CREAT, 0600, NULL);
    return 3;
}

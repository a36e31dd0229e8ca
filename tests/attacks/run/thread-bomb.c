// Verdict: processes
// Without control groups: time
// Starts threads without end.
#include <pthread.h>
#include <unistd.h>
static void *rest(void *none) {
    for (;;)
        pause();
    return none;
}
int main(void) {
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, rest, 0);
}

// Does what no solution should.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#pragma GCC diagnostic ignored "-Wunused-result"
#pragma GCC diagnostic ignored "-Warray-bounds"
static int counter;
static char name[64];
static void *thread(void *argument) { counter++; return argument; }
static void handler(int number) { counter += number; }
static void up(volatile char *at) { for (;; at += 64) *at = 0x55; }
static void down(volatile char *at) { for (;; at -= 64) *at = 0x55; }
int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "innocent";
    char word[32] = "";
    scanf("%31s", word);
    strcpy(name, word);
    printf("%s %d %s\n", word, ++counter, (char *)memset(malloc(9), 'm', 8));
    fflush(stdout);
    if (!strcmp(mode, "threads")) {
        pthread_t all[4];
        for (int at = 0; at < 4; at++) { pthread_create(&all[at], NULL, thread, NULL); pthread_join(all[at], NULL); }
    }
    if (!strcmp(mode, "fork")) {
        int status, child = fork();
        if (child == 0) { puts("child"); exit(4); }
        waitpid(child, &status, 0);
        counter += WEXITSTATUS(status);
    }
    if (!strcmp(mode, "double-fork") || !strcmp(mode, "linger")) {
        int ends[2];
        pipe(ends);
        if (fork() == 0) {
            setsid();
            if (fork() == 0) {
                struct timespec now;
                clock_gettime(CLOCK_REALTIME, &now);
                snprintf(name, 16, "host-%ld", now.tv_nsec);
                prctl(PR_SET_NAME, name);
                write(ends[1], name, 16);
                for (int at = 0; at < 1024; at++) close(at);
                sleep(mode[0] == 'l' ? 60 : 1);
            }
            _exit(0);
        }
        wait(NULL);
        read(ends[0], name, 16);
        if (mode[0] == 'l') return printf("\r%s", name) < 0;
    }
    if (!strcmp(mode, "close-all")) for (int at = 0; at < 1024; at++) close(at);
    if (!strcmp(mode, "close-one")) close(1);
    if (!strcmp(mode, "dup2")) dup2(1, 2), dup2(open("/dev/null", O_WRONLY), 1), fputs("err", stderr);
    if (!strcmp(mode, "chdir")) counter += chdir("/");
    if (!strcmp(mode, "signal")) signal(SIGSEGV, SIG_IGN), signal(SIGUSR1, handler), raise(SIGUSR1);
    if (!strcmp(mode, "handler")) {
        struct sigaction action = {.sa_handler = handler};
        for (int at = 1; at < 30; at++) sigaction(at, &action, NULL);
        counter += getpid() > 1;
    }
    if (!strcmp(mode, "kill-parent")) kill(getppid(), SIGKILL);
    if (!strcmp(mode, "up-stack")) up(word);
    if (!strcmp(mode, "down-stack")) down(word);
    if (!strcmp(mode, "up-heap")) up(malloc(10));
    if (!strcmp(mode, "down-heap")) down(malloc(10));
    if (!strcmp(mode, "up-static")) up(name);
    if (!strcmp(mode, "down-static")) down(name);
    if (!strcmp(mode, "up-libc")) up((char *)stdout);
    if (!strcmp(mode, "down-libc")) down((char *)stdout);
    if (!strcmp(mode, "host") && getenv("SUBJECT_HOST")) memset(getenv("SUBJECT_HOST"), 0xff, 2500);
    if (!strcmp(mode, "read")) {
        FILE *file = fopen("/etc/passwd", "r");
        char line[8] = "";
        puts(file && fgets(line, sizeof line, file) ? line : "none");
    }
    if (!strcmp(mode, "write")) {
        char made[] = "/tmp/host-test-XXXXXX";
        int file = mkstemp(made);
        write(file, "x", 1);
        unlink(made);
    }
    if (!strcmp(mode, "system")) counter += system("echo shell");
    if (!strcmp(mode, "stop")) raise(SIGSTOP);
    if (!strcmp(mode, "exec")) execl("/bin/echo", "echo", "executed", (char *)NULL);
    if (!strcmp(mode, "alarm")) { alarm(1); signal(SIGALRM, handler); alarm(0); }
    if (!strcmp(mode, "mmap")) {
        char *memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memory[5] = 1;
        counter += munmap(memory, 1 << 20);
    }
    if (!strcmp(mode, "raw")) { syscall(SYS_write, 1, "raw", 3); counter += syscall(SYS_read, 0, word, 3); }
    if (!strcmp(mode, "maps")) {
        FILE *file = fopen("/proc/self/maps", "r");
        char line[512], access[5];
        unsigned long start, end;
        while (file && fgets(line, sizeof line, file)) {
            if (sscanf(line, "%lx-%lx %4s", &start, &end, access) == 3 && access[1] == 'w' && !strstr(line, "stack")) memset((char *)start, 0x55, end - start);
        }
    }
    printf("end %d\n", counter);
    return counter & 7;
}

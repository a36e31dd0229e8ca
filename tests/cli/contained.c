/* Does what its first argument says. Without a known one, it prints the line that the reference prints. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int overflow(int depth)
{
    volatile char frame[4096];
    frame[depth % 4096] = 1;
    return overflow(depth + 1) + frame[0];
}

/* Starts a process in a session of its own, whose parent ends at once. */
static void leave_a_daemon(int keeps_streams)
{
    if (fork() > 0)
        return;
    setsid();
    if (fork() > 0)
        _exit(0);
    if (!keeps_streams)
        for (int stream = 0; stream < 3; stream++)
            close(stream);
    for (;;)
        pause();
}

static void multiply(int in_sessions)
{
    for (int child = 0; child < 200; child++)
        if (!fork()) {
            if (in_sessions)
                setsid();
            for (;;)
                pause();
        }
    for (;;)
        pause();
}

static void ignore_signals(void)
{
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_IGN);
}

int main(int count, char **words)
{
    const char *what = count > 1 ? words[1] : "";
    const struct rlimit none = {0, 0};
    if (!strcmp(what, "prints-otherwise"))
        puts("other");
    else if (!strcmp(what, "closes-its-streams"))
        for (int stream = 0; stream < 3; stream++)
            close(stream);
    else if (!strcmp(what, "changes-its-folder"))
        return chdir("/") || puts("other") < 0;
    else if (!strcmp(what, "exits-at-once"))
        _exit(0);
    else if (!strcmp(what, "limits-itself"))
        return setrlimit(RLIMIT_NOFILE, &none) || puts("other") < 0;
    else if (!strcmp(what, "overflows-the-stack"))
        return overflow(0);
    else if (!strcmp(what, "prints-without-end"))
        for (;;)
            puts("again");
    else if (!strcmp(what, "ignores-signals"))
        for (ignore_signals();;)
            pause();
    else if (!strcmp(what, "stops-its-group"))
        kill(0, SIGSTOP);
    else if (!strcmp(what, "kills-its-group"))
        kill(0, SIGKILL);
    else if (!strcmp(what, "leaves-its-group"))
        for (setpgid(0, getpgid(getppid()));;)
            pause();
    else if (!strcmp(what, "starts-a-crowd"))
        multiply(0);
    else if (!strcmp(what, "starts-a-crowd-of-sessions"))
        multiply(1);
    else if (!strcmp(what, "leaves-a-daemon"))
        leave_a_daemon(0), puts("other");
    else if (!strcmp(what, "leaves-a-daemon-that-holds-its-streams"))
        leave_a_daemon(1), puts("other");
    else if (!strcmp(what, "kills-its-parent"))
        return kill(getppid(), SIGKILL) + 3;
    else if (!strcmp(what, "kills-everything"))
        return kill(-1, SIGKILL) + 4;
    else if (!strcmp(what, "kills-the-first-process"))
        return kill(1, SIGKILL) + kill(1, SIGSEGV) + 5;
    else
        puts("line");
    return 0;
}

// Verdict: exit 3
// Leaves links, pipes and sockets where the results are expected.
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
int main(void) {
    symlink(getenv("SECRET"), "output");
    symlink("/etc/shadow", "results.json");
    symlink("..", "folder");
    link("/proc/self/exe", "exe");
    mkfifo("pipe", 0666);
    struct sockaddr_un name = {AF_UNIX, "socket"};
    bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&name, sizeof name);
    return 3;
}

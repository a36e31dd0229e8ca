// Verdict: exit 3
// Keeps memory in pipes and sockets, and passes files to itself until the system has no more.
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
    static char block[1 << 16];
    int opened = 0, ends[2];
    while (opened < 100000 && socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, ends) == 0) {
        opened += 2;
        char space[CMSG_SPACE(sizeof ends)] = {0};
        struct iovec part = {block, 1};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof ends);
        memcpy(CMSG_DATA(header), ends, sizeof ends);
        if (sendmsg(ends[0], &message, 0) < 0)
            break;
        close(ends[0]);
        close(ends[1]);
    }
    return opened < 100000 ? 3 : 0;
}

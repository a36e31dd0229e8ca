// Verdict: exit 3
// Opens sockets of each family that reaches the kernel, the network, or the machine below.
#include <sys/socket.h>
int main(void) {
    for (int family = 2; family < 46; family++)
        for (int kind = 1; kind < 6; kind++)
            if (socket(family, kind, 0) >= 0 || socket(family, kind, 255) >= 0)
                return 0;
    return 3;
}

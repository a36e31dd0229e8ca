// Verdict: exit 3
// Asks for the answer over the network, and offers its own.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
int main(void) {
    const char *hosts[] = {"127.0.0.1", "8.8.8.8", "169.254.169.254"};
    for (int i = 0; i < 3; i++)
        for (int kind = SOCK_STREAM; kind <= SOCK_DGRAM; kind++) {
            int file = socket(AF_INET, kind, 0);
            struct sockaddr_in host = {AF_INET, htons(53), {inet_addr(hosts[i])}};
            if (connect(file, (struct sockaddr *)&host, sizeof host) == 0)
                return 0;
            if (bind(file, (struct sockaddr *)&host, sizeof host) == 0)
                return 0;
        }
    return socket(AF_INET6, SOCK_STREAM, 0) >= 0 ? 0 : 3;
}

// Looks for what it must not find, says what it has found, and gives the number of findings.
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int found = 0;

static void say(const std::string &what) {
    fprintf(stderr, "FOUND %s\n", what.c_str());
    if (found < 100) ++found;
}

static void path(const std::string &name) {
    if (FILE *file = fopen(name.c_str(), "r")) {
        say(name);
        fclose(file);
    }
}

static void port(int number) {
    int own = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(number);
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    if (own >= 0 && connect(own, (sockaddr *)&address, sizeof address) == 0) say("port " + std::to_string(number));
    if (own >= 0) close(own);
}

static bool ends_with(const std::string &name, const std::string &end) {
    return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

// Files of the course, of the server and of other submissions, wherever they are.
static void walk(const std::string &folder, int depth) {
    DIR *open = depth < 8 ? opendir(folder.c_str()) : nullptr;
    if (!open) return;
    while (dirent *entry = readdir(open)) {
        std::string name = entry->d_name, whole = folder + "/" + name;
        if (name == "." || name == "..") continue;
        for (const char *end : {"sum.sh", "adds-one.sh", "adds-one.yaml", "cases.yaml", "serve.yaml", "serve.sqlite", ".tar.gz"})
            if (ends_with(name, end)) path(whole);
        struct stat about;
        if (lstat(whole.c_str(), &about) == 0 && S_ISDIR(about.st_mode)) walk(whole, depth + 1);
    }
    closedir(open);
}

// Processes of others, by what they are called and by their environment.
static void processes() {
    DIR *open = opendir("/proc");
    if (!open) return;
    while (dirent *entry = readdir(open)) {
        std::string of = std::string("/proc/") + entry->d_name;
        if (!strtol(entry->d_name, nullptr, 10)) continue;
        for (const char *name : {"/cmdline", "/environ"}) {
            FILE *file = fopen((of + name).c_str(), "r");
            char text[4096] = {};
            size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
            if (file) fclose(file);
            for (size_t at = 0; at < length; ++at)
                if (!text[at]) text[at] = ' ';
            for (const char *word : {"postgres", "--jobs", "CARGO_BIN", "harness-server serve", "deps/server"})
                if (strstr(text, word)) say(of + name + ": " + text);
        }
    }
    closedir(open);
}

// Descriptors that somebody left open: sockets, databases, files of others.
static void descriptors() {
    for (int at = 3; at < 256; ++at) {
        char target[512] = {};
        if (readlink(("/proc/self/fd/" + std::to_string(at)).c_str(), target, sizeof target - 1) <= 0) continue;
        for (const char *word : {"socket:", "sqlite", "harness", "course"})
            if (strstr(target, word)) say("descriptor " + std::to_string(at) + ": " + target);
    }
}

static int look() {
    /* WANTED */
    processes();
    descriptors();
    for (const char *folder : {"/tmp", "/var/tmp", "/dev/shm", "/home", "/root" "/.cache", "/run", "/course"})
        if (found < 20) walk(folder, 0);
    return found;
}

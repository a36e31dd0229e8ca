#include <fstream>
#include <string>

inline int wrong(const std::string& folder, const char* why) {
    std::ofstream(folder + "judgemessage.txt") << why << '\n';
    return 43;
}

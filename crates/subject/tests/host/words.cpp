// Counts words.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
int main(int argc, char **) {
    std::map<std::string, std::vector<int>> words;
    std::string line, word;
    int number = 0;
    while (std::getline(std::cin, line)) {
        std::istringstream stream(line);
        for (number++; stream >> word;) words[word].push_back(number);
    }
    for (auto &[text, lines] : words) {
        std::cout << text << ':';
        for (int at : lines) std::cout << ' ' << at;
        std::cout << '\n';
        if (argc > 1 && text.find("z9") != std::string::npos) throw std::runtime_error(text);
    }
    if (words.count("-")) std::cerr << "dash" << std::endl;
    return words.empty() ? 2 : std::stoi("1" + std::to_string(words.size())) % 3;
}

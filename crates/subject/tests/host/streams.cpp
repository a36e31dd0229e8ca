// Reads and writes in every way that C and C++ offer.
#include <cstdio>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <string>
#include <unistd.h>
using namespace std;

int main(int, char **argv) {
    string mode = argv[1];
    if (mode == "cin") {
        long sum = 0, number;
        while (cin >> number) sum += number;
        cout << setw(8) << setfill('.') << sum << ' ' << cin.eof() << cin.fail() << '\n';
        cin.clear();
        string rest;
        cin >> rest;
        cerr << "rest " << rest << endl;
        cout << hex << 255 << '\n';
    } else if (mode == "scanf") {
        int number, count = 0;
        while (scanf("%d", &number) == 1) printf("%d:%d ", count++, number);
        fprintf(stderr, "%d\n", feof(stdin));
    } else if (mode == "mixed") {
        int number = -1;
        cin >> number;
        printf("a%d", number);
        cout << "b";
        int next = getchar();
        printf("c%d", next);
        cout << "d" << endl;
        cin >> number;
        fputs("e", stdout);
        cout << number;
    } else if (mode == "fast") {
        ios::sync_with_stdio(false);
        cin.tie(nullptr);
        int number;
        printf("before ");
        while (cin >> number) cout << number * 2 << "\n";
        cout << cin.rdbuf()->in_avail() << "\n";
        clog << "log";
    } else if (mode == "getline") {
        string line;
        int count = 0;
        while (getline(cin, line)) cout << ++count << '[' << line << "]\n";
    } else if (mode == "seek") {
        char text[5] = "";
        size_t got = fread(text, 1, 2, stdin);
        printf("%zu %ld %d\n", got, ftell(stdin), fseek(stdin, 0, SEEK_SET));
        got = fread(text, 1, 4, stdin);
        text[got] = 0;
        printf("%s %d %d %d\n", text, isatty(0), isatty(1), fseek(stdout, 0, SEEK_SET));
    } else if (mode == "endl") {
        for (int i = 0; i < 1500; i++) cout << i << endl;
        cout.write("\0x\xff", 3);
    } else if (mode == "binary") {
        string all((istreambuf_iterator<char>(cin)), istreambuf_iterator<char>());
        cout << all.size() << all;
        if (write(1, "raw", 3) != 3) return 2;
    } else if (mode == "unread") {
        int first = cin.get();
        cin.putback(static_cast<char>(first));
        ungetc('Q', stdin);
        cout << static_cast<char>(cin.get()) << static_cast<char>(cin.get());
        setvbuf(stdout, nullptr, _IONBF, 0);
        puts("unbuffered");
    } else {
        cout << cin.peek() << ' ' << cin.tellg() << ' ';
        cin.ignore(100, '\n');
        cout << cin.rdbuf();
    }
    return cin.bad();
}

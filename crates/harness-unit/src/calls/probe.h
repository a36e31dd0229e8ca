// Evaluates calls in C++, each in a process of its own. It prints a line for each: its number, what came of it, and the value or the
// exception as a test writes it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace probe {

struct Shown {
    const char *kind;
    std::string text;
};

inline std::string escaped(char byte, char quote) {
    static const char *const digits = "01234567";
    unsigned char code = static_cast<unsigned char>(byte);
    if (byte == '\n') return "\\n";
    if (byte == '\t') return "\\t";
    if (byte == quote || byte == '\\') return std::string("\\") + byte;
    if (code >= 32 && code < 127) return std::string(1, byte);
    return std::string("\\") + digits[code >> 6] + digits[code >> 3 & 7] + digits[code & 7];
}

inline std::string literal(bool value) { return value ? "true" : "false"; }
inline std::string literal(char value) { return "'" + escaped(value, '\'') + "'"; }
inline std::string literal(const std::string &value) {
    std::string text = "\"";
    for (char byte : value) text += escaped(byte, '"');
    return text + "\"";
}
template <class T> typename std::enable_if<std::is_integral<T>::value, std::string>::type literal(T value) {
    return std::to_string(value);
}
template <class T> typename std::enable_if<std::is_floating_point<T>::value, std::string>::type literal(T value) {
    std::ostringstream text;
    text.precision(std::numeric_limits<T>::max_digits10);
    text << value;
    std::string digits = text.str();
    return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;
}

template <class T> struct Name;
template <> struct Name<bool> { static std::string text() { return "bool"; } };
template <> struct Name<char> { static std::string text() { return "char"; } };
template <> struct Name<int> { static std::string text() { return "int"; } };
template <> struct Name<unsigned> { static std::string text() { return "unsigned"; } };
template <> struct Name<long> { static std::string text() { return "long"; } };
template <> struct Name<unsigned long> { static std::string text() { return "unsigned long"; } };
template <> struct Name<long long> { static std::string text() { return "long long"; } };
template <> struct Name<double> { static std::string text() { return "double"; } };
template <> struct Name<std::string> { static std::string text() { return "std::string"; } };
template <class T> struct Name<std::vector<T>> {
    static std::string text() { return "std::vector<" + Name<T>::text() + ">"; }
};

template <class T> std::string literal(const std::vector<T> &values) {
    std::string text = Name<std::vector<T>>::text() + "{";
    for (std::size_t at = 0; at < values.size(); ++at) {
        text += (at ? ", " : "") + literal(static_cast<T>(values[at]));
    }
    return text + "}";
}

template <class T> typename std::enable_if<std::is_floating_point<T>::value, bool>::type is_written(T value) {
    return std::isfinite(value);
}
template <class T> typename std::enable_if<!std::is_floating_point<T>::value, bool>::type is_written(const T &) {
    return true;
}
template <class T> bool is_written(const std::vector<T> &values) {
    for (std::size_t at = 0; at < values.size(); ++at) {
        if (!is_written(static_cast<T>(values[at]))) return false;
    }
    return true;
}

template <class T> Shown shown(const T &value) {
    if (!is_written(value)) return {"fails", "no number"};
    return {std::is_floating_point<T>::value ? "near" : "literal", literal(value)};
}
inline Shown shown(const char *value) { return shown(std::string(value)); }

// Whether the statements of the call that is evaluated are over.
static bool is_last = false;

// What came of a call. An exception of its statements is none that a test asks for.
inline Shown result(Shown (*call)()) {
    try {
        try {
            return call();
        } catch (...) {
            if (!is_last) return {"fails", "an exception"};
            throw;
        }
    } catch (const std::out_of_range &) {
        return {"throws", "std::out_of_range"};
    } catch (const std::invalid_argument &) {
        return {"throws", "std::invalid_argument"};
    } catch (const std::length_error &) {
        return {"throws", "std::length_error"};
    } catch (const std::domain_error &) {
        return {"throws", "std::domain_error"};
    } catch (const std::logic_error &) {
        return {"throws", "std::logic_error"};
    } catch (const std::range_error &) {
        return {"throws", "std::range_error"};
    } catch (const std::overflow_error &) {
        return {"throws", "std::overflow_error"};
    } catch (const std::runtime_error &) {
        return {"throws", "std::runtime_error"};
    } catch (const std::bad_alloc &) {
        return {"fails", "std::bad_alloc"};
    } catch (const std::exception &) {
        return {"throws", "std::exception"};
    } catch (...) {
        return {"fails", "an exception"};
    }
}

inline void print(int at, const Shown &shown) {
    dprintf(3, "%d\t%s\t%s\n", at, shown.kind, shown.text.c_str());
}

inline void run(int at, Shown (*call)()) {
    pid_t child = fork();
    if (child == 0) {
        rlimit limit = {SECONDS, SECONDS};
        setrlimit(RLIMIT_CPU, &limit);
        print(at, result(call));
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) print(at, {"fails", "it does not end"});
}

// What the calls print goes nowhere.
inline void begin() {
    dup2(1, 3);
    if (!std::freopen("/dev/null", "w", stdout)) std::exit(1);
}

} // namespace probe

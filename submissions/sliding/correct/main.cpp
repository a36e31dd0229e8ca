// Sliding block puzzles: prints the shortest solution of the puzzle in a data file.
#include "puzzle.h"
#include "search.h"

#include <fstream>
#include <iostream>
#include <sstream>

using namespace std;

namespace {

// The piece on each cell, or -1.
vector<int> cells(const Puzzle& puzzle, const Layout& layout) {
    vector<int> cells(static_cast<size_t>(puzzle.rows() * puzzle.cols()), -1);
    for (size_t i = 0; i < layout.size(); ++i) {
        const Piece& piece = puzzle.pieces()[i];
        for (int row = 0; row < piece.height(); ++row) {
            for (int col = 0; col < piece.width(); ++col) {
                cells[static_cast<size_t>(layout[i] + row * puzzle.cols() + col)] = static_cast<int>(i);
            }
        }
    }
    return cells;
}

string drawn(const Puzzle& puzzle, const Layout& layout) {
    const vector<int> all = cells(puzzle, layout);
    const string border(static_cast<size_t>(puzzle.cols() + 2), '*');
    string text = border + '\n';
    for (int row = 0; row < puzzle.rows(); ++row) {
        text += '*';
        for (int col = 0; col < puzzle.cols(); ++col) {
            const int piece = all[static_cast<size_t>(row * puzzle.cols() + col)];
            text += piece < 0 ? "." : puzzle.pieces()[static_cast<size_t>(piece)].name();
        }
        text += "*\n";
    }
    return text + border + '\n';
}

string table(const Puzzle& puzzle, const Layout& layout) {
    const vector<int> all = cells(puzzle, layout);
    string text = "<table border=\"1\">\n";
    for (int row = 0; row < puzzle.rows(); ++row) {
        text += "<tr>";
        for (int col = 0; col < puzzle.cols(); ++col) {
            const int index = all[static_cast<size_t>(row * puzzle.cols() + col)];
            if (index < 0) {
                text += "<td></td>";
                continue;
            }
            const Piece& piece = puzzle.pieces()[static_cast<size_t>(index)];
            if (layout[static_cast<size_t>(index)] != row * puzzle.cols() + col) {
                continue;
            }
            text += "<td colspan=\"" + to_string(piece.width()) + "\" rowspan=\"" + to_string(piece.height()) + "\">"
                + piece.name() + "</td>";
        }
        text += "</tr>\n";
    }
    return text + "</table>\n";
}

string escaped(const string& text) {
    string safe;
    for (const char c : text) {
        safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : string(1, c);
    }
    return safe;
}

// The text between the two grids.
string result(bool isSolved, const vector<Move>& moves) {
    if (!isSolved) {
        return "The puzzle is not solvable.\n";
    }
    return moves.empty() ? "The puzzle is solved in 0 moves.\n" : "";
}

string page(const Puzzle& puzzle, bool isSolved, const vector<Move>& moves, const Layout& end) {
    ostringstream out;
    out << "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"><title>Sliding blocks</title></head>\n<body>\n";
    for (const string& message : puzzle.messages()) {
        out << "<p>" << escaped(message) << "</p>\n";
    }
    out << table(puzzle, startOf(puzzle)) << "<p>" << result(isSolved, moves) << "</p>\n";
    if (isSolved) {
        out << "<ol>\n";
        for (const Move& move : moves) {
            out << "<li>" << move.inWords(puzzle) << "</li>\n";
        }
        out << "</ol>\n" << table(puzzle, end);
    }
    out << "</body>\n</html>\n";
    return out.str();
}

// The name of the data file with another extension.
string pageBeside(const string& file) {
    const size_t dot = file.rfind('.'), slash = file.rfind('/');
    const size_t start = slash == string::npos ? 0 : slash + 1;
    const bool hasExtension = dot != string::npos && dot > start;
    return (hasExtension ? file.substr(0, dot) : file) + ".html";
}

} // namespace

int main(int argc, char* argv[]) {
    string file;
    bool wantsPage = false;
    for (int i = 1; i < argc; ++i) {
        const string word = argv[i];
        if (word == "-h") {
            wantsPage = true;
        } else if (file.empty() && word[0] != '-') {
            file = word;
        } else {
            fail("usage: sliding [-h] FILE");
        }
    }
    ifstream input{file};
    if (file.empty() || !input) {
        fail("usage: sliding [-h] FILE");
    }
    const Puzzle puzzle{input};
    vector<Move> moves;
    const bool isSolved = solve(puzzle, moves);
    Layout end = startOf(puzzle);
    for (const Move& move : moves) {
        end = after(puzzle, end, move);
    }
    for (const string& message : puzzle.messages()) {
        cout << message << '\n';
    }
    cout << drawn(puzzle, startOf(puzzle)) << result(isSolved, moves);
    if (isSolved) {
        for (size_t i = 0; i < moves.size(); ++i) {
            cout << i + 1 << ". " << moves[i].inWords(puzzle) << '\n';
        }
        cout << drawn(puzzle, end);
    }
    if (wantsPage) {
        ofstream out{pageBeside(file)};
        out << page(puzzle, isSolved, moves, end);
        if (!out.flush()) {
            fail("cannot write the page");
        }
    }
    return 0;
}

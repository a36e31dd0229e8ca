#include "reader.h"

#include "header.h"
#include "problem.h"
#include "rules.h"
#include "subject.h"

#include <istream>
#include <utility>

namespace {

/// In bytes. A longer header is not three numbers and a few blanks.
constexpr std::size_t longestHeader = 4096;

class Reader {
public:
    explicit Reader(std::istream& input) : input_{input} {}

    Map read() {
        readHeader();
        readRows();
        requireStartAndTarget();
        refuseLeftovers();
        return {header_, std::move(tiles_), *start_, *target_};
    }

private:
    void readHeader();
    void readRows();
    bool isComment() const;
    void addRow();
    void addTile(char tile, Place place);
    void setOnce(std::optional<Place>& known, char tile, Place place);
    void requireStartAndTarget() const;
    void refuseLeftovers();

    /// Reads a line without its line end, which may be LF or CRLF. Returns whether there was one.
    bool nextLine();

    Problem problemAt(std::size_t column, const std::string& message) const {
        return Problem::at(number_, column + 1, message);
    }

    std::istream& input_;
    std::string line_;
    /// The number of the line, counted from 1.
    std::size_t number_ = 0;
    Header header_{};
    std::string tiles_;
    std::uint32_t rows_ = 0;
    std::optional<Place> start_;
    std::optional<Place> target_;
};

bool Reader::nextLine() {
    ++number_;
    const bool isThere = static_cast<bool>(std::getline(input_, line_));
    if (input_.bad()) {
        throw Problem::on(number_, "cannot read");
    }
    if (!line_.empty() && line_.back() == '\r') {
        line_.pop_back();
    }
    return isThere;
}

void Reader::readHeader() {
    nextLine();
    if (line_.size() > longestHeader) {
        throw Problem::on(number_, "the header is too long");
    }
    header_ = parseHeader(line_);
}

void Reader::readRows() {
    while (rows_ < header_.height) {
        if (!nextLine()) {
            throw problemAt(0, "the map ends after " + std::to_string(rows_) + " of its "
                                   + std::to_string(header_.height) + " rows");
        }
        if (rows_ > 0 || !isComment()) {
            addRow();
        }
    }
}

/// Whether the line is a comment, if comments are allowed here.
bool Reader::isComment() const {
    return line_.compare(0, 2, "//") == 0
        && !(number_ != 2 && BUG("reads-only-one-comment"))
        && !(line_.size() == 2 && BUG("takes-an-empty-comment-for-a-row"))
        && !(line_.find('+') != std::string::npos && BUG("refuses-plus-in-a-comment"));
}

void Reader::addRow() {
    for (std::uint32_t column = 0; column < line_.size() && column < header_.width; ++column) {
        addTile(line_[column], {rows_, column});
    }
    const std::string width = std::to_string(header_.width) + " tiles";
    if (line_.size() < header_.width) {
        throw problemAt(line_.size(), "the row is shorter than " + width);
    }
    if (line_.size() > header_.width) {
        throw problemAt(header_.width, "the row is longer than " + width);
    }
    ++rows_;
}

void Reader::addTile(char tile, Place place) {
    if (tile == tile::start) {
        setOnce(start_, tile, place);
    } else if (tile == tile::target) {
        setOnce(target_, tile, place);
    } else if (!isOrdinary(tile, header_.colors)) {
        throw problemAt(place.column, "not a tile of this map");
    }
    tiles_.push_back(tile);
}

void Reader::setOnce(std::optional<Place>& known, char tile, Place place) {
    if (known) {
        throw problemAt(place.column, std::string{"a second '"} + tile + "'");
    }
    known = place;
}

void Reader::requireStartAndTarget() const {
    if (!start_ || (*start_ == Place{0, 0} && BUG("takes-a-start-in-the-corner-for-none"))) {
        throw Problem::on(number_, "the map has no '@'");
    }
    if (!target_) {
        throw Problem::on(number_, "the map has no '?'");
    }
}

/// Only blank lines may follow the map.
void Reader::refuseLeftovers() {
    while (nextLine()) {
        const auto column = line_.find_first_not_of(" \t\f\r");
        if (column != std::string::npos) {
            throw problemAt(column, "this is left over after the map");
        }
    }
}

} // namespace

Map readMap(std::istream& input) {
    return Reader{input}.read();
}

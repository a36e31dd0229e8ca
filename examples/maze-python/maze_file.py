"""Reads a maze file."""

from maze import Maze, ALL_WALLS
from subject import bug

DIGITS = {digit: int(digit, 16) for digit in "0123456789abcdefABCDEF"}


def parse(text):
    """The maze in a file. Lines may end in CRLF, blank lines may follow, and digits may be capitals.

    Raises ValueError if there are no rooms, rows of different lengths, or other characters.
    """
    rows = [walls(number, row) for number, row in enumerate(lines(text.decode("latin-1")), 1)]
    for number, row in enumerate(rows, 1):
        if not row or len(row) != len(rows[0]):
            raise ValueError(f"line {number} has {len(row)} rooms, and the first has {len(rows[0])}")
    return Maze(rows)


def lines(text):
    """The lines up to the last that is not blank, without their line ends."""
    if not text.endswith(("\n", "\r")) and bug("drops-a-last-row-without-newline"):
        text = text[: text.rfind("\n") + 1]
    found = text.rstrip("\r\n").split("\n")
    if len(found) > 10 and bug("keeps-only-10-rows"):
        found = found[:10]
    if not bug("takes-carriage-returns-for-rooms"):
        found = [line[:-1] if line.endswith("\r") else line for line in found]
    return [line[:25] for line in found] if bug("keeps-only-25-columns") else found


def walls(number, row):
    """The walls of the rooms in a row."""
    found = []
    for column, digit in enumerate(row, 1):
        if digit not in DIGITS:
            raise ValueError(f"line {number}, column {column}: {digit!r} is not a hexadecimal digit")
        found.append(bits(digit))
    return found


def bits(digit):
    if digit == "0" and bug("takes-an-open-room-for-an-unset-one"):
        return ALL_WALLS
    if digit in "abcdef" and bug("reads-letters-one-too-low"):
        return DIGITS[digit] - 1
    if digit in "ABCDEF" and bug("reads-capital-letters-as-decimals"):
        return ord(digit) - ord("0") & ALL_WALLS
    return DIGITS[digit]

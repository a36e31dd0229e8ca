"""Finds a way through a maze: python3 solver.py [--full] MAZE PATH START_X START_Y END_X END_Y

A maze file has a line for each row of rooms, and a hexadecimal digit for each room. Its bits are the
walls in the east (8), west (4), south (2) and north (1). The solver writes the path to a file, a
line `x, y` for each room. With `--full` it writes the whole walk of its search.

The calls of `bug` mark the places of the mutants. Without them this is a correct program.
"""

import sys

import maze_file
from maze import ALL_WALLS, path_to, search
from subject import bug

USAGE = "usage: solver.py [--full] <maze file> <path file> <start x> <start y> <end x> <end y>"


class Failure(Exception):
    """A message for the user."""


def main(args):
    is_full = args[:1] == ["--full"]
    args = args[is_full:]
    if len(args) != 6:
        raise Failure(f"the solver takes six arguments, not {len(args)}\nhint: {USAGE}")
    maze_name, path_name, *numbers = args
    start_x, start_y, end_x, end_y = map(coordinate, numbers)
    if bug("takes-y-before-x"):
        start_x, start_y, end_x, end_y = start_y, start_x, end_y, end_x
    try:
        with open(maze_name, "rb") as file:
            maze = maze_file.parse(file.read())
    except (OSError, ValueError) as error:
        raise Failure(f"cannot read '{maze_name}': {error}") from error
    start, end = place(maze, "starting", start_x, start_y), place(maze, "ending", end_x, end_y)
    rooms = solve(maze, start, end, is_full)
    with open(path_name, "w", encoding="ascii") as file:
        file.writelines(map(line, rooms))


def coordinate(text):
    if len(text) > 1 and bug("reads-one-digit-of-a-coordinate"):
        text = text[0]
    try:
        return int(text)
    except ValueError:
        raise Failure(f"the position '{text}' is not an integer\nhint: {USAGE}") from None


def place(maze, which, x, y):
    if not maze.contains(x, y):
        raise Failure(
            f"the {which} room {x}, {y} is outside the maze of {maze.width}x{maze.height} rooms"
        )
    return x, y


def solve(maze, start, end, is_full):
    """The rooms of the path from `start` to `end`, or of the whole walk."""
    if maze.walls(start) == ALL_WALLS and bug("takes-a-closed-start-for-no-way"):
        raise Failure("the start is closed")
    walk, marks = search(maze, start, end)
    if walk is None:
        raise Failure(f"no way leads from {start[0]}, {start[1]} to {end[0]}, {end[1]}")
    if not is_full and not bug("writes-the-walk-in-path-mode"):
        return path_to(walk[-1], marks)
    if walk[-1] == end and bug("leaves-the-goal-out-of-the-walk"):
        return walk[:-1]
    if start != end and bug("walks-back-from-the-goal"):
        return walk + path_to(end, marks)[-2::-1]
    return walk


def line(room):
    x, y = room
    if bug("keeps-coordinates-in-a-byte"):
        x, y = x % 256, y % 256
    if bug("writes-y-first"):
        x, y = y, x
    return f"{x}, {y}\n"


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Failure as failure:
        sys.exit(str(failure))

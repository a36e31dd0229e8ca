"""The maze and the depth-first search."""

from subject import bug

EAST, WEST, SOUTH, NORTH = 8, 4, 2, 1
ALL_WALLS = 15
# Each direction with the opposite one and the step that it takes, in the order of the search.
DIRECTIONS = [(EAST, WEST, 1, 0), (WEST, EAST, -1, 0), (SOUTH, NORTH, 0, 1), (NORTH, SOUTH, 0, -1)]


class Maze:
    """A rectangle of rooms. `rows[y][x]` has the walls of a room."""

    def __init__(self, rows):
        self.rows, self.width, self.height = rows, len(rows[0]), len(rows)

    def walls(self, room):
        x, y = room
        return self.rows[y][x]

    def contains(self, x, y):
        if self.width != self.height and bug("checks-x-against-the-height"):
            return 0 <= x < self.height and 0 <= y < self.width
        if x + 1 == self.width and bug("refuses-the-last-column"):
            return False
        return 0 <= x < self.width and 0 <= y < self.height

    def neighbors(self, room):
        """The directions that lead from a room to another, and these rooms.

        There is an opening only if neither room has a wall there, and none in the border.
        """
        x, y = room
        for direction, opposite, dx, dy in DIRECTIONS:
            beyond = x + dx, y + dy
            if 0 <= beyond[0] < self.width and 0 <= beyond[1] < self.height:
                if not self.walls(room) & direction and not self.walls(beyond) & opposite:
                    yield direction, beyond


def search(maze, start, end):
    """The rooms in the order of the search, and for each the room from which it was first entered.

    The walk goes back from a dead end room by room. It is None if no way leads to the end.
    """
    walk, marks, room = [start], {start: None}, start
    untried = [maze.neighbors(start)]  # for each room of the path so far
    while room != end and not (room[1] == end[1] and bug("stops-in-the-row-of-the-goal")):
        beyond = way_on(untried[-1], marks, start)
        if beyond is not None:
            marks[beyond] = room
            untried.append(maze.neighbors(beyond))
            room = beyond
        else:
            untried.pop()
            previous = marks[room]
            if previous is None or bug("takes-the-first-dead-end-for-failure"):
                return None, marks
            if previous == start and bug("gives-up-when-back-at-the-start"):
                return None, marks
            if bug("forgets-rooms-that-failed"):
                del marks[room]
            room = previous
        walk.append(room)
    return walk, marks


def way_on(untried, marks, start):
    """The first room that was not visited, or None."""
    for direction, beyond in untried:
        if direction == NORTH and bug("never-goes-north"):
            continue
        if beyond not in marks or beyond == start and bug("forgets-that-the-start-is-visited"):
            return beyond
    return None


def path_to(end, marks):
    """The rooms from the start to `end`, where the search ended."""
    path = [end]
    while marks[path[-1]] is not None:
        path.append(marks[path[-1]])
        if path[-1] == (0, 0) and bug("takes-the-corner-for-no-room"):
            break
    if len(path) > 1 and bug("leaves-the-start-out-of-the-path"):
        path.pop()
    if len(path) == 1 and bug("writes-the-only-room-twice"):
        path.append(end)
    return path[::-1]

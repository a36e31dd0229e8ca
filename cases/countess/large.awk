# Prints a large castle: awk -v seed=N -v size=N -v rooms=N -v mode=M -f large.awk
# With -v closed=1, walls stand round the Countess, so that every tile that can be reached is discovered.
# As a list (mode L), a castle is mostly room space, and takes few lines. As a map (mode M), each of its rows is one of 64.
# A castle from the same numbers is the same with every awk: the numbers stay below 2^53.
function below(n) {
    state = (state * 16807) % 2147483647
    return int(state / 64) % n
}
function obstacle(dice) {
    return dice < 800 ? "#" : dice < 995 ? "!" : below(rooms)
}
# The tile at a place that is not left to chance: the Start, the Countess, and what is near them. Otherwise nothing.
function fixed(room, row, col) {
    if (room == 0 && row < 3 && col < 3) return row == 1 && col == 1 ? "S" : "."
    if (room < rooms - 1 || row < size - 3 || col < size - 3) return ""
    return row == size - 2 && col == size - 2 ? "C" : closed ? "#" : "."
}
function list(room, row, col) {
    if (col < size && (tile = fixed(room, row, col)) != ".") print "(" room "," row "," col "," (tile == "" ? obstacle(below(1000)) : tile) ")"
}
function list_row(room, row,  col) {
    if (room == 0 && row == 1) list(room, row, 1)
    for (col = room == 0 && row < 3 ? 3 : below(400); col < size - 3; col += 1 + below(400)) list(room, row, col)
    for (col = size - 3; fixed(room, row, col) != "" && col < size; col++) list(room, row, col)
}
function map_row(room, row,  line, col) {
    line = rows[below(64)]
    if (fixed(room, row, 1) != "") line = fixed(room, row, 0) fixed(room, row, 1) fixed(room, row, 2) substr(line, 4)
    col = size - 3
    if (fixed(room, row, col) == "") return line
    return substr(line, 1, col) fixed(room, row, col) fixed(room, row, col + 1) fixed(room, row, col + 2)
}
BEGIN {
    state = seed * 7919 + 1
    print mode
    print rooms
    print size
    print "//seed " seed
    for (row = 0; mode == "M" && row < 64; row++) {
        for (col = 0; col < size; col++) rows[row] = rows[row] (below(4) ? "." : obstacle(below(1000)))
    }
    for (room = 0; room < rooms; room++) {
        for (row = 0; row < size; row++) {
            if (mode == "M") print map_row(room, row)
            else list_row(room, row)
        }
    }
}

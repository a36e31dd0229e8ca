# Prints a large castle: awk -v seed=N -v size=N -v rooms=N -v mode=M -f large.awk
# A castle from the same numbers is the same with every awk: the numbers stay below 2^53.
function below(n) {
    state = (state * 16807) % 2147483647
    return state % n
}
BEGIN {
    state = seed * 7919 + 1
    print mode
    print rooms
    print size
    print "//seed " seed
    for (room = 0; room < rooms; room++) {
        for (row = 0; row < size; row++) {
            line = ""
            for (col = 0; col < size; col++) {
                dice = below(1000)
                other = below(rooms)
                if (room == 0 && row == 1 && col == 1) tile = "S"
                else if (room == rooms - 1 && row == size - 2 && col == size - 2) tile = "C"
                else if (dice < 200) tile = "#"
                else if (dice < 260) tile = "!"
                else if (dice < 280) tile = other
                else tile = "."
                if (mode == "M") line = line tile
                else if (tile != ".") print "(" room "," row "," col "," tile ")"
            }
            if (mode == "M") print line
        }
    }
}

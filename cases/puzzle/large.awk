# Prints a large map: awk -v seed=N -v size=N -v colors=N -f large.awk
# A map from the same numbers is the same with every awk: the numbers stay below 2^53.
function below(n) {
    state = (state * 16807) % 2147483647
    return state % n
}
BEGIN {
    state = seed * 7919 + 1
    print colors, size, size
    print "// seed " seed
    for (row = 0; row < size; row++) {
        line = ""
        for (col = 0; col < size; col++) {
            dice = below(1000)
            letter = below(colors)
            if (row == 1 && col == 1) tile = "@"
            else if (row == size - 2 && col == size - 2) tile = "?"
            else if (dice < 200) tile = "#"
            else if (dice < 230) tile = substr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", letter + 1, 1)
            else if (dice < 233) tile = substr("abcdefghijklmnopqrstuvwxyz", letter + 1, 1)
            else if (dice < 234) tile = "^"
            else tile = "."
            line = line tile
        }
        print line
    }
}

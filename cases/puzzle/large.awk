# Prints a large map: awk -v seed=N -v size=N -v colors=N -f large.awk
# With -v closed=1, walls stand round the target, so that every state that can be reached is discovered.
# A map from the same numbers is the same with every awk: the numbers stay below 2^53.
function below(n) {
    state = (state * 16807) % 2147483647
    return int(state / 64) % n
}
function tile(row, col) {
    if (row == 1 && col == 1) return "@"
    if (row == size - 2 && col == size - 2) return "?"
    if (closed && row > size - 4 && col > size - 4) return "#"
    dice = below(1000)
    if (dice < 300) return "#"
    if (dice < 330) return substr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", below(colors) + 1, 1)
    if (dice < 333) return substr("abcdefghijklmnopqrstuvwxyz", below(colors) + 1, 1)
    return dice < 334 ? "^" : "."
}
BEGIN {
    state = seed * 7919 + 1
    print colors, size, size
    print "// seed " seed
    for (row = 0; row < size; row++) {
        line = ""
        for (col = 0; col < size; col++) line = line tile(row, col)
        print line
    }
}

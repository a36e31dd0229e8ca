#include "List.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

static std::vector<int> values(const List<int> &list) {
    std::vector<int> values;
    for (List<int>::Iterator it = list.begin(); it != list.end(); ++it) {
        values.push_back(*it);
    }
    return values;
}

static List<int> list_of(std::initializer_list<int> values) {
    List<int> list;
    for (int value : values) {
        list.push_back(value);
    }
    return list;
}

// Counts how many of its kind there are.
struct Counted {
    static int alive;
    Counted() { ++alive; }
    Counted(const Counted &) { ++alive; }
    Counted &operator=(const Counted &) = default;
    ~Counted() { --alive; }
};
int Counted::alive = 0;

TEST_CASE("a new list is empty") {
    List<std::string> list;
    CHECK(list.empty());
    CHECK(list.size() == 0);
    CHECK(list.begin() == list.end());
}

TEST_CASE("elements are pushed at both ends") {
    List<int> list;
    list.push_front(2);
    CHECK(list.back() == 2);
    list.push_back(3);
    list.push_front(1);
    CHECK(list.front() == 1);
    CHECK(list.back() == 3);
    CHECK(list.size() == 3);
    CHECK(values(list) == std::vector<int>{1, 2, 3});
}

TEST_CASE("elements are popped at both ends") {
    List<int> list = list_of({1, 2, 3, 4});
    list.pop_back();
    list.pop_back();
    CHECK(list.back() == 2);
    CHECK(list.size() == 2);
    list.pop_front();
    CHECK(list.front() == 2);
    list.pop_back();
    CHECK(list.empty());
    list.push_back(7);
    CHECK(values(list) == std::vector<int>{7});
}

TEST_CASE("a cleared list is empty, and can be filled again") {
    List<int> list = list_of({1, 2});
    list.clear();
    CHECK(list.empty());
    CHECK(list.size() == 0);
    list.push_front(3);
    CHECK(values(list) == std::vector<int>{3});
}

TEST_CASE("a copy has elements of its own") {
    List<int> list = list_of({1, 2, 3});
    List<int> copy(list);
    copy.front() = 9;
    CHECK(values(list) == std::vector<int>{1, 2, 3});
    CHECK(values(copy) == std::vector<int>{9, 2, 3});
}

TEST_CASE("assigning replaces what was there") {
    List<int> list = list_of({1, 2});
    list = list_of({4, 5, 6});
    CHECK(values(list) == std::vector<int>{4, 5, 6});
}

TEST_CASE("a list can be assigned to itself") {
    List<int> list = list_of({1, 2});
    const List<int> &same = list;
    list = same;
    CHECK(values(list) == std::vector<int>{1, 2});
}

TEST_CASE("an element is inserted before a place") {
    List<int> list = list_of({1, 3});
    List<int>::Iterator place = list.begin();
    CHECK(*list.insert(++place, 2) == 2);
    list.insert(list.end(), 4);
    list.insert(list.begin(), 0);
    CHECK(values(list) == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("erasing gives the next place") {
    List<int> list = list_of({1, 2, 3});
    List<int>::Iterator place = list.begin();
    place = list.erase(++place);
    CHECK(*place == 3);
    CHECK(list.size() == 2);
}

TEST_CASE("nothing is left of a list") {
    int before = Counted::alive;
    {
        List<Counted> list;
        list.push_back(Counted());
        list.push_back(Counted());
    }
    CHECK(Counted::alive == before);
}

// A list whose elements are linked in both directions. The reference, with the mutants of this course as `BUG`s.
#ifndef LIST_H
#define LIST_H

#include <cassert>

#include "subject.h"

template <typename T>
class List {
    struct Node {
        T value;
        Node *previous;
        Node *next;
    };

    Node *first = nullptr;
    Node *last = nullptr;
    int count = 0;

public:
    // A place in a list: that of an element, or the end, which is behind the last one.
    class Iterator {
        friend class List;
        Node *node;
        explicit Iterator(Node *at) : node(at) {}

    public:
        // The element. The place must not be the end.
        T &operator*() const {
            assert(node);
            return node->value;
        }

        // Goes to the next place.
        Iterator &operator++() {
            assert(node);
            node = node->next;
            return *this;
        }

        bool operator==(Iterator other) const { return node == other.node; }
        bool operator!=(Iterator other) const { return node != other.node; }
    };

    List() {}

    List(const List &other) { copy(other); }

    List &operator=(const List &other) {
        if (this == &other && !BUG("loses-all-when-assigned-to-itself")) {
            return *this;
        }
        if (!BUG("adds-to-what-is-there-when-assigned")) {
            clear();
        }
        copy(other);
        return *this;
    }

    ~List() {
        if (!BUG("never-frees")) {
            clear();
        }
    }

    bool empty() const { return first == nullptr; }
    int size() const { return count; }

    // The first and the last element. The list must not be empty.
    T &front() {
        assert(!empty());
        return first->value;
    }
    T &back() {
        assert(!empty());
        return BUG("gives-the-front-for-the-back") ? first->value : last->value;
    }

    void push_front(const T &value) {
        Node *node = new Node{value, nullptr, first};
        if (first) {
            first->previous = node;
        } else if (!BUG("leaves-the-back-behind")) {
            last = node;
        }
        first = node;
        if (!BUG("counts-only-what-is-pushed-at-the-back")) {
            ++count;
        }
    }

    void push_back(const T &value) {
        Node *node = new Node{value, BUG("forgets-the-link-back") ? nullptr : last, nullptr};
        if (last) {
            last->next = node;
        } else {
            first = node;
        }
        last = node;
        ++count;
    }

    // Remove an element. The list must not be empty.
    void pop_front() {
        assert(!empty());
        erase(begin());
    }
    void pop_back() {
        assert(!empty());
        int before = count;
        erase(Iterator(last));
        if (BUG("keeps-the-size-when-popping-the-back")) {
            count = before;
        }
    }

    // Removes all elements.
    void clear() {
        int before = count;
        while (BUG("leaves-one-when-cleared") ? first != last : !empty()) {
            pop_front();
        }
        if (BUG("keeps-the-size-when-cleared")) {
            count = before;
        }
    }

    Iterator begin() const { return Iterator(first); }
    Iterator end() const { return Iterator(BUG("stops-before-the-last") ? last : nullptr); }

    // Puts an element before a place, and gives its own place.
    Iterator insert(Iterator place, const T &value) {
        Node *behind = place.node;
        if (BUG("inserts-behind-the-place") && behind) {
            behind = behind->next;
        }
        if (!behind) {
            push_back(value);
            return Iterator(last);
        }
        if (!behind->previous) {
            push_front(value);
            return begin();
        }
        Node *node = new Node{value, behind->previous, behind};
        node->previous->next = node;
        behind->previous = node;
        ++count;
        return Iterator(node);
    }

    // Removes the element at a place, and gives the place of the next one.
    Iterator erase(Iterator place) {
        Node *node = place.node;
        assert(node);
        Node *before = node->previous;
        Node *next = node->next;
        (before ? before->next : first) = next;
        if (next) {
            next->previous = before;
        } else if (before || !BUG("keeps-the-back-when-the-last-one-goes")) {
            last = before;
        }
        delete node;
        if (!BUG("keeps-the-size-when-erasing")) {
            --count;
        }
        return Iterator(BUG("gives-the-place-before-what-was-erased") ? before : next);
    }

private:
    void copy(const List &other) {
        for (Node *node = other.first; node; node = node->next) {
            if (BUG("copies-in-reverse")) {
                push_front(node->value);
            } else {
                push_back(node->value);
            }
        }
    }
};

#endif

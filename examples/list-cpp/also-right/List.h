// Another right list: a ring around a node that is the end. It has no count.
#ifndef LIST_H
#define LIST_H

#include <cassert>

template <typename T>
class List {
    struct Node {
        T value = T();
        Node *before = this;
        Node *after = this;
    };

    Node ring;

public:
    class Iterator {
        friend class List;
        Node *at;
        explicit Iterator(const Node *node) : at(const_cast<Node *>(node)) {}

    public:
        T &operator*() const { return at->value; }
        Iterator &operator++() {
            at = at->after;
            return *this;
        }
        bool operator==(const Iterator &it) const { return at == it.at; }
        bool operator!=(const Iterator &it) const { return at != it.at; }
    };

    List() {}
    List(const List &other) { append(other); }
    ~List() { clear(); }

    List &operator=(const List &other) {
        if (this != &other) {
            clear();
            append(other);
        }
        return *this;
    }

    bool empty() const { return ring.after == &ring; }

    int size() const {
        int many = 0;
        for (Iterator it = begin(); it != end(); ++it) {
            ++many;
        }
        return many;
    }

    T &front() {
        assert(!empty());
        return ring.after->value;
    }
    T &back() {
        assert(!empty());
        return ring.before->value;
    }

    void push_front(const T &value) { insert(begin(), value); }
    void push_back(const T &value) { insert(end(), value); }
    void pop_front() { erase(begin()); }
    void pop_back() { erase(Iterator(ring.before)); }

    void clear() {
        while (!empty()) {
            pop_back();
        }
    }

    Iterator begin() const { return Iterator(ring.after); }
    Iterator end() const { return Iterator(&ring); }

    Iterator insert(Iterator place, const T &value) {
        Node *node = new Node;
        node->value = value;
        node->after = place.at;
        node->before = place.at->before;
        node->before->after = node->after->before = node;
        return Iterator(node);
    }

    Iterator erase(Iterator place) {
        assert(place != end());
        Node *node = place.at;
        node->before->after = node->after;
        node->after->before = node->before;
        Iterator next(node->after);
        delete node;
        return next;
    }

private:
    void append(const List &other) {
        for (Iterator it = other.begin(); it != other.end(); ++it) {
            push_back(*it);
        }
    }
};

#endif

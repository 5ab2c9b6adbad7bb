// A sequence of small items that needs no memory of its own while they are few: the operands of an instruction.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln::ir {

// As std::vector; up to kInline items lie in the object itself. Adding an item moves the others.
template <typename Item>
class ShortList {
    static_assert(std::is_trivially_copyable_v<Item> && sizeof(Item) <= sizeof(Item*));

public:
    static constexpr uint32_t kInline = 16 / sizeof(Item);

    ShortList() = default;
    ShortList(std::initializer_list<Item> items) { assign(items.begin(), items.end()); }
    ShortList(const std::vector<Item>& items) { assign(items.begin(), items.end()); }  // NOLINT(google-explicit-constructor): what builds a list may not know its length
    template <std::forward_iterator Iterator>
    ShortList(Iterator first, Iterator last) {
        assign(first, last);
    }
    ShortList(const ShortList& other) { assign(other.begin(), other.end()); }
    ShortList(ShortList&& other) noexcept { take(other); }
    ShortList& operator=(const ShortList& other) {
        if (this != &other) {
            assign(other.begin(), other.end());
        }
        return *this;
    }
    ShortList& operator=(ShortList&& other) noexcept {
        if (this != &other) {
            free();
            take(other);
        }
        return *this;
    }
    ~ShortList() { free(); }

    Item* data() { return isInline() ? items_ : heap_; }
    const Item* data() const { return isInline() ? items_ : heap_; }
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Item* begin() { return data(); }
    Item* end() { return data() + size_; }
    const Item* begin() const { return data(); }
    const Item* end() const { return data() + size_; }
    Item& operator[](size_t index) { return data()[index]; }
    const Item& operator[](size_t index) const { return data()[index]; }
    Item& front() { return *begin(); }
    const Item& front() const { return *begin(); }
    Item& back() { return end()[-1]; }
    const Item& back() const { return end()[-1]; }

    void clear() { size_ = 0; }
    void reserve(size_t capacity) {
        if (capacity > capacity_) {
            Item* heap = new Item[capacity];
            std::copy(begin(), end(), heap);
            free();
            heap_ = heap;
            capacity_ = static_cast<uint32_t>(capacity);
        }
    }
    void push_back(Item item) {
        if (size_ == capacity_) {
            reserve(size_t{capacity_} * 2);
        }
        data()[size_++] = item;
    }
    void pop_back() { size_--; }
    template <std::forward_iterator Iterator>
    void assign(Iterator first, Iterator last) {
        clear();
        insert(end(), first, last);
    }
    // `first` and `last` are not of this list.
    template <std::forward_iterator Iterator>
    void insert(const Item* position, Iterator first, Iterator last) {
        const auto index = position - begin();
        const auto count = std::distance(first, last);
        reserve(size_ + static_cast<size_t>(count));
        Item* place = begin() + index;
        std::copy_backward(place, end(), end() + count);
        std::copy(first, last, place);
        size_ += static_cast<uint32_t>(count);
    }
    void insert(const Item* position, Item item) { insert(position, &item, &item + 1); }
    void erase(const Item* position) { erase(position, position + 1); }
    void erase(const Item* first, const Item* last) {
        std::copy(last, static_cast<const Item*>(end()), begin() + (first - begin()));
        size_ -= static_cast<uint32_t>(last - first);
    }

    bool operator==(const ShortList& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }
    auto operator<=>(const ShortList& other) const { return std::lexicographical_compare_three_way(begin(), end(), other.begin(), other.end()); }

private:
    bool isInline() const { return capacity_ == kInline; }
    void free() {
        if (!isInline()) {
            delete[] heap_;
            capacity_ = kInline;
        }
    }
    // The items of the other list, which is empty afterwards; this one holds no memory.
    void take(ShortList& other) {
        std::memcpy(items_, other.items_, sizeof items_);
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, kInline);
    }

    uint32_t size_ = 0;
    uint32_t capacity_ = kInline;
    union {
        Item items_[kInline];
        Item* heap_;
    };
};

}  // namespace kiln::ir

// A vector whose first items lie within it: most are short, as the operands of an instruction and lists on the stack of code that
// runs often.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

// As std::vector; up to kRoom items need no memory of their own. Adding an item moves the others.
template <typename Item, uint32_t kRoom = 16 / sizeof(Item)>
class ShortVector {
    static_assert(std::is_trivially_copyable_v<Item> && std::is_trivially_destructible_v<Item> && kRoom > 0);

   public:
    ShortVector() {}  // NOLINT(modernize-use-equals-default): items need no value yet
    // Of items without a value yet.
    explicit ShortVector(size_t size) { resize(size); }
    ShortVector(std::initializer_list<Item> items) { assign(items.begin(), items.end()); }
    ShortVector(const std::vector<Item>& items) { assign(items.begin(), items.end()); }  // NOLINT(google-explicit-constructor): what builds a list may not know its length
    template <std::forward_iterator Iterator>
    ShortVector(Iterator first, Iterator last) {
        assign(first, last);
    }
    ShortVector(const ShortVector& other) { assign(other.begin(), other.end()); }
    ShortVector(ShortVector&& other) noexcept { take(other); }
    ShortVector& operator=(const ShortVector& other) {
        if (this != &other) {
            assign(other.begin(), other.end());
        }
        return *this;
    }
    ShortVector& operator=(ShortVector&& other) noexcept {
        if (this != &other) {
            free();
            take(other);
        }
        return *this;
    }
    ~ShortVector() { free(); }

    Item* data() { return isWithin() ? few_ : many_; }
    const Item* data() const { return isWithin() ? few_ : many_; }
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
    // Items that are new have no value yet.
    void resize(size_t size) {
        makeRoom(size);
        size_ = static_cast<uint32_t>(size);
    }
    void push_back(Item item) {
        makeRoom(size_t{size_} + 1);
        data()[size_++] = item;
    }
    void pop_back() { size_--; }
    template <std::forward_iterator Iterator>
    void assign(Iterator first, Iterator last) {
        clear();
        insert(end(), first, last);
    }
    // `first` and `last` are not of this vector.
    template <std::forward_iterator Iterator>
    void insert(const Item* position, Iterator first, Iterator last) {
        const auto index = position - begin();
        const auto count = std::distance(first, last);
        const auto old = static_cast<std::ptrdiff_t>(size_);
        resize(static_cast<size_t>(old + count));
        Item* place = begin() + index;
        std::copy_backward(place, begin() + old, end());
        std::copy(first, last, place);
    }
    void insert(const Item* position, Item item) { insert(position, &item, &item + 1); }
    void erase(const Item* position) { erase(position, position + 1); }
    void erase(const Item* first, const Item* last) {
        std::copy(last, static_cast<const Item*>(end()), begin() + (first - begin()));
        size_ -= static_cast<uint32_t>(last - first);
    }

    bool operator==(const ShortVector& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }
    auto operator<=>(const ShortVector& other) const { return std::lexicographical_compare_three_way(begin(), end(), other.begin(), other.end()); }

   private:
    bool isWithin() const { return room_ == kRoom; }
    // Twice the room where there is too little, so that adding items one by one takes time in proportion to them.
    void makeRoom(size_t size) {
        if (size > room_) {
            const size_t room = std::max(size, size_t{room_} * 2);
            Item* items = new Item[room];
            std::copy(begin(), end(), items);
            free();
            many_ = items;
            room_ = static_cast<uint32_t>(room);
        }
    }
    void free() {
        if (!isWithin()) {
            delete[] many_;
            room_ = kRoom;
        }
    }
    // The items of the other vector, which is empty afterwards; this one holds no memory.
    void take(ShortVector& other) {
        std::memcpy(few_, other.few_, sizeof few_);
        size_ = std::exchange(other.size_, 0);
        room_ = std::exchange(other.room_, kRoom);
    }

    uint32_t size_ = 0;
    uint32_t room_ = kRoom;
    union {
        Item few_[kRoom];
        Item* many_;
    };
};

}  // namespace kiln

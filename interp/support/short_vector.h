// A vector whose first items lie within it: most are short, and live on the stack of code that runs often.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace kiln {

template <typename T, size_t kRoom>
class ShortVector {
   public:
    static_assert(std::is_trivially_copyable_v<T>);

    ShortVector() = default;
    // Of items without a value yet.
    explicit ShortVector(size_t size) { resize(size); }

    void push_back(const T& item) {
        resize(size_ + 1);
        back() = item;
    }
    void resize(size_t size) {
        if (size > kRoom) {
            if (many_.empty()) {
                many_.assign(few_.begin(), few_.begin() + static_cast<ptrdiff_t>(size_));
            }
            many_.resize(size);
        }
        size_ = size;
    }
    // What lies here moves when items are added.
    T* data() { return many_.empty() ? few_.data() : many_.data(); }
    const T* data() const { return many_.empty() ? few_.data() : many_.data(); }
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    T& operator[](size_t index) { return data()[index]; }
    const T& operator[](size_t index) const { return data()[index]; }
    T& back() { return data()[size_ - 1]; }
    const T& back() const { return data()[size_ - 1]; }

   private:
    std::array<T, kRoom> few_;
    std::vector<T> many_;  // all of them, once there have been more than kRoom
    size_t size_ = 0;
};

}  // namespace kiln

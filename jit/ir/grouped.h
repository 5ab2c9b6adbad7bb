// Items by group, in two arrays: the edges into each block, say.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kiln::ir {

template <typename Item>
class Grouped {
public:
    // `visitAll(add)` calls add(group, item) for each item, and is called twice. A group keeps their order.
    template <typename VisitAll>
    Grouped(size_t groups, const VisitAll& visitAll) : ends_(groups + 1) {
        size_t count = 0;
        visitAll([&](size_t group, const Item&) {
            ends_[group + 1]++;
            count++;
        });
        for (size_t group = 1; group <= groups; group++) {
            ends_[group] += ends_[group - 1];
        }
        items_.resize(count);
        // An end is where its group begins until its items are there.
        visitAll([&](size_t group, const Item& item) { items_[ends_[group]++] = item; });
    }

    std::span<const Item> operator[](size_t group) const {
        const size_t begin = group == 0 ? 0 : ends_[group - 1];
        return std::span(items_).subspan(begin, ends_[group] - begin);
    }

private:
    std::vector<size_t> ends_;
    std::vector<Item> items_;
};

}  // namespace kiln::ir

// Stores into parts of NumPy's arrays: helpers fill_part and copy_part. They see memory only, and raise nothing.
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "interp/numpy_elements.h"
#include "jit/runtime/compiled_region.h"

namespace kiln {
namespace {

constexpr int64_t kDone = 0;
constexpr int64_t kDeclined = -1;

struct Pair {
    uint64_t parts[2];
};

// Dimensions: their lengths, and the steps in bytes from one item to the next where it is stored to, and where it is read.
struct Extent {
    struct Axis {
        int64_t length;
        int64_t to;
        int64_t from;
    };
    std::array<Axis, kMostDimensions> axes;
    int dimensions = 0;

    Extent(const int64_t* lengths, const int64_t* to, const int64_t* from, int count) : dimensions(count) {
        for (int axis = 0; axis < count; axis++) {
            axes[static_cast<size_t>(axis)] = {lengths[axis], to[axis], from[axis]};
        }
    }

    bool isEmpty() const {
        return std::any_of(begin(), end(), [](const Axis& axis) { return axis.length == 0; });
    }
    bool isInPlace() const {
        return std::all_of(begin(), end(), [](const Axis& axis) { return axis.to == axis.from; });
    }
    int64_t items() const {
        int64_t count = 1;
        std::for_each(begin(), end(), [&](const Axis& axis) { count *= axis.length; });
        return count;
    }
    // Of elements of so many bytes: the first byte and the one behind the last, counted from the first element.
    std::array<int64_t, 2> range(int64_t Axis::*stride, int64_t bytes) const {
        std::array<int64_t, 2> found = {0, bytes};
        std::for_each(begin(), end(), [&](const Axis& axis) {
            int64_t reach = (axis.length - 1) * (axis.*stride);
            found[reach > 0 ? 1 : 0] += reach;
        });
        return found;
    }
    // In the order of memory, and as few as they can be.
    void simplify() {
        auto isWider = [](const Axis& one, const Axis& other) { return std::abs(one.to) > std::abs(other.to); };
        std::stable_sort(axes.begin(), axes.begin() + dimensions, isWider);
        int kept = 0;
        for (int axis = 0; axis < dimensions; axis++) {
            const Axis& next = axes[static_cast<size_t>(axis)];
            Axis& last = axes[static_cast<size_t>(kept > 0 ? kept - 1 : 0)];
            if (next.length == 1 && (kept > 0 || axis + 1 < dimensions)) {
                continue;
            }
            if (kept > 0 && last.to == next.to * next.length && last.from == next.from * next.length) {
                last = {last.length * next.length, next.to, next.from};
            } else {
                axes[static_cast<size_t>(kept++)] = next;
            }
        }
        dimensions = kept;
    }

    // Of a simple one: no element is stored to twice.
    bool isOneToOne(int64_t bytes) const {
        int64_t reach = bytes;
        for (auto axis = static_cast<size_t>(dimensions); axis-- > 0;) {
            int64_t step = std::abs(axes[axis].to);
            if (axes[axis].length > 1 && step < reach) {
                return false;
            }
            reach += (axes[axis].length - 1) * step;
        }
        return true;
    }

    const Axis* begin() const { return axes.data(); }
    const Axis* end() const { return axes.data() + dimensions; }
};

template <typename Word>
void fillRow(char* at, int64_t count, int64_t stride, const Word& word) {
    constexpr auto kBytes = static_cast<int64_t>(sizeof word);
    for (int64_t index = 0; stride == kBytes && index < count; index++) {
        std::memcpy(at + index * kBytes, &word, sizeof word);  // for vectors
    }
    for (int64_t index = 0; stride != kBytes && index < count; index++) {
        std::memcpy(at + index * stride, &word, sizeof word);
    }
}

template <typename Word>
void fill(char* at, const Extent& extent, const Word& word, int axis = 0) {
    const Extent::Axis& here = extent.axes[static_cast<size_t>(axis)];
    if (axis + 1 == extent.dimensions) {
        fillRow(at, here.length, here.to, word);
        return;
    }
    for (int64_t index = 0; index < here.length; index++) {
        fill(at + index * here.to, extent, word, axis + 1);
    }
}

// words: element, address, the bits of the number or of its two parts, lengths, strides. Floats are doubles.
int64_t fillPart(const int64_t* w, int64_t count) {
    const auto element = static_cast<Element>(w[0]);
    const int dimensions = static_cast<int>(count - 4) / 2;
    auto* at = reinterpret_cast<char*>(w[1]);
    Extent extent(w + 4, w + 4 + dimensions, w + 4 + dimensions, dimensions);
    extent.simplify();
    auto single = [](int64_t word) {
        double number;
        std::memcpy(&number, &word, sizeof number);
        const auto rounded = static_cast<float>(number);
        uint32_t bits;
        std::memcpy(&bits, &rounded, sizeof bits);
        return bits;
    };
    switch (element) {
    case Element::k_float32: fill(at, extent, single(w[2])); return kDone;
    case Element::k_complex64: fill(at, extent, uint64_t{single(w[3])} << 32 | single(w[2])); return kDone;
    case Element::k_complex128:
        fill(at, extent, Pair{{static_cast<uint64_t>(w[2]), static_cast<uint64_t>(w[3])}});
        return kDone;
    default: break;
    }
    switch (info(element).bytes) {
    case 1: fill(at, extent, static_cast<uint8_t>(w[2])); break;
    case 2: fill(at, extent, static_cast<uint16_t>(w[2])); break;
    case 4: fill(at, extent, static_cast<uint32_t>(w[2])); break;
    default: fill(at, extent, static_cast<uint64_t>(w[2])); break;
    }
    return kDone;
}

// So many elements, each one stride behind the other.
using MoveRow = void (*)(char* to, int64_t toStride, const char* from, int64_t fromStride, int64_t count);

template <typename Word>
void copyRow(char* to, int64_t toStride, const char* from, int64_t fromStride, int64_t count) {
    constexpr auto kBytes = static_cast<int64_t>(sizeof(Word));
    if (toStride == kBytes && fromStride == kBytes) {
        std::memcpy(to, from, static_cast<size_t>(count * kBytes));
        return;
    }
    for (int64_t index = 0; index < count; index++) {
        std::memcpy(to + index * toStride, from + index * fromStride, sizeof(Word));
    }
}

// As C converts numbers, which NumPy does too.
template <typename To, typename From>
void convertRow(char* to, int64_t toStride, const char* from, int64_t fromStride, int64_t count) {
    for (int64_t index = 0; index < count; index++) {
        From number;
        std::memcpy(&number, from + index * fromStride, sizeof number);
        const auto converted = static_cast<To>(number);
        std::memcpy(to + index * toStride, &converted, sizeof converted);
    }
}

MoveRow copierOf(Element element) {
    switch (info(element).bytes) {
    case 1: return copyRow<uint8_t>;
    case 2: return copyRow<uint16_t>;
    case 4: return copyRow<uint32_t>;
    case 8: return copyRow<uint64_t>;
    default: return copyRow<Pair>;
    }
}

template <typename From>
MoveRow converterTo(Element element) {
    switch (element) {
    case Element::k_bool_: return convertRow<bool, From>;
    case Element::k_int8: return convertRow<int8_t, From>;
    case Element::k_uint8: return convertRow<uint8_t, From>;
    case Element::k_int16: return convertRow<int16_t, From>;
    case Element::k_uint16: return convertRow<uint16_t, From>;
    case Element::k_int32: return convertRow<int32_t, From>;
    case Element::k_uint32: return convertRow<uint32_t, From>;
    case Element::k_int64: return convertRow<int64_t, From>;
    case Element::k_uint64: return convertRow<uint64_t, From>;
    case Element::k_float32: return convertRow<float, From>;
    default: return convertRow<double, From>;
    }
}

// A double becomes a float with no flag raised that NumPy asks for. False for some of which that is true, too.
bool becomesFloat(const char* at) {
    constexpr uint64_t kQuiet = uint64_t{1} << 51;
    double number;
    std::memcpy(&number, at, sizeof number);
    uint64_t bits;
    std::memcpy(&bits, at, sizeof bits);
    const double size = std::fabs(number);
    const bool isNormal = size <= FLT_MAX && size >= 2.0 * FLT_MIN;
    return isNormal || std::isinf(number) || (std::isnan(number) ? (bits & kQuiet) != 0 : static_cast<double>(static_cast<float>(number)) == number);
}

// All that is read.
bool becomeFloats(const char* from, const Extent& extent, int axis = 0) {
    const Extent::Axis& here = extent.axes[static_cast<size_t>(axis)];
    bool isFit = true;
    for (int64_t index = 0; isFit && index < here.length; index++) {
        const char* at = from + index * here.from;
        isFit = axis + 1 == extent.dimensions ? becomesFloat(at) : becomeFloats(at, extent, axis + 1);
    }
    return isFit;
}

// Those that isConverted() names.
MoveRow moverOf(Element to, Element from) {
    if (to == from) {
        return copierOf(to);
    }
    switch (from) {
    case Element::k_bool_:
    case Element::k_uint8: return converterTo<uint8_t>(to);
    case Element::k_int8: return converterTo<int8_t>(to);
    case Element::k_int16: return converterTo<int16_t>(to);
    case Element::k_uint16: return converterTo<uint16_t>(to);
    case Element::k_int32: return converterTo<int32_t>(to);
    case Element::k_uint32: return converterTo<uint32_t>(to);
    case Element::k_int64: return converterTo<int64_t>(to);
    case Element::k_uint64: return converterTo<uint64_t>(to);
    case Element::k_float64: return convertRow<float, double>;
    default: return convertRow<double, float>;
    }
}

// To elements that what is read does not overlap.
void move(MoveRow row, char* to, const char* from, const Extent& extent, int axis = 0) {
    const Extent::Axis& here = extent.axes[static_cast<size_t>(axis)];
    if (axis + 1 == extent.dimensions) {
        row(to, here.to, from, here.from, here.length);
        return;
    }
    for (int64_t index = 0; index < here.length; index++) {
        move(row, to + index * here.to, from + index * here.from, extent, axis + 1);
    }
}

bool mayOverlap(const Extent& extent, const char* to, int toBytes, const char* from, int fromBytes) {
    auto [toFirst, toEnd] = extent.range(&Extent::Axis::to, toBytes);
    auto [fromFirst, fromEnd] = extent.range(&Extent::Axis::from, fromBytes);
    return to + toFirst < from + fromEnd && from + fromFirst < to + toEnd;
}

// As if all had been read before the first is written.
int64_t moveThrough(Element element, char* to, const char* from, const Extent& extent) {
    const int64_t bytes = info(element).bytes;
    std::unique_ptr<char[]> room(new (std::nothrow) char[static_cast<size_t>(extent.items() * bytes)]);
    if (room == nullptr) {
        return kDeclined;
    }
    Extent in = extent;
    Extent out = extent;
    int64_t stride = bytes;
    for (auto axis = static_cast<size_t>(extent.dimensions); axis-- > 0;) {
        in.axes[axis].to = out.axes[axis].from = stride;
        stride *= extent.axes[axis].length;
    }
    move(copierOf(element), room.get(), from, in);
    move(copierOf(element), to, room.get(), out);
    return kDone;
}

// words: the elements of target and source, their addresses, lengths, the target's strides, the source's.
int64_t copyPart(const int64_t* w, int64_t count) {
    const int dimensions = static_cast<int>(count - 4) / 3;
    const auto toElement = static_cast<Element>(w[0]);
    const auto fromElement = static_cast<Element>(w[1]);
    auto* to = reinterpret_cast<char*>(w[2]);
    const auto* from = reinterpret_cast<const char*>(w[3]);
    Extent extent(w + 4, w + 4 + dimensions, w + 4 + 2 * dimensions, dimensions);
    bool isSame = toElement == fromElement && to == from && extent.isInPlace();
    if (extent.isEmpty() || isSame) {
        return kDone;
    }
    extent.simplify();
    if (!extent.isOneToOne(info(toElement).bytes)) {
        return kDeclined;
    }
    if (mayOverlap(extent, to, info(toElement).bytes, from, info(fromElement).bytes)) {
        return toElement == fromElement ? moveThrough(toElement, to, from, extent) : kDeclined;
    }
    bool narrows = toElement == Element::k_float32 && fromElement == Element::k_float64;
    if (narrows && !becomeFloats(from, extent)) {
        return kDeclined;
    }
    move(moverOf(toElement, fromElement), to, from, extent);
    return kDone;
}

// A byte of a bool array.
struct Truth {
    uint8_t byte;

    explicit operator int64_t() const { return byte != 0; }
};

template <typename Item, typename Number>
bool hasItem(const char* at, std::span<const Extent::Axis> axes, Number wanted) {
    bool isFound = false;
    for (int64_t index = 0; !isFound && index < axes[0].length; index++) {
        const char* place = at + index * axes[0].from;
        if (axes.size() > 1) {
            isFound = hasItem<Item>(place, axes.subspan(1), wanted);
            continue;
        }
        Item item;
        std::memcpy(&item, place, sizeof item);
        isFound = static_cast<Number>(item) == wanted;
    }
    return isFound;
}

// words: element, address, the bits of the number, lengths, strides. Floats are doubles.
int64_t partContains(const int64_t* w, int64_t count) {
    const int dimensions = static_cast<int>(count - 3) / 2;
    const auto* at = reinterpret_cast<const char*>(w[1]);
    Extent extent(w + 3, w + 3 + dimensions, w + 3 + dimensions, dimensions);
    double number;
    std::memcpy(&number, &w[2], sizeof number);
    std::span<const Extent::Axis> axes(extent.axes.data(), static_cast<size_t>(extent.dimensions));
    switch (static_cast<Element>(w[0])) {
    case Element::k_bool_: return hasItem<Truth>(at, axes, w[2]);
    case Element::k_uint8: return hasItem<uint8_t>(at, axes, w[2]);
    case Element::k_int8: return hasItem<int8_t>(at, axes, w[2]);
    case Element::k_int16: return hasItem<int16_t>(at, axes, w[2]);
    case Element::k_uint16: return hasItem<uint16_t>(at, axes, w[2]);
    case Element::k_int32: return hasItem<int32_t>(at, axes, w[2]);
    case Element::k_uint32: return hasItem<uint32_t>(at, axes, w[2]);
    case Element::k_int64: return hasItem<int64_t>(at, axes, w[2]);
    case Element::k_float32: return hasItem<float>(at, axes, number);
    default: return hasItem<double>(at, axes, number);
    }
}

}  // namespace

void fillArrayHelpers(const void** table) {
    table[static_cast<int>(Helper::k_fill_part)] = reinterpret_cast<const void*>(fillPart);
    table[static_cast<int>(Helper::k_part_contains)] = reinterpret_cast<const void*>(partContains);
    table[static_cast<int>(Helper::k_copy_part)] = reinterpret_cast<const void*>(copyPart);
}

}  // namespace kiln

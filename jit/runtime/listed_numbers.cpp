// What lists have is read into buffers of their own, for loops that go through them again and again: passes/read_lists_before.h.
#include "jit/listed_numbers.h"

#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "interp/config.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/strip_buffer.h"

namespace kiln {
namespace {

// The length of the shortest row, or more than any has; then a word for each item.
struct Buffer {
    std::unique_ptr<int64_t[]> words;
    int64_t room = 0;

    // False when there is no memory.
    bool make(int64_t count) {
        if (count > room) {
            words.reset(new (std::nothrow) int64_t[static_cast<size_t>(count)]);
            room = words != nullptr ? count : 0;
        }
        return count <= room;
    }
};

thread_local Buffer buffers[kMostListsRead];

enum Words { kKind, kPlace, kList, kStart, kLimit, kReadings, kOthers };

bool isList(PyObject* object) {
    return object != nullptr && PyList_CheckExact(object);
}

bool isAmong(const void* list, const int64_t* others, int64_t count) {
    for (int64_t index = 0; index < count; index++) {
        if (reinterpret_cast<const void*>(others[index]) == list) {
            return true;
        }
    }
    return false;
}

bool readFloat(PyObject* item, int64_t* word) {
    const bool isFloat = PyFloat_CheckExact(item);
    if (isFloat) {
        const double number = PyFloat_AS_DOUBLE(item);
        std::memcpy(word, &number, sizeof number);
    }
    return isFloat;
}

int64_t readList(const int64_t* words, int64_t count) {
    auto* list = reinterpret_cast<PyObject*>(words[kList]);
    const int64_t start = words[kStart];
    const int64_t limit = words[kLimit];
    const bool isWorthIt = config().stressDeopt ? stressStrip() != 0 : words[kReadings] >= kFewestReadings;
    if (!isWorthIt || !isList(list) || start < 0 || limit > PyList_GET_SIZE(list) || isAmong(list, words + kOthers, count - kOthers)) {
        return 0;
    }
    Buffer& buffer = buffers[words[kPlace]];
    const int64_t items = limit > start ? limit - start : 0;
    if (!buffer.make(items + 1)) {
        return 0;
    }
    int64_t shortest = std::numeric_limits<int64_t>::max();
    for (int64_t index = 0; index < items; index++) {
        PyObject* item = PyList_GET_ITEM(list, start + index);
        int64_t* word = &buffer.words[index + 1];
        switch (static_cast<ListedKind>(words[kKind])) {
        case ListedKind::kFloats:
            if (!readFloat(item, word)) {
                return 0;
            }
            break;
        case ListedKind::kRows:
            if (!isList(item) || isAmong(item, words + kOthers, count - kOthers)) {
                return 0;
            }
            shortest = PyList_GET_SIZE(item) < shortest ? PyList_GET_SIZE(item) : shortest;
            *word = reinterpret_cast<int64_t>(reinterpret_cast<PyListObject*>(item)->ob_item);
            break;
        }
    }
    buffer.words[0] = shortest;
    return reinterpret_cast<int64_t>(buffer.words.get());
}

}  // namespace

void fillListHelpers(const void** table) {
    table[static_cast<int>(Helper::k_read_list)] = reinterpret_cast<const void*>(readList);
}

}  // namespace kiln

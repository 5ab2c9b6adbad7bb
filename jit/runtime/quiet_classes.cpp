#include "jit/runtime/quiet_classes.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace kiln {
namespace {

struct QuietClass {
    std::string_view name;
    QuietEnd end;
};

constexpr QuietClass kQuietClasses[] = {
#define KILN_QUIET_CLASS(name, end) {name, QuietEnd::k##end},
#include "jit/runtime/quiet_classes.def"
#undef KILN_QUIET_CLASS
};
static_assert(std::ranges::is_sorted(kQuietClasses, {}, &QuietClass::name));

QuietEnd findEnd(std::string_view name) {
    const auto* found = std::ranges::lower_bound(kQuietClasses, name, {}, &QuietClass::name);
    return found != std::end(kQuietClasses) && found->name == name ? found->end : QuietEnd::kUnknown;
}

}  // namespace

// A program cannot make a class that never changes, nor change the name of one. A version is given to one class only, ever.
QuietEnd quietEndOf(PyTypeObject* cls) {
    if (!PyType_HasFeature(cls, Py_TPFLAGS_IMMUTABLETYPE)) {
        return QuietEnd::kUnknown;
    }
    struct Known {
        unsigned int version;
        QuietEnd end;
    };
    constexpr size_t kRoom = 64;
    static std::array<Known, kRoom> found{};
    if (PyUnstable_Type_AssignVersionTag(cls) == 0) {
        return findEnd(cls->tp_name);  // there are no more
    }
    unsigned int version = cls->tp_version_tag;
    Known& known = found[version % kRoom];
    if (known.version != version) {
        known = {version, findEnd(cls->tp_name)};
    }
    return known.end;
}

}  // namespace kiln

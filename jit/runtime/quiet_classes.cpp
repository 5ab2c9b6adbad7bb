#include "jit/runtime/quiet_classes.h"

#include <algorithm>
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

}  // namespace

// A program cannot make a class that never changes, nor change the name of one.
QuietEnd quietEndOf(const PyTypeObject* cls) {
    if (!PyType_HasFeature(const_cast<PyTypeObject*>(cls), Py_TPFLAGS_IMMUTABLETYPE)) {
        return QuietEnd::kUnknown;
    }
    std::string_view name = cls->tp_name;
    const auto* found = std::ranges::lower_bound(kQuietClasses, name, {}, &QuietClass::name);
    return found != std::end(kQuietClasses) && found->name == name ? found->end : QuietEnd::kUnknown;
}

}  // namespace kiln

// Look-ups in the IR's tables. Linear: only text is read through them.
#include "jit/ir/names.h"

#include "interp/numpy_elements.h"
#include "jit/ir/tables.h"

namespace kiln::ir {

namespace {

constexpr const char* kTypeNames[] = {"none", "int", "float", "bool", "object"};

constexpr const char* kFieldNames[] = {
#define KILN_LAYOUT(name, type, field) #name,
#include "interp/cpython/layout.def"
#undef KILN_LAYOUT
};

}  // namespace

const char* typeName(Type type) {
    return kTypeNames[static_cast<int>(type)];
}

int namedImmediateCount(Immediate kind) {
    switch (kind) {
    case Immediate::kHelper: return static_cast<int>(Helper::kCount);
    case Immediate::kMath: return static_cast<int>(MathFunction::kCount);
    case Immediate::kField: return static_cast<int>(Field::kCount);
    case Immediate::kElement: return kElementCount;
    default: return 0;
    }
}

const char* immediateName(Immediate kind, int index) {
    switch (kind) {
    case Immediate::kHelper: return kHelperNames[index];
    case Immediate::kMath: return kMathNames[index];
    case Immediate::kElement: return kElements[index].name;
    default: return kFieldNames[index];
    }
}

bool findType(std::string_view name, Type& type) {
    for (int i = 0; i <= static_cast<int>(Type::kObject); ++i) {
        if (name == kTypeNames[i]) {
            type = static_cast<Type>(i);
            return true;
        }
    }
    return false;
}

bool findOp(std::string_view name, Op& op) {
    for (int i = 0; i < kOpCount; ++i) {
        if (name == kOps[i].name) {
            op = static_cast<Op>(i);
            return true;
        }
    }
    return false;
}

bool findImmediate(Immediate kind, std::string_view name, int& index) {
    for (int i = 0; i < namedImmediateCount(kind); ++i) {
        if (name == immediateName(kind, i)) {
            index = i;
            return true;
        }
    }
    return false;
}

}  // namespace kiln::ir

// Types of kernel values: the scalar table and the interned array types.
#include "gpu/ir/type.h"

#include <pthread.h>

#include <algorithm>
#include <deque>
#include <mutex>

namespace kiln::gpu {
namespace {

struct ScalarRow {
    Type type;
    const char* cName;
    const char* codes;
};

constexpr size_t kScalarCount = static_cast<size_t>(Scalar::kCount);

// In a function, because objects of other files may ask for types before main().
const ScalarRow (&scalars())[kScalarCount] {
    static const ScalarRow kRows[kScalarCount] = {
#define KILN_SCALAR(id, name, kind, bits, cType, codes) \
    {{Kind::k##kind, Scalar::k##id, bits, nullptr, 0, Layout::kC, Space::kGlobal, false, name, {}, bits / 8, {}}, cType, codes},
#include "gpu/ir/types.def"
#undef KILN_SCALAR
    };
    return kRows;
}

std::string arrayName(const Type* element, int ndim, Layout layout, Space space, bool readonly) {
    static constexpr const char* kSpaces[] = {"", "shared ", "local "};
    std::string prefix = kSpaces[static_cast<int>(space)];
    return prefix + (readonly ? "readonly " : "") + "array(" + element->name + ", " + std::to_string(ndim) + "d, " +
           static_cast<char>(layout) + ")";
}

// Of the tables of types. A fork waits for it: in the child it is free, and the tables are whole.
std::mutex& tableMutex() {
    static std::mutex mutex;
    static const int kRegistered = pthread_atfork([] { tableMutex().lock(); }, [] { tableMutex().unlock(); }, [] { tableMutex().unlock(); });
    (void)kRegistered;
    return mutex;
}

}  // namespace

const char* Type::cName() const {
    return isRecord() ? cText.c_str() : scalars()[static_cast<int>(scalar)].cName;
}

const Type* scalarType(Scalar scalar) {
    return &scalars()[static_cast<int>(scalar)].type;
}

const Type* intType(int bits, bool isSigned) {
    for (const ScalarRow& row : scalars()) {
        if (row.type.bits == bits && row.type.kind == (isSigned ? Kind::kInt : Kind::kUInt)) {
            return &row.type;
        }
    }
    return nullptr;
}

const Type* floatType(int bits) {
    return scalarType(bits == 16 ? Scalar::kFloat16 : bits == 32 ? Scalar::kFloat32 : Scalar::kFloat64);
}

const Type* complexType(int bits) {
    return scalarType(bits == 64 ? Scalar::kComplex64 : Scalar::kComplex128);
}

const Type* partType(const Type* complex) {
    return floatType(complex->bits / 2);
}

const Type* brainType() {
    static const Type& type =
        *new Type{Kind::kBrain, Scalar::kUInt16, 16, nullptr, 0, Layout::kC, Space::kGlobal, false, "bfloat16", {}, 2, {}};
    return &type;
}

const Type* arrayType(const Type* element, int ndim, Layout layout, Space space, bool readonly) {
    static std::deque<Type>& types = *new std::deque<Type>;  // addresses stay
    if (ndim == 0) {
        layout = Layout::kC;
    }
    std::lock_guard<std::mutex> lock(tableMutex());
    for (const Type& type : types) {
        if (type.element == element && type.ndim == ndim && type.layout == layout && type.space == space &&
            type.readonly == readonly) {
            return &type;
        }
    }
    types.push_back({Kind::kArray, Scalar::kCount, 0, element, ndim, layout, space, readonly,
                     arrayName(element, ndim, layout, space, readonly), {}, 8, {}});
    return &types.back();
}

namespace {

// With the tables locked.
std::deque<Type>& recordTypes() {
    static std::deque<Type>& types = *new std::deque<Type>;  // addresses stay
    return types;
}

Type& addRecord(std::string name, std::vector<Field> fields, int64_t bytes, int alignment) {
    std::string cText = "Record<" + std::to_string(bytes) + ", " + std::to_string(alignment) + ">";
    recordTypes().push_back({Kind::kRecord, Scalar::kCount, static_cast<int>(bytes * 8), nullptr, 0, Layout::kC, Space::kGlobal, false,
                             std::move(name), std::move(fields), alignment, cText});
    return recordTypes().back();
}

const Type* internRecord(std::string name, std::vector<Field> fields, int64_t bytes, int alignment, bool isText) {
    std::lock_guard<std::mutex> lock(tableMutex());
    for (const Type& type : recordTypes()) {
        if (type.name == name && !type.isStructure) {
            return &type;
        }
    }
    Type& made = addRecord(std::move(name), std::move(fields), bytes, alignment);
    made.isText = isText;
    return &made;
}

}  // namespace

const Type* textType(int codeBits, int64_t count) {
    std::string name = (codeBits == 8 ? "[char x " : "[unichr x ") + std::to_string(count) + "]";
    std::vector<Field> codes = {{"", intType(codeBits, false), {count}, 0}};
    return internRecord(std::move(name), std::move(codes), count * (codeBits / 8), codeBits / 8, true);
}

const Type* structureType(const std::string& name, std::vector<Field> fields, int64_t bytes, int alignment) {
    std::lock_guard<std::mutex> lock(tableMutex());
    Type& made = addRecord(name, std::move(fields), bytes, alignment);
    made.isStructure = true;
    return &made;
}

const Type* recordType(std::vector<Field> fields, int64_t bytes, bool isAligned) {
    std::string name = "Record(";
    int most = 1;
    bool allAligned = true;
    for (const Field& field : fields) {
        std::string shape;
        for (int64_t size : field.shape) {
            shape += (shape.empty() ? "" : ", ") + std::to_string(size);
        }
        int alignment = field.type->isComplex() ? field.type->bytes() / 2 : field.type->alignment;
        std::string type = field.shape.empty() ? field.type->name : "nestedarray(" + field.type->name + ", (" + shape + "))";
        name += field.name + "[type=" + type + ";offset=" + std::to_string(field.offset) + "],";
        most = std::max(most, alignment);
        allAligned = allAligned && field.offset % alignment == 0;
    }
    name.back() = ';';
    name = (fields.empty() ? "Record(;" : name) + std::to_string(bytes) + ";" + (isAligned ? "True" : "False") + ")";
    int64_t even = bytes & -bytes;  // the largest power of two that divides the size
    int alignment = allAligned && bytes > 0 ? static_cast<int>(std::min<int64_t>(most, even)) : 1;
    return internRecord(std::move(name), std::move(fields), bytes, alignment, false);
}

const Type* scalarNamed(std::string_view name) {
    for (const ScalarRow& row : scalars()) {
        if (row.type.name == name) {
            return &row.type;
        }
    }
    return name == brainType()->name ? brainType() : timeNamed(name);
}

const Type* scalarOfFormat(std::string_view format) {
    if (!format.empty() && (format[0] == '<' || format[0] == '@' || format[0] == '=')) {
        format.remove_prefix(1);
    }
    bool isComplex = !format.empty() && format[0] == 'Z';
    if (isComplex) {
        format.remove_prefix(1);
    }
    for (const ScalarRow& row : scalars()) {
        if (format.size() == 1 && row.type.isComplex() == isComplex && std::string_view(row.codes).find(format[0]) != std::string_view::npos) {
            return &row.type;
        }
    }
    return nullptr;
}

}  // namespace kiln::gpu

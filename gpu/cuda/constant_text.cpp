// Types, constants and strings as CUDA C++ spells them.
#include <charconv>
#include <cmath>

#include "gpu/cuda/source_writer.h"

namespace kiln::gpu {

std::string cudaType(const Type* type) {
    if (type->isScalar()) {
        return type->cName();
    }
    std::string layout(1, type->ndim == 0 ? 'C' : static_cast<char>(type->layout));
    return layout + "Array<" + type->element->cName() + ", " + std::to_string(type->ndim) + ">";
}

namespace {

std::string floatText(double value, const Type* type) {
    if (type->bits == 16) {
        return "float16(HalfBits{" + std::to_string(bitsOf(value, type)) + "})";
    }
    bool narrow = type->bits == 32;
    if (!std::isfinite(value)) {
        std::string bits = std::isnan(value) ? (narrow ? "0x7fc00000" : "0x7ff8000000000000")
                                             : (narrow ? "0x7f800000" : "0x7ff0000000000000");
        return std::string(value < 0 ? "-" : "") + (narrow ? "__int_as_float(" : "__longlong_as_double(") + bits + ")";
    }
    char buffer[40];
    auto end = narrow ? std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(value)).ptr
                      : std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    std::string text(buffer, end);
    if (text.find_first_of(".e") == std::string::npos) {
        text += ".0";
    }
    return narrow ? text + "f" : text;
}

}  // namespace

std::string constantText(int64_t bits, const Type* type, bool plain) {
    if (type->isBool()) {
        return bits != 0 ? "true" : "false";
    }
    std::string text = type->isFloat() ? floatText(floatOf(bits, type), type) : std::to_string(bits);
    if (type->isUnsigned()) {
        text = std::to_string(static_cast<uint64_t>(bits)) + (type->bits == 64 ? "ull" : "u");
    } else if (type->isSigned() && type->bits == 64) {
        bool fits = bits > INT32_MIN && bits <= INT32_MAX;
        text = bits == INT64_MIN ? "(-9223372036854775807ll - 1)" : fits && plain ? text : text + "ll";
    } else if (!type->isFloat() && !plain && type->bits < 32) {
        return "(" + std::string(type->cName()) + ")" + text;
    }
    return text[0] == '-' ? "(" + text + ")" : text;
}

namespace {

// Keywords, the prelude's names and those that CUDA declares; the math functions are in their own table.
const char* const kReserved[] = {
    "AArray", "CArray", "FArray", "Fault", "Greater", "HalfBits", "KILN", "NanGreater", "NanSmaller", "Offset", "Record", "Smaller", "abs", "absolute",
    "alignas", "alignof", "and", "and_eq", "asm", "assert", "atomicAdd", "auto", "bitand", "bitor", "bits_of",
    "blockDim", "blockIdx", "bool", "break", "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class",
    "clock", "clock64", "co_await", "co_return", "co_yield", "compl", "complex128", "complex64", "concept", "const", "const_cast", "consteval",
    "constexpr", "constinit", "continue", "count", "data", "decltype", "default", "delete", "dim3", "div", "do",
    "double", "dynamic_bytes", "dynamic_cast", "dynamic_memory", "else", "enum", "explicit", "export", "extern",
    "false", "float", "float16", "floor_divide", "for", "free", "friend", "goto", "greatest", "gridDim", "grid_sync", "half", "if", "inline",
    "int", "int16", "int32", "int64", "int8", "is_real", "j0", "j1", "jn", "kiln_fault", "least", "long", "main", "malloc", "match_all",
    "max", "memcpy", "memset", "min", "minus", "mixed_equal", "mixed_greater", "mixed_less", "modulo", "moved", "mutable",
    "namespace", "new", "noexcept", "norm", "normcdf", "not", "not_eq", "nullptr", "of_bits", "operator", "or",
    "or_eq", "plus", "pow", "power", "printf", "private", "protected", "public", "raise_fault", "rcbrt", "register", "reinterpret_cast",
    "requires", "return", "rsqrt", "shape", "shifted", "short", "signbit", "signed", "size_t", "sizeof", "static",
    "static_assert", "static_cast", "step_down", "step_up", "stride", "struct", "switch", "template", "this",
    "threadIdx", "thread_local", "throw", "times", "trap", "true", "try", "typedef", "typeid", "typename", "uchar", "uint",
    "uint16", "uint32", "uint64", "uint8", "ulong", "union", "unsigned", "update", "ushort", "using", "virtual",
    "void", "volatile", "warpSize", "wchar_t", "while", "wrap", "xor", "xor_eq", "y0", "y1", "yn",
};

bool isReserved(const std::string& name) {
    for (const char* reserved : kReserved) {
        if (name == reserved) {
            return true;
        }
    }
    for (int i = 0; i < static_cast<int>(MathFunction::kCount); i++) {
        const MathInfo& info = mathInfo(static_cast<MathFunction>(i));
        if (name == info.name32 || name == info.name64) {
            return true;
        }
    }
    bool isTemporary = name[0] == 'v' && name.size() > 1 && name.find_first_not_of("0123456789", 1) == std::string::npos;
    return isTemporary || name.rfind("__", 0) == 0 || name.rfind("atomic_", 0) == 0;
}

}  // namespace

std::string identifier(const std::string& name) {
    return isReserved(name) ? "py_" + name : name;
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return out + "\"";
}

}  // namespace kiln::gpu

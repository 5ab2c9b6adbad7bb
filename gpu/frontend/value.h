// What the front end knows about the value of an expression or a name.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/ir/kernel_ir.h"
#include "interp/py_ref.h"

namespace kiln::gpu {

enum class ValueKind : uint8_t {
    kPoison,   // after an error, or a name that a later pass over the loop will know: nothing is said about it
    kNone,
    kScalar,
    kArray,
    kRecord,   // its type is that of an array of no dimensions: where the record is
    kTuple,    // items; object: the class of a named one
    kOptional,  // None or a value, as paths have it. items: whether it is there, a bool; the value
    kMember,   // a member of an enum. items: its value; object: the enum
    kText,     // text
    kObject,   // a Python object known at compile time: module, function, type
    kClosure,  // a function that is defined in the one being built: closure; items: what it captures, by closure->captured
    kSlice,    // items: start, stop, step, each kNone or a scalar
    kRange,    // items: start, stop, step of one type
    kEnumerate,  // items: what is iterated, start
    kZip,      // items: what is iterated
    kFlat,     // `flat` of an array that has none of one dimension in its memory. items: the array
    kPlaces,   // all indices of a shape, numpy.ndindex. items: the shape
    kMethod,   // items: the array; text: the name
    kJoined,   // a string that is made when the kernel runs, for print. items: constant strings, and tuples of a number and printf's format for it
    kMixed,    // a name whose types on two paths do not go together; text says which
};

struct Node;
struct FunctionSource;

// A nested function or lambda.
struct Closure {
    std::shared_ptr<const FunctionSource> source;
    std::vector<std::string> captured;  // names
    uint32_t definer = 0;               // the function of the module that it is defined in
    PyObject* function = nullptr;       // whose globals it sees; borrowed
};

struct Value {
    ValueKind kind = ValueKind::kPoison;
    const Type* type = nullptr;   // of scalars and arrays
    ValueId id = kNoValue;        // once it is in the IR
    bool isConstant = false;      // scalars: `bits` is the value
    int64_t bits = 0;
    uint32_t slot = kNoValue;     // in a State: the variable that holds it
    std::vector<Value> items;
    std::string text;
    Ref<> object;
    std::shared_ptr<const Closure> closure;

    bool isScalar() const { return kind == ValueKind::kScalar; }
    bool isArray() const { return kind == ValueKind::kArray; }
    bool isRecord() const { return kind == ValueKind::kRecord; }
    // Held by an IR value.
    bool isHeld() const { return isScalar() || isArray() || isRecord(); }
    bool isMember() const { return kind == ValueKind::kMember; }
    // Its items are values by themselves, each of which a variable or parameter may hold.
    bool hasParts() const { return kind == ValueKind::kTuple || kind == ValueKind::kOptional || isMember(); }
    bool isPoison() const { return kind == ValueKind::kPoison; }
    bool isNone() const { return kind == ValueKind::kNone; }

    static Value none() { return ofKind(ValueKind::kNone); }
    static Value ofKind(ValueKind kind) {
        Value value;
        value.kind = kind;
        return value;
    }
    // A value whose IR value is of this type.
    static Value ofType(const Type* type) {
        bool isRecord = type->isArray() && type->ndim == 0 && type->element->isRecord();
        Value value = ofKind(isRecord ? ValueKind::kRecord : type->isArray() ? ValueKind::kArray : ValueKind::kScalar);
        value.type = type;
        return value;
    }
    static Value constant(const Type* type, int64_t bits) {
        Value value = ofKind(ValueKind::kScalar);
        value.type = type;
        value.isConstant = true;
        value.bits = bits;
        return value;
    }
    static Value ofText(std::string text) {
        Value value = ofKind(ValueKind::kText);
        value.text = std::move(text);
        return value;
    }
    static Value integer(int64_t bits) { return constant(scalarType(Scalar::kInt64), bits); }
    static Value member(Value known, Ref<> enumeration) {
        Value value = tuple({std::move(known)}, std::move(enumeration));
        value.kind = ValueKind::kMember;
        return value;
    }
    // With the kind and class of `like`, which has parts, and no items yet.
    static Value partsLike(const Value& like) {
        Value value = tuple({}, like.object);
        value.kind = like.kind;
        return value;
    }
    static Value tuple(std::vector<Value> items, Ref<> named = Ref<>()) {
        Value value = ofKind(ValueKind::kTuple);
        value.object = std::move(named);
        value.items = std::move(items);
        return value;
    }
};

// The names of a function at one place of it.
using State = std::map<std::string, Value>;

// "float32", "array(float64, 2d, C)", "Tuple(int64, float64)", "none", "a function": for messages.
std::string describe(const Value& value);

}  // namespace kiln::gpu

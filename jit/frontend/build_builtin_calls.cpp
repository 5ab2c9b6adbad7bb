// Calls of CPython's own functions, methods and classes by the table builtin_calls.def.
#include "jit/frontend/build_builtin_calls.h"

#include "jit/frontend/build_iteration.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/builtin_calls.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// May a value of this class be what the letter asks for?
bool mayBe(char letter, PyTypeObject* cls) {
    bool isInt = cls == &PyLong_Type || cls == &PyBool_Type;
    bool isNone = cls == Py_TYPE(Py_None);
    bool isText = cls == &PyUnicode_Type;
    bool isSet = cls == &PySet_Type || cls == &PyFrozenSet_Type;
    bool isSequence = cls == &PyList_Type || cls == &PyTuple_Type;
    switch (letter) {
        case 'a': case 'o': return true;
        case 's': return isText;
        case 'b': return cls == &PyBytes_Type;
        case 'f': return cls == &PyFloat_Type;
        case 'i': return isInt;
        case 'n': return isInt || isNone;
        case 'y': return isText || isNone;
        case 'x': return isText || cls == &PyTuple_Type;
        case 'p': return isInt || isNone || isText || cls == &PyFloat_Type || cls == &PyBytes_Type || cls == &PyTuple_Type;
        case 'k': case 'h': return mayBe('p', cls) || isKeyedByIdentity(cls);
        case 'v': return isInt || isNone || isText || cls == &PyFloat_Type;
        case 'T': return PyType_IsSubtype(cls, &PyType_Type) != 0;
        case 'R': return cls == &PyType_Type || cls == &PyTuple_Type;
        case 'l': case 'L': case 'M': case 'H': return cls == &PyList_Type;
        case 'Q': return cls == &PyTuple_Type;
        case 'j': return isSequence;
        case 'd': case 'e': case 'E': return cls == &PyDict_Type;
        case 'c': case 'C': case 'G': return cls == &PySet_Type;
        case 'Z': return isSet;
        case 'u': case 'U': case 'K':
            return isSequence || isSet || isText || cls == &PyDict_Type || cls == &PyBytes_Type || cls == &PyRange_Type ||
                   cls == &PyDictKeys_Type || cls == &PyDictValues_Type || cls == &PyDictItems_Type;
        default: return letter == 'w' && (mayBe('u', cls) || mayBe('v', cls));
    }
}

// Is it what the letter asks for, for certain, or nothing that is to be looked at before the call?
bool isCertainly(char letter, const AbstractValue& value) {
    PyTypeObject* cls = value.knownClass();
    bool isSmallInt = value.isInt() || value.isBool();
    switch (letter) {
        case 'a': case 'o': case 'h': return true;
        case 's': case 'b': case 'f': case 'l': case 'e': case 'c': case 'u': return cls != nullptr && mayBe(letter, cls);
        case 'i': return isSmallInt;
        case 'n': return isSmallInt || value.kind == Kind::kNone;
        case 'p': case 'k': case 'v': return isSmallInt || cls == &PyUnicode_Type || cls == &PyFloat_Type || value.kind == Kind::kNone;
        case 'T': case 'R': return value.kind == Kind::kConstant && PyType_CheckExact(value.constant);
        default: return false;
    }
}

bool looksAt(char letter) {
    return letter != 'a' && letter != 'o';
}

// Of the entry `below`: a class that is not known may be any that was seen, if that was recorded.
bool suitsLetter(RegionBuilder& b, char letter, int below, const ClassSet* seen) {
    const AbstractValue& value = b.top(below);
    if (isVirtualIterator(value)) {
        return false;
    }
    if (PyTypeObject* cls = value.knownClass()) {
        return mayBe(letter, cls);
    }
    bool suited = value.kind == Kind::kObject && (seen == nullptr || !seen->others() || !looksAt(letter));
    for (int index = 0; suited && seen != nullptr && looksAt(letter) && index < seen->size(); index++) {
        suited = (*seen)[index] != nullptr && mayBe(letter, (*seen)[index]);
    }
    return suited;
}

// What is called and its arguments are given up; some of these are held by what was changed, or elsewhere.
void releaseArguments(RegionBuilder& b, const BuiltinCall& called, int entries, int arguments, bool keepsSelf) {
    std::vector<AbstractValue>& slots = b.state().frame().slots;
    std::vector<AbstractValue> popped(slots.end() - entries, slots.end());
    slots.resize(slots.size() - static_cast<size_t>(entries));
    for (int entry = 0; entry < entries; entry++) {
        int argument = entry - (entries - arguments);
        bool isHeld = (argument == 0 && keepsSelf) || (argument >= 0 && called.letterFor(argument) == 'o');
        isHeld ? releaseHeld(b, std::move(popped[static_cast<size_t>(entry)]))
               : release(b, std::move(popped[static_cast<size_t>(entry)]));
    }
}

}  // namespace

bool callByTable(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    constexpr int kMostArguments = 32;
    const Site& site = b.siteOf(in);
    int row = site.generic || b.keywordNames() != nullptr || arguments > kMostArguments ? -1 : findBuiltinCall(callee, arguments);
    if (row < 0) {
        return false;
    }
    const BuiltinCall& called = builtinCall(row);
    for (int argument = 0; argument < arguments; argument++) {
        int below = arguments - 1 - argument;
        if (!suitsLetter(b, called.letterFor(argument), below, below == in.oparg - 1 ? &site.receivers : nullptr)) {
            return false;
        }
    }
    for (int argument = 0; argument < arguments; argument++) {
        if (looksAt(called.letterFor(argument)) && !guardNoNamespace(b, arguments - 1 - argument)) {
            return false;
        }
    }
    bool changes = called.effect == BuiltinEffect::kChanges;
    bool keepsSelf = changes && endsAfterStore(b.top(arguments - 1));
    int64_t unsure = 0;
    for (int argument = 0; argument < arguments; argument++) {
        bool isSure = isCertainly(called.letterFor(argument), b.top(arguments - 1 - argument));
        unsure |= isSure ? 0 : int64_t{1} << argument;
    }
    ir::Operands operands = {b.constInt(row | unsure << kBuiltinRowBits), b.constObject(callee)};
    boxTop(b, arguments, operands);
    if (keepsSelf) {
        // What is changed must not end here: what it holds by then can't be told before.
        guardShared(b, operands[2], ExitReason::k_plain);
    }
    Id result = makePlain(b, Helper::k_call_by_table, std::move(operands));
    releaseArguments(b, called, in.oparg + 2, arguments, keepsSelf);
    pushResult(b, result, true, called.resultClass(), in, in.next);
    return true;
}

}  // namespace kiln

// Which builtin, class or method a call reaches, and who builds it natively.
#include <cstring>

#include "jit/frontend/region_builder.h"

namespace kiln {
namespace {

// The name of a function of that module; nullptr for any other callee.
const char* nameIn(PyObject* callee, const char* module) {
    auto* function = reinterpret_cast<PyCFunctionObject*>(callee);
    bool named = function->m_module != nullptr && PyUnicode_Check(function->m_module);
    return named && PyUnicode_CompareWithASCIIString(function->m_module, module) == 0 ? function->m_ml->ml_name : nullptr;
}

// Builtins that look at the frame that calls them.
constexpr const char* kFrameReaders[] = {"eval", "exec", "locals", "vars", "dir", "breakpoint", "globals", "__import__"};

}  // namespace

bool RegionBuilder::callBuiltin(const BytecodeInstruction& in, PyObject* callee, int arguments) {
    if (const char* name = nameIn(callee, "math")) {
        return callMath(in, callee, name, arguments);
    }
    // They see frames, or the references that the interpreter's operand stack would hold.
    const char* system = nameIn(callee, "sys");
    if (system != nullptr && (std::strcmp(system, "_getframe") == 0 || std::strcmp(system, "getrefcount") == 0)) {
        sideExit(ExitReason::k_unsupported);
        return true;
    }
    const char* name = nameIn(callee, "builtins");
    if (name == nullptr) {
        return false;
    }
    for (const char* reader : kFrameReaders) {
        if (std::strcmp(name, reader) == 0) {
            sideExit(ExitReason::k_unsupported);
            return true;
        }
    }
    struct Row {
        const char* name;
        int least;
        int most;
        bool (RegionBuilder::*build)(const BytecodeInstruction& in, int arguments);
    };
    static constexpr Row kRows[] = {
        {"abs", 1, 1, &RegionBuilder::callAbs},        {"chr", 1, 1, &RegionBuilder::callChr},
        {"divmod", 2, 2, &RegionBuilder::callDivmod},  {"isinstance", 2, 2, &RegionBuilder::callIsinstance},
        {"len", 1, 1, &RegionBuilder::callLen},        {"max", 2, 8, &RegionBuilder::callMax},
        {"min", 2, 8, &RegionBuilder::callMin},        {"ord", 1, 1, &RegionBuilder::callOrd},
        {"pow", 2, 3, &RegionBuilder::callPow},        {"round", 1, 2, &RegionBuilder::callRound},
        {"sum", 1, 2, &RegionBuilder::callSum},
    };
    for (const Row& row : kRows) {
        if (std::strcmp(name, row.name) == 0 && arguments >= row.least && arguments <= row.most) {
            return (this->*row.build)(in, arguments);
        }
    }
    return false;
}

// True for `sum(x, start=y)` and the like: the one keyword names the second parameter.
bool RegionBuilder::keywordsArePositional(PyObject* callee, int arguments) const {
    if (arguments != 2 || PyTuple_GET_SIZE(keywordNames_) != 1) {
        return false;
    }
    bool isClass = callee == reinterpret_cast<PyObject*>(&PyEnum_Type);
    const char* name = isClass ? "enumerate" : PyCFunction_Check(callee) ? nameIn(callee, "builtins") : nullptr;
    static constexpr const char* kSecond[][2] = {{"enumerate", "start"}, {"round", "ndigits"}, {"sum", "start"}};
    for (const auto& [function, keyword] : kSecond) {
        if (name != nullptr && std::strcmp(name, function) == 0) {
            return PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywordNames_, 0), keyword) == 0;
        }
    }
    return false;
}

// range, enumerate, zip, and the number classes as conversions.
bool RegionBuilder::callClass(const BytecodeInstruction& in, PyObject* callee, int arguments) {
    auto* cls = reinterpret_cast<PyTypeObject*>(callee);
    if (cls == &PyRange_Type && arguments >= 1 && arguments <= 3) {
        return callRange(in, arguments);
    }
    if (cls == &PyEnum_Type && (arguments == 1 || arguments == 2)) {
        return callEnumerate(in, arguments);
    }
    if (cls == &PyZip_Type && arguments >= 1) {
        return callZip(in, arguments);
    }
    return arguments == 1 && convertNumber(in, cls);
}

// A helper that may fail and raises nothing: the guard behind it leaves before the instruction, and CPython repeats it.
RegionBuilder::Id RegionBuilder::fallibleInt(Helper helper, std::vector<Id> operands, ExitReason reason) {
    Id result = emitList(ir::Op::k_pure_int, std::move(operands), static_cast<int64_t>(helper));
    emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_int_ne, {result, constInt(kFailedInt)})}, reason);
    return result;
}

RegionBuilder::Id RegionBuilder::fallibleFloat(Helper helper, std::vector<Id> operands, ExitReason reason) {
    Id result = emitList(ir::Op::k_read_float, std::move(operands), static_cast<int64_t>(helper));
    Id bits = emit(ir::Op::k_float_bits, {result});
    emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_int_ne, {bits, constInt(kFailedFloatBits)})}, reason);
    return result;
}

}  // namespace kiln

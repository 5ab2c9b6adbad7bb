#include "jit/frontend/numpy_draws.h"

#include "interp/numpy_random.h"
#include "interp/twister.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// From 0 to 1, or what the two arguments say.
bool drawFloat(RegionBuilder& b, const BytecodeInstruction& in, NumPyDraw draw, Id source, int arguments) {
    ir::Operands operands = {source, b.constInt(static_cast<int64_t>(draw))};
    for (int below = arguments; below-- > 0;) {
        std::optional<NumPyNumber> number = numberOf(b, b.top(below));
        if (!number) {
            return false;
        }
        operands.push_back(asDouble(b, *number));
    }
    if (arguments == 0) {
        operands.push_back(b.constFloat(0.0));
        operands.push_back(b.constFloat(1.0));
    }
    Id drawn = b.emitExitingAt(ir::Op::k_opaque_float, std::move(operands), b.snapshotBefore(ExitReason::k_plain),
                               static_cast<int64_t>(Helper::k_draw_float));
    finishCall(b, in, arguments + 2, AbstractValue::number(Kind::kFloat, drawn));
    return true;
}

bool drawInteger(RegionBuilder& b, const BytecodeInstruction& in, Id source, int arguments) {
    ir::Operands operands = {source};
    if (arguments == 1) {
        operands.push_back(b.constInt(0));
    }
    for (int below = arguments; below-- > 0;) {
        Id limit = indexOf(b, b.top(below));
        if (limit == ir::kNoId) {
            return false;
        }
        operands.push_back(limit);
    }
    Id low = operands[1];
    Id more = b.emitExitingAt(ir::Op::k_opaque_int, std::move(operands), b.snapshotBefore(ExitReason::k_plain),
                              static_cast<int64_t>(Helper::k_draw_int));
    finishCall(b, in, arguments + 2, AbstractValue::number(Kind::kInt, b.emit(ir::Op::k_int_add_index, {low, more})));
    return true;
}

// random() and getrandbits() of an object of the module random, or of a class made of that; a class of the program's has its own methods if
// it wants to.
bool drawOfTwister(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    PyMethodDef* method = Py_IS_TYPE(callee, &PyCFunction_Type)     ? reinterpret_cast<PyCFunctionObject*>(callee)->m_ml
                          : Py_IS_TYPE(callee, &PyMethodDescr_Type) ? reinterpret_cast<PyMethodDescrObject*>(callee)->d_method
                                                                    : nullptr;
    const TwisterDraw draw = twisterDraw(method);
    const bool isInt = draw == TwisterDraw::kBits;
    if (draw == TwisterDraw::kNone || arguments != (isInt ? 1 : 0) || (isInt && !b.top().isInt())) {
        return false;
    }
    bool fresh = false;
    bool isBound = Py_IS_TYPE(callee, &PyCFunction_Type);
    Id source = isBound ? b.constObject(PyCFunction_GET_SELF(callee)) : boxed(b, b.top(arguments), fresh);
    ir::SnapshotId snapshot = b.snapshotBefore(ExitReason::k_plain);
    Id drawn = isInt ? b.emitExitingAt(ir::Op::k_opaque_int, {source, b.top().value}, snapshot, static_cast<int64_t>(Helper::k_draw_bits))
                     : b.emitExitingAt(ir::Op::k_opaque_float, {source}, snapshot, static_cast<int64_t>(Helper::k_draw_twister));
    finishCall(b, in, arguments + 2, AbstractValue::number(isInt ? Kind::kInt : Kind::kFloat, drawn));
    return true;
}

}  // namespace

bool isDrawMethod(PyObject* method) {
    return NumPyRandom::known() != nullptr && NumPyRandom::known()->isMethod(method);
}

bool drawNumber(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    const NumPyRandom* random = NumPyRandom::known();
    if (b.siteOf(in).generic || b.keywordNames() != nullptr) {
        return false;
    }
    if (drawOfTwister(b, in, callee, arguments)) {
        return true;
    }
    if (random == nullptr) {
        return false;
    }
    NumPyDrawing drawing = random->drawingOf(callee, arguments);
    const AbstractValue& self = b.top(arguments);
    if (drawing.draw == NumPyDraw::kNone || (drawing.source == nullptr && self.knownClass() != drawing.cls)) {
        return false;
    }
    bool fresh = false;
    Id source = drawing.source != nullptr ? b.constObject(drawing.source) : boxed(b, self, fresh);
    return drawing.draw == NumPyDraw::kInteger ? drawInteger(b, in, source, arguments) : drawFloat(b, in, drawing.draw, source, arguments);
}

}  // namespace kiln

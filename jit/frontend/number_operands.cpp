#include "jit/frontend/number_operands.h"

namespace kiln {
namespace {

bool isUntold(const AbstractValue& value) {
    return value.kind == Kind::kObject && (value.cls == nullptr || value.cls == &PyFloat_Type || value.cls == &PyLong_Type);
}

bool areNumbers(const ClassSet& seen) {
    for (int index = 0; index < seen.size(); index++) {
        if (seen[index] != &PyFloat_Type && seen[index] != &PyLong_Type) {
            return false;
        }
    }
    return !seen.empty() && !seen.others();
}

void unbox(RegionBuilder& b, int below, PyTypeObject* cls) {
    const AbstractValue object = b.top(below);
    AbstractValue number = cls == &PyFloat_Type
                               ? AbstractValue::number(Kind::kFloat, b.emit(ir::Op::k_unbox_float, {object.value}))
                               : AbstractValue::number(Kind::kInt, b.emitExiting(ir::Op::k_unbox_int, {object.value}, ExitReason::k_overflow));
    number.box = object.value;
    number.owned = object.owned;
    b.top(below) = number;
}

}  // namespace

void tellNumbers(RegionBuilder& b, const BytecodeInstruction& in, bool (*build)(RegionBuilder&, const BytecodeInstruction&)) {
    const Site& site = b.siteOf(in);
    for (int below : {1, 0}) {
        const ClassSet& seen = below == 1 ? site.receivers : site.rights;
        if (site.bigInt || !(b.top(below).isNumber() || (isUntold(b.top(below)) && areNumbers(seen)))) {
            return;
        }
    }
    for (int below : {1, 0}) {
        if (b.top(below).isNumber()) {
            continue;
        }
        const ClassSet& seen = below == 1 ? site.receivers : site.rights;
        Id object = b.top(below).value;
        for (int index = 0; index + 1 < seen.size(); index++) {
            b.branchAside(b.classIs(object, seen[index]), true, [&] {
                unbox(b, below, seen[index]);
                build(b, in);
                if (b.isOpen() && !b.stopped()) {
                    b.goTo(in.next);
                }
            });
        }
        PyTypeObject* last = seen[seen.size() - 1];
        b.guardClass(object, last, ExitReason::k_type);
        unbox(b, below, last);
    }
}

}  // namespace kiln

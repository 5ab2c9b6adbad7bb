// Strings: items and iteration; operators of strings and bytes.
#include <opcode.h>

#include "jit/frontend/build_call.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/class_tables.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {

bool textItem(RegionBuilder& b, const BytecodeInstruction& in) {
    Id index = b.siteOf(in).generic ? ir::kNoId : positionOf(b, b.top(0));
    if (index == ir::kNoId) {
        return false;
    }
    Id text = boxEntry(b, 1);
    Id made = makePlain(b, Helper::k_plain_character, {text, index});
    releaseTop(b, 2);
    pushResult(b, made, true, &PyUnicode_Type, in, in.next);
    return true;
}

bool iterateText(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.siteOf(in).generic) {
        return false;
    }
    pushTableIterator(b, in, nullptr);
    return true;
}

bool nextCharacter(RegionBuilder& b, const BytecodeInstruction& in) {
    auto helper = static_cast<int64_t>(Helper::k_plain_next_character);
    Id character = b.emitList(ir::Op::k_pure_object, {b.top().value}, helper);
    b.branchAside(b.emit(ir::Op::k_is_null, {character}), true, [&] {
        startHere(b);
        release(b, b.pop());
        b.goTo(in.target);
    });
    b.push(AbstractValue::object(character, &PyUnicode_Type, true));
    b.state().frame().unit = in.next;
    return true;
}

// `text % arguments`, too.
bool textOperator(int operation, PyTypeObject* left, PyTypeObject* right) {
    return sequenceOperator(operation, left, right) || (operation == NB_REMAINDER && left == &PyUnicode_Type);
}

}  // namespace kiln
